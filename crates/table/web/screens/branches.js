// @ts-check
/** Branches of a game in review: lines tried out and kept in this browser, and games played on from it. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { ago, num, t } from '../lib/i18n.js';
import { Dialog, Icon } from '../lib/a11y.js';
import { api, errorText } from '../lib/api.js';
import { useAsked } from '../lib/asked.js';
import { say, server } from '../lib/frame.js';
import { load, save } from '../lib/store.js';
import { moveText, opponents, resultText } from '../lib/reasons.js';

/** @typedef {import('../types').GameSummary} Summary */
/**
 * A line tried out: so many steps of the game, then other moves.
 * @typedef {{ at: number, number: number, actions: string[], name: string }} Line
 */
/** The most lines kept for a game. */
const MOST = 50;

/** What a game is called in a list. @param {Summary} g */
export const nameOf = (g) => g.title || opponents(g.seats, g.yours, g.game);

/**
 * The branches of a game: `lines` are kept in this browser, `games` and `parent` come from the server.
 * @param {string} id
 */
export function useBranches(id) {
  const [lines, setLines] = useState(() => load(`lines.${id}`, /** @type {Line[]} */ ([])));
  const [games, setGames] = useState(/** @type {Summary[]} */ ([]));
  const [parent, setParent] = useState(/** @type {Summary | null} */ (null));
  const kept = useRef(lines);
  // From what is kept now: a change that is taken back later must not take back others made since.
  const keep = (/** @type {(lines: Line[]) => Line[]} */ change) => {
    kept.current = change(load(`lines.${id}`, kept.current));
    setLines(kept.current);
    save(`lines.${id}`, kept.current);
  };
  const listing = useAsked();
  const refresh = async () => {
    const still = listing();
    try {
      const all = (await api.mine(!!server.value.info?.owner)).games;
      if (!still()) return;
      const up = all.find((g) => g.id === id)?.parent;
      setGames(all.filter((g) => g.parent === id));
      setParent(all.find((g) => g.id === up) ?? null);
    } catch { /* the review works without */ }
  };
  useEffect(() => { refresh(); }, [id]);
  return { lines, games, parent, refresh, keep };
}

/** Whether two lines are the same. @param {Line} l @param {number} at @param {string[]} actions */
const same = (l, at, actions) => l.at === at && l.actions.join() === actions.join();

/** The lines with another one, the newest last. @param {Line[]} lines @param {Line} line */
export const withLine = (lines, line) => [...lines.filter((l) => !same(l, line.at, line.actions)), line].slice(-MOST);

/** @param {Line} l */
const lineName = (l) => l.name || l.actions.map(moveText).join(' ');

/**
 * @param {object} p
 * @param {ReturnType<typeof useBranches>} p.branches
 * @param {{ at: number, actions: string[] } | null} p.shown the line on the board
 * @param {(l: Line) => void} p.onLine
 */
export function Branches({ branches, shown, onLine }) {
  const { lines, games, parent, refresh, keep } = branches;
  const [menu, setMenu] = useState(/** @type {{ name: string, rename: (name: string) => void, remove: () => void } | null} */ (null));
  const [name, setName] = useState('');
  if (!lines.length && !games.length && !parent) return null;
  const change = async (/** @type {string} */ id, /** @type {import('../types').ChangeGame} */ c) => {
    try { await api.change(id, c); await refresh(); } catch (e) { say(errorText(e)); }
  };
  const open = (/** @type {NonNullable<typeof menu>} */ m) => { setName(m.name); setMenu(m); };
  const more = (/** @type {string} */ label, /** @type {NonNullable<typeof menu>} */ m) =>
    html`<button class="ic quiet" aria-haspopup="dialog" aria-label=${t('lobby.menu', { name: label })} onClick=${() => open(m)}>${Icon('more', 'dots')}</button>`;
  const back = (/** @type {string} */ label, /** @type {() => void} */ run) => say(t('lobby.deleted', { name: label }), { label: t('undo'), run });
  return html`<div class="hd"><h2>${t('branch.title')}</h2></div><ul class="branches">
    ${parent && html`<li><a class="bn" href=${`#/review/${parent.id}`}><span class="sig" aria-hidden="true">↰</span><span class="nm">${t('branch.parent', { name: nameOf(parent) })}</span></a></li>`}
    ${lines.map((l, i) => html`<li key=${`${l.at},${l.actions.join()}`}>
      <button class="bn" aria-current=${shown && same(l, shown.at, shown.actions) ? 'true' : undefined} onClick=${() => onLine(l)}>
        <span class="sig" aria-hidden="true">↳</span><span class="nm">${lineName(l)}</span><span class="mut sm">${t('branch.from', { n: num(l.number) })}</span></button>
      ${more(lineName(l), {
        name: l.name, rename: (n) => keep((now) => now.map((x) => (same(x, l.at, l.actions) ? { ...x, name: n } : x))),
        remove: () => {
          keep((now) => now.filter((x) => !same(x, l.at, l.actions)));
          back(lineName(l), () => keep((now) => (now.some((x) => same(x, l.at, l.actions)) ? now : [...now.slice(0, i), l, ...now.slice(i)])));
        },
      })}</li>`)}
    ${games.map((g) => html`<li key=${g.id}>
      <a class="bn" href=${`#/${g.phase === 'over' ? 'review' : 'game'}/${g.id}`}><span class="sig" aria-hidden="true">▸</span><span class="nm">${nameOf(g)}</span>
        <span class="mut sm">${g.phase === 'over' ? resultText(g.result, g.game, g.view) || t('st.over') : t('lobby.moves', { n: g.ply })} · ${ago(g.updated)}</span></a>
      ${more(nameOf(g), {
        name: g.title, rename: (n) => { change(g.id, { title: n }); },
        remove: () => { change(g.id, { deleted: true }); back(nameOf(g), () => change(g.id, { deleted: false })); },
      })}</li>`)}</ul>
    ${menu && html`<${Dialog} title=${t('branch.title')} kind="menu" onClose=${() => setMenu(null)}>
      <form class="share" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); menu.rename(name.trim()); setMenu(null); }}>
        <label class="f">${t('lobby.name')}<input maxlength="40" value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label>
        <div class="acts"><button type="button" class="bad" onClick=${() => { menu.remove(); setMenu(null); }}>${t('lobby.delete')}</button>
          <button class="pri">${t('lobby.rename')}</button></div></form><//>`}`;
}
