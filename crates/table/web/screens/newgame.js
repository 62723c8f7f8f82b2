// @ts-check
/** The choices of a new game: seats, board, rules, clock. */
import { html, useEffect, useState } from '../lib/html.js';
import { lang, num, t } from '../lib/i18n.js';
import { Dialog } from '../lib/a11y.js';
import { Field } from '../lib/fields.js';
import { api, errorText } from '../lib/api.js';
import { useAsked } from '../lib/asked.js';
import { say } from '../lib/frame.js';
import { load, save } from '../lib/store.js';
import { countsZi, seatColor } from '../lib/reasons.js';
import { Pip } from './panel.js';

/** @typedef {import('../types').GameKind} GameKind */
/** @typedef {import('../types').SeatSetting} SeatSetting */
/**
 * @typedef {object} Choice
 * @property {SeatSetting[]} seats
 * @property {Record<string, any>} rules
 * @property {import('../types').ClockSetting} clock
 * @property {boolean} hints
 */

/** What the person chose last; a game against level 5 when there is nothing yet. @param {GameKind} kind @returns {Choice} */
export function lastChoice(kind) {
  const computer = (/** @type {number} */ level) => /** @type {SeatSetting} */ ({ kind: 'computer', player: kind.example ? 'best' : `best:level=${level}` });
  const seats = Array.from({ length: kind.players_default }, (_, i) => (i === 0 ? /** @type {SeatSetting} */ ({ kind: 'here', name: '' }) : computer(5)));
  const first = { seats, rules: {}, clock: /** @type {Choice['clock']} */ ({ kind: 'none' }), hints: false };
  const kept = load(`last.${kind.id}`, /** @type {Choice | null} */ (null));
  return kept && Array.isArray(kept.seats) && kept.seats.length >= kind.players_min && kept.seats.length <= kind.players_max ? { ...first, ...kept } : first;
}

/** The level of a computer's spec, or `null` for another spec. @param {string} player */
export const levelOf = (player) => {
  const found = /^best(?::level=(\d+))?$/.exec(player);
  return found ? Number(found[1] ?? 5) : null;
};

/** Makes a game of these choices and remembers them. @param {GameKind} kind @param {Choice} choice @param {any} [setup] */
export async function start(kind, choice, setup) {
  const created = await api.create({ game: kind.id, seats: choice.seats, rules: choice.rules, clock: choice.clock, hints: choice.hints, ...(setup ? { setup } : {}) });
  if (!setup) save(`last.${kind.id}`, choice);
  if (!kind.example) save('recent', kind.id);
  return created;
}

/** The presets of Pao De Kuai and for how many players each is; the first is the default. */
const PRESETS = /** @type {[string, number[]][]} */ ([['classic16', [3]], ['classic15', [3]], ['hunan', [3]], ['free', [3]], ['strictshort', [3]], ['duel16', [2]], ['duel15', [2]], ['four13', [4]], ['zsy', [4]]]);

/** The rules in words. @param {GameKind} kind @param {Choice} c */
const rulesText = (kind, c) => t(kind.id === 'go' ? `rules.${c.rules.ruleset ?? 'chinese'}` : `preset.${c.rules.preset ?? PRESETS[0][0]}`);

/** @param {Choice} c */
function sizeText(c) {
  const size = c.rules.size ?? 19;
  return Array.isArray(size) ? t('size.oblong', { w: size[0], h: size[1] }) : t('size.square', { n: size, x: size });
}

/** Who the others are: equal computers are told once, with their number. @param {GameKind} kind @param {Choice} c */
function othersText(kind, c) {
  const names = c.seats.filter((s) => s.kind !== 'here').map((s) => (s.kind === 'link' ? t('seatkind.link') : levelOf(s.player) === null ? s.player : kind.example ? t('seat.program') : t('seat.computer', { level: levelOf(s.player) ?? 5 })));
  return [...new Set(names)].map((name) => { const n = names.filter((x) => x === name).length; return n > 1 ? t('choice.times', { x: n, name }) : name; }).join(', ') || t('choice.here');
}

/** The choices in one line. @param {GameKind} kind @param {Choice} c */
export function choiceLine(kind, c) {
  const mine = c.seats.flatMap((s, i) => (s.kind === 'here' ? [i] : []));
  const parts = kind.id === 'go' ? [sizeText(c)] : kind.example ? [] : [t('choice.players', { n: c.seats.length }), rulesText(kind, c)];
  if (kind.id === 'go' && mine.length === 1) parts.push(t('choice.you', { who: seatColor('go', mine[0]) }));
  return [...parts, othersText(kind, c)].join(' · ');
}

/** The choices as rows of a list. @param {GameKind} kind @param {Choice} c @returns {[string, string][]} */
export function choiceRows(kind, c) {
  const here = c.seats.flatMap((s, i) => (s.kind === 'here' ? [i] : []));
  return [
    ...(kind.id === 'go' ? /** @type {[string, string][]} */ ([[t('card.board'), sizeText(c)], [t('card.colour'), here.length === 1 ? seatColor(kind.id, here[0]) : t(here.length ? 'card.both' : 'card.none')]])
      : /** @type {[string, string][]} */ ([[t('card.players'), num(c.seats.length)]])),
    [t('card.opponent'), othersText(kind, c)],
    ...(kind.example ? [] : /** @type {[string, string][]} */ ([[t('card.rules'), rulesText(kind, c)]])),
    [t('card.clock'), t(`clock.${c.clock.kind}`)],
  ];
}

const RULESETS = ['chinese', 'japanese', 'korean', 'aga', 'new-zealand', 'tromp-taylor', 'bga', 'aga-button', 'stone-scoring', 'chinese-ogs', 'chinese-kgs'];
const SIZES = [9, 13, 19];

/**
 * @param {{ kind: GameKind, onClose: () => void, onStart: (created: import('../types').Created, still: () => boolean) => void }} props
 *   `still` tells whether the dialog was still open when the game was made
 */
export function NewGame({ kind, onClose, onStart }) {
  const [c, setC] = useState(() => lastChoice(kind));
  const [view, setView] = useState(/** @type {any} */ (null));
  const [most, setMost] = useState(9);
  const [error, setError] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const go = kind.id === 'go';
  const rules = (/** @type {Record<string, any>} */ change) => setC((/** @type {Choice} */ old) => {
    const next = { ...old.rules, ...change };
    // Komi follows the board, the rules and the handicap unless it is chosen after them.
    if (!('komi' in change)) delete next.komi;
    for (const k of Object.keys(next)) if (next[k] === undefined) delete next[k];
    return { ...old, rules: next };
  });
  useEffect(() => {
    // Only Go's rules lead to something that is shown here.
    if (!go) return undefined;
    let live = true;
    api.defaults(kind.id, c.rules).then((d) => { if (live) { setView(d.view); setMost(d.max_handicap ?? 0); setError(null); } }, (e) => live && setError(e));
    return () => { live = false; };
  }, [JSON.stringify(c.rules)]);

  const seat = (/** @type {number} */ i, /** @type {SeatSetting} */ s) => setC({ ...c, seats: c.seats.map((old, j) => (j === i ? s : old)) });
  const preset = c.rules.preset ?? PRESETS[0][0];
  // Rules and the number of seats follow each other.
  const count = (/** @type {number} */ n, /** @type {string} */ wanted = preset) => {
    const name = kind.id !== 'paodekuai' || PRESETS.some(([p, for_]) => p === wanted && for_.includes(n)) ? wanted : PRESETS.find(([, for_]) => for_.includes(n))?.[0];
    const seats = Array.from({ length: n }, (_, i) => c.seats[i] ?? c.seats[c.seats.length - 1]);
    const { preset: _, ...others } = c.rules;
    setC({ ...c, seats, rules: kind.id !== 'paodekuai' || name === PRESETS[0][0] ? others : { ...others, preset: name } });
  };
  const persons = c.seats.filter((s) => s.kind !== 'computer').length;
  const asked = useAsked();
  const submit = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const still = asked();
    setBusy(true);
    try { onStart(await start(kind, c), still); } catch (err) {
      if (still()) { setError(err); setBusy(false); } else say(errorText(err));
    }
  };
  const size = c.rules.size ?? 19;
  const square = !Array.isArray(size);
  const other = !square || !SIZES.includes(size);
  const setSize = (/** @type {string} */ text) => {
    const found = text.split(/[x×,\s]+/i).map(Number).filter((n) => n >= 2 && n <= 25);
    if (found.length) rules({ size: found.length > 1 && found[0] !== found[1] ? [found[0], found[1]] : found[0], handicap: undefined });
  };
  const clock = c.clock;
  const komi = c.rules.komi ?? view?.komi ?? '';
  // As the header of the table says it.
  const zi = countsZi({ ruleset: c.rules.ruleset ?? 'chinese' });
  const minutes = (/** @type {string} */ text) => Math.max(1, Math.round(Number(text) * 60)) * 1000;

  return html`<${Dialog} title=${t('new.title', { game: kind.titles[lang() === 'en' ? 0 : 1] })} onClose=${onClose}><form class="form" onSubmit=${submit}>
    <fieldset class="w"><legend>${t('new.seats')}</legend>
      ${c.seats.map((s, i) => html`<${SeatChoice} key=${i} kind=${kind} i=${i} s=${s} onSeat=${(/** @type {SeatSetting} */ n) => seat(i, n)} />`)}
      <div class="seg">${c.seats.length === 2 && html`<button type="button" class="ic" onClick=${() => setC({ ...c, seats: [c.seats[1], c.seats[0]] })}>
        ${t(go ? 'new.swap' : 'new.swap.seats')}</button>`}
        ${kind.players_max > kind.players_min && html`<button type="button" class="ic" disabled=${c.seats.length >= kind.players_max} onClick=${() => count(c.seats.length + 1)}>${t('new.more')}</button>
        <button type="button" class="ic" disabled=${c.seats.length <= kind.players_min} onClick=${() => count(c.seats.length - 1)}>
          ${t('new.fewer')}</button>`}</div></fieldset>
    ${go && html`<fieldset class="w"><legend>${t('new.size')}</legend><div class="seg">
      ${SIZES.map((n) => html`<button type="button" key=${n} aria-pressed=${square && size === n ? 'true' : 'false'} onClick=${() => rules({ size: n === 19 ? undefined : n, handicap: undefined })}>${t('size.square', { n, x: n })}</button>`)}
        <button type="button" aria-pressed=${other ? 'true' : 'false'} onClick=${() => rules({ size: 7, handicap: undefined })}>${t('new.othersize')}</button>
          </div></fieldset>
      ${other && html`<label class="f w">${t('new.sizetext')}
        <${Field} value=${square ? size : size.join('×')} onDone=${setSize} inputmode="numeric" /></label>`}
      <label class="f">${t('new.rules')}
        <select value=${c.rules.ruleset ?? 'chinese'} onChange=${(/** @type {any} */ e) => rules({ ruleset: e.target.value === 'chinese' ? undefined : e.target.value })}>${RULESETS.map((r) => html`<option key=${r} value=${r} selected=${r === (c.rules.ruleset ?? 'chinese')}>${t(`rules.${r}`)}</option>`)}</select></label>
      <label class="f">${t(zi ? 'new.komi.zi' : 'new.komi')}
        <${Field} key=${zi ? 'zi' : 'points'} type="number" step=${zi ? '0.125' : '0.25'} value=${komi === '' ? '' : komi / (zi ? 2 : 1)}
        onDone=${(/** @type {string} */ text) => rules({ komi: text === '' ? undefined : Number(text) * (zi ? 2 : 1) })} /></label>
      <label class="f">${t('new.handicap')}
        <select value=${c.rules.handicap ?? 0} onChange=${(/** @type {any} */ e) => rules({ handicap: Number(e.target.value) || undefined })}><option value="0">
        ${t('new.nohandicap')}</option>
        ${Array.from({ length: Math.max(0, most - 1) }, (_, i) => html`<option key=${i} value=${i + 2} selected=${c.rules.handicap === i + 2}>
        ${t('stones', { n: i + 2 })}</option>`)}</select></label>`}
    ${kind.id === 'paodekuai' && html`<label class="f">${t('new.rules')}
        <select value=${preset} onChange=${(/** @type {any} */ e) => count(PRESETS.find(([p]) => p === e.target.value)?.[1][0] ?? 3, e.target.value)}>
        ${PRESETS.map(([p, [n]]) => html`<option key=${p} value=${p} selected=${p === preset}>${t(`preset.${p}`)} · ${t('choice.players', { n })}</option>`)}</select></label>
      <label class="f">${t('new.deals')}
        <select value=${c.rules.deals ?? 1} onChange=${(/** @type {any} */ e) => rules({ deals: e.target.value === '1' ? undefined : Number(e.target.value) })}>
        ${[1, 2, 4, 6, 10, 20].map((n) => html`<option key=${n} value=${n} selected=${n === (c.rules.deals ?? 1)}>${num(n)}</option>`)}</select></label>`}
    <label class="f">${t('new.clock')}
      <select value=${clock.kind} onChange=${(/** @type {any} */ e) => setC({ ...c, clock: e.target.value === 'none' ? { kind: 'none' } : e.target.value === 'absolute' ? { kind: 'absolute', main_ms: 600000 } : { kind: 'fischer', main_ms: 300000, increment_ms: 10000 } })}>
      ${['none', 'absolute', 'fischer'].map((k) => html`<option key=${k} value=${k} selected=${clock.kind === k}>${t(`clock.${k}`)}</option>`)}</select></label>
    ${clock.kind !== 'none' && html`<label class="f">${t('new.minutes')}
      <${Field} type="number" min="0.1" step="any" value=${clock.main_ms / 60000} onDone=${(/** @type {string} */ text) => setC({ ...c, clock: { ...clock, main_ms: minutes(text) } })} /></label>`}
    ${clock.kind === 'fischer' && html`<label class="f">${t('new.increment')}
      <${Field} type="number" min="0" step="1" value=${clock.increment_ms / 1000} onDone=${(/** @type {string} */ text) => setC({ ...c, clock: { ...clock, increment_ms: Math.max(0, Number(text)) * 1000 } })} /></label>`}
    ${persons > 1 && html`<label class="ck w">
      <input type="checkbox" checked=${c.hints} onChange=${(/** @type {any} */ e) => setC({ ...c, hints: e.target.checked })} />${t('new.hints')}</label>`}
    ${error && html`<p class="err w" role="alert">${errorText(error)}</p>`}
    <div class="acts w"><button type="button" onClick=${onClose}>${t('cancel')}</button><button class="pri" disabled=${busy}>${t('new.start')}</button></div>
      </form><//>`;
}

/** @param {{ kind: GameKind, i: number, s: SeatSetting, onSeat: (s: SeatSetting) => void }} props */
function SeatChoice({ kind, i, s, onSeat }) {
  const level = s.kind === 'computer' ? levelOf(s.player) : null;
  const what = s.kind === 'computer' ? (level === null ? 'spec' : 'computer') : s.kind;
  const who = seatColor(kind.id, i);
  const change = (/** @type {string} */ to) => {
    const name = s.kind === 'computer' ? '' : s.name;
    if (to === 'computer') onSeat({ kind: 'computer', player: kind.example ? 'best' : 'best:level=5' });
    else if (to === 'spec') onSeat({ kind: 'computer', player: 'uct:time=1s' });
    else onSeat({ kind: to === 'link' ? 'link' : 'here', name });
  };
  return html`<div class="seatrow"><${Pip} game=${kind.id} seat=${i} size=${24} />
    <label class="f">${who}<select value=${what} onChange=${(/** @type {any} */ e) => change(e.target.value)}>
      ${['here', 'link', 'computer', 'spec'].map((k) => html`<option key=${k} value=${k} selected=${k === what}>${t(`seatkind.${k}`)}</option>`)}</select></label>
    ${s.kind === 'computer' ? (level === null || kind.example
      ? html`<label class="f">${t('new.spec')}
        <${Field} value=${s.player} onDone=${(/** @type {string} */ text) => onSeat({ kind: 'computer', player: text })} spellcheck="false" autocapitalize="off" /></label>`
      : html`<label class="f">${t('new.level')}
        <select value=${level} onChange=${(/** @type {any} */ e) => onSeat({ kind: 'computer', player: `best:level=${e.target.value}` })}>
        ${Array.from({ length: 10 }, (_, n) => html`<option key=${n} value=${n + 1} selected=${level === n + 1}>
        ${t('new.leveln', { x: num(n + 1) })}</option>`)}</select></label>`)
      : html`<label class="f">${t('new.name')}
        <input maxlength="40" value=${s.name} onInput=${(/** @type {any} */ e) => onSeat({ kind: s.kind, name: e.target.value })} autocomplete="off" />
        </label>`}</div>`;
}
