// @ts-check
/** The lobby: a card per game with one button to play, and the person's own games. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { ago, has, lang, t } from '../lib/i18n.js';
import { Dialog, Icon } from '../lib/a11y.js';
import { api, errorText } from '../lib/api.js';
import { arrive, useAsked } from '../lib/asked.js';
import { askInfo, changed, gamesChanged, go, say, server, title } from '../lib/frame.js';
import { load, useStore } from '../lib/store.js';
import { drawingOf } from '../lib/games.js';
import { opponents, resultText } from '../lib/reasons.js';
import { NewGame, choiceLine, choiceRows, lastChoice, start } from './newgame.js';
import { ShareDialog, download } from './menu.js';

/** @typedef {import('../types').GameSummary} Summary */
/** @typedef {import('../types').GameKind} GameKind */

/** @param {{ review?: boolean }} props `review`: the list is shown to choose a game to look at again */
export function Lobby({ review = false }) {
  const { info, error } = useStore(server);
  const [games, setGames] = useState(/** @type {Summary[] | null} */ (null));
  const [trouble, setTrouble] = useState(/** @type {any} */ (null));
  const [dialog, setDialog] = useState(/** @type {GameKind | null} */ (null));
  const [made, setMade] = useState(/** @type {{ created: import('../types').Created, kind: GameKind } | null} */ (null));
  const [dropping, setDropping] = useState(false);
  const depth = useRef(0);
  const { n } = useStore(changed);
  // Two kinds of questions: what the list is, and games to be gone to. Of each only the newest counts.
  const listing = useAsked();
  const going = useAsked();
  const making = useRef('');
  const refresh = async () => {
    const still = listing();
    try {
      const { games: list } = await api.mine(!!server.value.info?.owner);
      if (still()) { setGames(list); setTrouble(null); }
    } catch (e) { if (still()) setTrouble(e); }
  };
  useEffect(() => { title(review ? t('nav.review') : ''); if (!server.value.info) askInfo(); }, []);
  useEffect(() => { if (info) refresh(); }, [info, n]);

  const enter = (/** @type {import('../types').Created} */ created, /** @type {GameKind} */ kind, /** @type {() => boolean} */ still) => {
    if (!still()) { gamesChanged(); arrive(still, `#/game/${created.id}`); return; }
    setDialog(null);
    if (created.invites.length) setMade({ created, kind }); else go(`#/game/${created.id}`);
  };
  const change = (/** @type {GameKind} */ kind) => { going(); setDialog(kind); };
  const quick = async (/** @type {GameKind} */ kind) => {
    // A second press while the game is made means the same game.
    if (making.current === kind.id) return;
    making.current = kind.id;
    const still = going();
    try { enter(await start(kind, lastChoice(kind)), kind, still); } catch (e) { if (still()) setTrouble(e); else say(errorText(e)); }
    if (making.current === kind.id) making.current = '';
  };
  const take = async (/** @type {Blob | string} */ data) => {
    const still = going();
    try {
      const created = await api.importRecord(data);
      if (!still()) gamesChanged();
      if (created.warnings.length) say(created.warnings.join(' '));
      arrive(still, `#/review/${created.id}`);
    } catch (e) { say(errorText(e)); }
  };
  useEffect(() => {
    const paste = (/** @type {ClipboardEvent} */ e) => {
      const text = e.clipboardData?.getData('text') ?? '';
      if (e.target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(e.target.tagName)) return;
      if (/^\s*\(\s*;/.test(text) || /^\s*\{"kiebitz"/.test(text)) { e.preventDefault(); take(text); }
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
  const drag = {
    onDragEnter: (/** @type {DragEvent} */ e) => { e.preventDefault(); depth.current += 1; setDropping(true); },
    onDragLeave: () => { depth.current -= 1; if (depth.current <= 0) setDropping(false); },
    onDragOver: (/** @type {DragEvent} */ e) => e.preventDefault(),
    onDrop: (/** @type {DragEvent} */ e) => {
      e.preventDefault();
      depth.current = 0;
      setDropping(false);
      const file = e.dataTransfer?.files[0];
      const text = e.dataTransfer?.getData('text');
      if (file) take(file); else if (text) take(text);
    },
  };
  const kinds = info?.games ?? [];
  // The game played last comes first and large, with the one primary button.
  const recent = load('recent', '');
  const lead = kinds.filter((k) => !k.example).sort((a, b) => Number(b.id === recent) - Number(a.id === recent));
  const small = kinds.filter((k) => k.example);
  const shown = (games ?? []).filter((g) => !review || g.ply > 0);
  return html`<main id="main" tabindex="-1" class=${`page ${dropping ? 'dropping' : ''}`} ...${drag}>
    ${review ? html`<div class="hello"><h1>${t('lobby.review')}</h1><p class="mut">${t('lobby.review.text')}</p></div>` : html`<h1 class="sr">kiebitz</h1>`}
    ${error && html`<p class="err" role="alert">${errorText(error)} <button class="link" onClick=${askInfo}>${t('st.retry')}</button></p>`}
    ${trouble && html`<p class="err" role="alert">${errorText(trouble)}</p>`}
    ${!review && html`<section aria-labelledby="h-games"><h2 id="h-games" class="sr">${t('lobby.games')}</h2><div class="cards">
      ${lead.map((k, i) => html`<${GameCard} key=${k.id} kind=${k} kindOf=${i === 0 ? 'lead' : 'main'} last=${games?.find((g) => g.game === k.id)} onPlay=${() => quick(k)} onChange=${() => change(k)} />`)}</div></section>`}
    <section aria-labelledby="h-mine"><div class="sect"><h2 id="h-mine">${t('lobby.mine')}</h2><span class="sp"></span>
      <${ImportButton} onTake=${take} onOpen=${going} /></div>
      ${games && shown.length === 0 && html`<p class="panel empty">${t('lobby.empty')}</p>`}
      <ul class="mine">${shown.map((g) => html`<${GameRow} key=${g.id} g=${g} review=${review} onOpen=${going} />`)}</ul></section>
    ${!review && small.length > 0 && html`<section aria-labelledby="h-small"><div class="sect"><h2 id="h-small">${t('lobby.small')}</h2></div>
      <div class="cards">${small.map((k) => html`<${GameCard} key=${k.id} kind=${k} kindOf="small" onPlay=${() => quick(k)} onChange=${() => change(k)} />`)}</div></section>`}
    ${dialog && html`<${NewGame} kind=${dialog} onClose=${() => setDialog(null)} onStart=${(/** @type {import('../types').Created} */ c, /** @type {() => boolean} */ still) => enter(c, dialog, still)} />`}
    ${made && html`<${ShareDialog} id=${made.created.id} first=${made.created} game=${made.kind.id} seats=${[]} onClose=${() => { const { id } = made.created; setMade(null); go(`#/game/${id}`); }} />`}
  </main>`;
}

/**
 * A game with one button that plays it as last time.
 * @param {{ kind: GameKind, kindOf: 'lead' | 'main' | 'small', last?: Summary, onPlay: () => void, onChange: () => void }} props
 */
function GameCard({ kind, kindOf, last, onPlay, onChange }) {
  const name = kind.titles[lang() === 'en' ? 0 : 1];
  const choice = lastChoice(kind);
  const drawing = drawingOf(kind.id);
  const lead = kindOf === 'lead';
  const change = (/** @type {string} */ cls) => html`<button class=${cls} onClick=${onChange}>${t('lobby.change')}<span class="sr"> (${name})</span></button>`;
  return html`<article class=${`panel card ${kindOf}`} data-game=${kind.id}>
    ${kindOf === 'small' ? null : html`<div class="pic"><${drawing.Picture} view=${last?.view ?? drawing.sample ?? null} label=${name} /></div>`}
    <div class="card-tx"><h2>${name}</h2><p class="mut">${t(has(`about.${kind.id}`) ? `about.${kind.id}` : 'about.example')}</p>
      ${lead ? null : html`<p class="sm choice">${choiceLine(kind, choice)}</p>`}
      <div class="acts"><button class=${lead ? 'play pri' : 'play'} onClick=${onPlay}>${t('play')}<span class="sr"> ${name}</span></button>
        ${lead ? null : change('')}
        ${drawing.howto && html`<a class="btn quiet" href=${`#/howto/${kind.id}`}>${t('lobby.howto')}<span class="sr"> (${name})</span></a>`}</div></div>
    ${lead && html`<div class="choices"><dl>${choiceRows(kind, choice).map(([k, v]) => html`<dt key=${k}>${k}</dt><dd>${v}</dd>`)}</dl>${change('ic')}</div>`}</article>`;
}

/** Import by file, or by pasting into a field; dropping a file anywhere on the page works too. @param {{ onTake: (data: Blob | string) => void, onOpen: () => void }} props */
function ImportButton({ onTake, onOpen }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  return html`<button class="ic" onClick=${() => { onOpen(); setOpen(true); }}>${t('import')}</button>
    ${open && html`<${Dialog} title=${t('import')} onClose=${() => setOpen(false)}><p class="note">${t('import.text')}</p>
      <input ref=${file} type="file" hidden accept=".sgf,.jsonl,.json,.gz,.txt" aria-label=${t('import.file')} onChange=${(/** @type {any} */ e) => { const f = e.target.files[0]; if (f) { setOpen(false); onTake(f); } }} />
      <label class="f">${t('import.paste')}<textarea rows="5" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} spellcheck="false">
        </textarea></label>
      <div class="acts"><button onClick=${() => file.current?.click()}>${t('import.file')}</button>
        <button class="pri" disabled=${!text.trim()} onClick=${() => { setOpen(false); onTake(text); }}>${t('import.open')}</button></div><//>`}`;
}

/** @param {{ g: Summary, review: boolean, onOpen: () => void }} props */
function GameRow({ g, review, onOpen }) {
  const [menu, setMenu] = useState(false);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState(g.title);
  const heading = g.title || opponents(g.seats, g.yours, g.game);
  const kind = useStore(server).info?.games.find((k) => k.id === g.game);
  const yourTurn = g.turn !== null && g.yours.includes(g.turn) && g.phase === 'playing';
  const change = async (/** @type {import('../types').ChangeGame} */ c) => {
    try { await api.change(g.id, c); gamesChanged(); return true; } catch (e) { say(errorText(e)); return false; }
  };
  const remove = async () => {
    setMenu(false);
    if (await change({ deleted: true })) say(t('lobby.deleted', { name: heading }), { label: t('undo'), run: () => change({ deleted: false }) });
  };
  const state = g.broken ? html`<span class="tag mut">${t('lobby.broken')}</span>`
    : g.phase === 'over' ? html`<span class="tag done">${resultText(g.result, g.game, g.view) || t('st.over')}</span>`
    : yourTurn ? html`<span class="tag you"><span class="dot" aria-hidden="true"></span>${t('st.turn')}</span>` : html`<span class="tag mut">
      ${t(g.phase === 'scoring' ? 'lobby.scoring' : 'lobby.running')}</span>`;
  return html`<li class="panel">
    ${g.view ? html`<${drawingOf(g.game).Picture} view=${g.view} label="" />` : html`<span></span>`}
    <div class="tx"><a href=${`#/${review || g.phase === 'over' ? 'review' : 'game'}/${g.id}`}>${heading}</a>${state}
      <span class="mut sm">${kind ? `${kind.titles[lang() === 'en' ? 0 : 1]} · ` : ''}${t('lobby.moves', { n: g.ply })} · ${ago(g.updated)}</span></div>
    <button class="ic quiet" aria-label=${t('lobby.menu', { name: heading })} aria-haspopup="dialog" onClick=${() => { onOpen(); setMenu(true); }}>${Icon('more', 'dots')}</button>
    ${menu && html`<${Dialog} title=${heading} kind="menu" onClose=${() => setMenu(false)}>
      ${naming ? html`<form class="share" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); setMenu(false); setNaming(false); change({ title: name.trim() }); }}>
          <label class="f">${t('lobby.name')}<input maxlength="40" value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label>
          <div class="acts"><button type="button" onClick=${() => setNaming(false)}>${t('cancel')}</button><button class="pri">${t('lobby.rename')}</button>
            </div></form>`
        : html`<button onClick=${() => go(`#/game/${g.id}`)}>${t(g.phase === 'over' ? 'lobby.open' : 'lobby.resume')}</button>
          <button onClick=${() => go(`#/review/${g.id}`)}>${t('review')}</button>
          <button onClick=${() => setNaming(true)}>${t('lobby.rename')}</button>
          ${g.game === 'go' && html`<button onClick=${() => { setMenu(false); download(g.id, 'sgf'); }}>${t('menu.sgf')}</button>`}
          <button onClick=${() => { setMenu(false); download(g.id, 'jsonl'); }}>${t('menu.record')}</button>
          ${g.broken && html`<p class="note">${g.broken}</p>`}<hr />
          <button class="bad" onClick=${remove}>${t('lobby.delete')}</button>`}<//>`}</li>`;
}
