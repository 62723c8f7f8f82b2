// @ts-check
/** Parts of the panel that table and review share: seats, candidates, reasons, moves. */
import { html, useEffect, useRef } from '../lib/html.js';
import { clockText, num, pct, signed, t } from '../lib/i18n.js';
import { Icon } from '../lib/a11y.js';
import { measured, moveText, pointsText, reasonSign, seatColor, seeksPoints, sentence } from '../lib/reasons.js';

/** @typedef {import('../types').CandidateData} Candidate */
export const LETTERS = 'ABCDE';

/** Whose mistake a move was, if it was one. @typedef {'mine' | 'theirs' | ''} Slip */

/** A triangle for one's own mistake, a ring for another's. @param {Slip | undefined} slip */
export const slipSign = (slip) => (slip ? html` <span class=${slip === 'mine' ? 'mk' : 'rg'} aria-hidden="true">${slip === 'mine' ? '▲' : '○'}</span><span class="sr"> ${t('mistake')}</span>` : null);

/** The colour and shape of a seat. @param {{ game: string, seat: number, size?: number }} props */
export function Pip({ game, seat, size = 20 }) {
  const shape = game === 'go' ? html`<rect class="plate" width="20" height="20" rx="4" /><circle class=${`s${seat}`} cx="10" cy="10" r="8.8" />`
    : html`<path class=${`q q${seat % 4}`} d=${['M3.500 3.500h13v13h-13z', 'M10 2l8 15H2z', 'M10 2a8 8 0 010 16 8 8 0 010-16z', 'M10 1.500l8.500 8.500-8.500 8.500L1.500 10z'][seat % 4]} />`;
  return html`<svg class="pip" width=${size} height=${size} viewBox="0 0 20 20" aria-hidden="true">${shape}</svg>`;
}

/**
 * @param {{ clock: import('../types').ClockState, seat: number, heard: number, now: number }} props
 */
export function Clock({ clock, seat, heard, now }) {
  if (clock.setting.kind === 'none') return html`<span class="clk mut" aria-label=${t('clock.none')} role="img">∞</span>`;
  const left = clock.left_ms[seat] - (clock.running === seat ? now - heard : 0);
  return html`<span class=${`clk ${left < 20000 ? 'low' : ''}`} role="timer" aria-label=${t('clock.left', { time: clockText(left) })}>${clockText(left)}</span>`;
}

/**
 * @param {{ game: string, seat: number, name: string, captured: number | null, turn: boolean, cls: string, children?: any, note?: string }} props
 */
export function SeatRow({ game, seat, name, captured, turn, cls, children, note }) {
  return html`<div class=${`${cls} ${turn ? 'turn' : ''}`}>${html`<${Pip} game=${game} seat=${seat} />`}
    <span class="nm">${name}<span class="sr">, ${seatColor(game, seat)}</span></span>
    ${note ? html`<span class="mut sm cap">${note}</span>` : captured !== null && html`<span class="mut sm cap">${t('captured', { n: captured })}</span>`}
    <span class="sp"></span>${children}</div>`;
}

/** What candidates are compared by: the chance to win, or points. @param {Candidate} c @param {boolean} inPoints */
const worth = (c, inPoints) => (inPoints && c.points ? c.points : c.win_rate);

/** A candidate's worth and its error on an axis common to all. @param {{ c: Candidate, low: number, high: number, inPoints: boolean }} props */
function Axis({ c, low, high, inPoints }) {
  const x = (/** @type {number} */ v) => Math.max(0, Math.min(100, (100 * (v - low)) / (high - low)));
  const { mean, error } = worth(c, inPoints);
  const even = inPoints ? 0 : 0.5;
  const bound = c.win_rate.error >= 0.5;
  return html`<svg class="ax" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true"><path class="tr" d="M0 10H100" />
    ${low < even && high > even && html`<path class="mid" d=${`M${x(even)} 2V18`} />`}
    ${!bound && html`<path class="wh" d=${`M${x(mean - 2 * error)} 10H${x(mean + 2 * error)}`} />`}
    <path class="pt" d=${`M${Math.max(0, x(mean) - 2)} 10h4`} /></svg>`;
}

/** The ends of the axis: all means with two errors, at least twenty per cent or ten points wide. @param {Candidate[]} list @param {boolean} inPoints */
function axisEnds(list, inPoints) {
  let [low, high] = [Infinity, -Infinity];
  for (const c of list) {
    const { mean, error } = worth(c, inPoints);
    const e = c.win_rate.error >= 0.5 ? 0.02 : 2 * error;
    low = Math.min(low, mean - e);
    high = Math.max(high, mean + e);
  }
  const mid = (low + high) / 2;
  const half = Math.max(inPoints ? 5 : 0.1, (high - low) / 2 + 0.01);
  return inPoints ? [mid - half, mid + half] : [Math.max(-0.02, mid - half), Math.min(1.02, mid + half)];
}

/** A candidate's worth in figures. @param {Candidate} c @param {boolean} inPoints */
function worthText(c, inPoints) {
  if (inPoints && c.points) return { text: signed(c.points.mean), error: c.proven || c.points.error === 0 ? '' : num(c.points.error, 1) };
  if (c.proven) return { text: pct(c.win_rate.mean, 0), error: '' };
  if (c.win_rate.error >= 0.5) return { text: t('cand.bound', { x: pct(c.win_rate.mean, 1) }), error: '' };
  return { text: pct(c.win_rate.mean, 1), error: num(100 * c.win_rate.error, 1) };
}

/** The loss against the best, short. @param {Candidate} c @param {boolean} [unit] */
export const lossText = (c, unit = false) => {
  const v = c.loss_in_points ? -c.loss.mean : -100 * c.loss.mean;
  const text = num(v, 1);
  // On the board there is room for three figures beside the sign.
  return unit ? (c.loss_in_points ? pointsText(text, 0) : `${text} %`) : num(v, v <= -9.95 ? 0 : 1);
};

/**
 * @param {{ list: Candidate[], sel: number, onSel: (i: number) => void, onLook: (i: number | null) => void, onPlay?: (action: string) => void }} props
 */
export function Candidates({ list, sel, onSel, onLook }) {
  const shown = list.slice(0, 3);
  const inPoints = seeksPoints() && shown.every((c) => c.points);
  const [low, high] = axisEnds(shown, inPoints);
  const figures = shown.map((c) => worthText(c, inPoints));
  return html`<div class="cands" role="group" aria-label=${t('cand.label')}>${shown.map((c, i) => html`
    <button key=${c.action} class=${`cand ${i === sel ? 'sel' : ''}`} aria-pressed=${i === sel ? 'true' : 'false'}
      onClick=${() => onSel(i)} onFocus=${() => onLook(i)} onBlur=${() => onLook(null)} onMouseEnter=${() => onLook(i)} onMouseLeave=${() => onLook(null)}>
      <span class=${`badge ${i === 0 ? 'best' : ''}`}>${LETTERS[i]}</span><b>${moveText(c.action)}</b>
      <${Axis} c=${c} low=${low} high=${high} inPoints=${inPoints} />
      <span>${figures[i].text}${figures[i].error && html` <span class="mut sm e">±${figures[i].error}</span>`}</span>
      <span class="mut r">${lossText(c, true)}</span></button>`)}</div>`;
}

/**
 * Why a move is good: at most three sentences at first. Each leads to its place on the board.
 * @param {{ c: Candidate, seat: number, focus: number, onFocus: (i: number) => void, all: boolean, onAll: () => void, done?: boolean }} props `done`: no more will come
 */
export function Reasons({ c, seat, focus, onFocus, all, onAll, done = true }) {
  const list = all ? c.reasons : c.reasons.slice(0, 3);
  return html`<div class="why"><ul>${list.map((r, i) => html`<li key=${`${r.code}${i}`}>
      <button class="rs" aria-pressed=${focus === i ? 'true' : 'false'} onFocus=${() => onFocus(i)} onMouseEnter=${() => onFocus(i)} onClick=${() => onFocus(i)}>
        <span class="sig" aria-hidden="true">${reasonSign(r.code)}</span><span>${sentence(r, moveText(c.action), seat)}</span></button></li>`)}</ul>
    ${c.reasons.length === 0 && html`<p class="mut">${t(done ? 'why.nothing' : 'why.none')}</p>`}
    ${!all && c.reasons.length > 3 && html`<button class="link" onClick=${onAll}>${t('why.more')}</button>`}</div>`;
}

/**
 * The moves in one line, the last one in view.
 * @param {{ game: string, moves: { by: number | null, action: string, no: number, mistake?: Slip }[], at: number, onAt?: (no: number) => void, shown?: boolean }} props `shown` tells when a hidden line comes into view
 */
export function Moves({ game, moves, at, onAt, shown: visible = true }) {
  const ref = useRef(/** @type {HTMLDivElement | null} */ (null));
  const marked = moves.filter((m) => m.mistake).length;
  useEffect(() => {
    const box = ref.current;
    const cur = /** @type {HTMLElement | null} */ (box?.querySelector('.cur') ?? null);
    if (box && cur) box.scrollLeft = cur.offsetLeft - box.clientWidth + cur.offsetWidth + 60;
  }, [at, moves.length, visible, marked]);
  const shown = onAt ? moves : moves.slice(-60);
  return html`<div class="mvs" ref=${ref} role="group" aria-label=${t('moves.label')} tabindex=${onAt || shown.length === 0 ? undefined : 0}>${shown.map((m) => {
    const inner = html`<${Pip} game=${game} seat=${m.by ?? 0} size=${13} /><span class="mut">
      ${m.no}</span> ${moveText(m.action)}${slipSign(m.mistake)}`;
    const cls = m.no === at ? 'mv cur' : 'mv';
    return onAt ? html`<button key=${m.no} class=${cls} aria-current=${m.no === at ? 'step' : undefined} onClick=${() => onAt(m.no)}>
      ${inner}</button>` : html`<span key=${m.no} class=${cls}>${inner}</span>`;
  })}${moves.length === 0 && html`<span class="mut sm">${t('moves.none')}</span>`}</div>`;
}

/** @typedef {{ by: number | null, action: string, no: number, mistake?: Slip }} Listed */

/** Moves by pairs: number, first, second. @param {Listed[]} moves @returns {[number, Listed, Listed | undefined][]} */
function pairs(moves) {
  /** @type {[number, Listed, Listed | undefined][]} */
  const list = [];
  for (let i = 0; i < moves.length; i += 2) list.push([i + 1, moves[i], moves[i + 1]]);
  return list;
}

/**
 * All moves as a list, on wide screens left of the board.
 * @param {{ moves: Listed[], at: number, onAt?: (no: number) => void }} props
 */
export function MoveTree({ moves, at, onAt }) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const [box, cur] = [ref.current, ref.current?.querySelector('[aria-current]')];
    if (box && cur instanceof HTMLElement) box.scrollTop = cur.offsetTop - box.clientHeight / 2;
  }, [at, moves.length]);
  const entry = (/** @type {Listed | undefined} */ m) => {
    if (!m) return html`<span></span>`;
    const current = m.no === at ? 'step' : undefined;
    const inner = html`${moveText(m.action)}${slipSign(m.mistake)}`;
    return onAt ? html`<button aria-current=${current} onClick=${() => onAt(m.no)}>${inner}</button>` : html`<span class="mv" aria-current=${current}>
      ${inner}</span>`;
  };
  return html`<nav class="tree panel" ref=${ref} aria-label=${t('moves.list')} tabindex=${onAt ? undefined : 0}><ol>
    ${pairs(moves).map(([no, a, b]) => html`<li key=${no}><span class="no">${no}</span>${entry(a)}${entry(b)}</li>`)}</ol></nav>`;
}

/**
 * The count of both sides as a table.
 * @param {{ count: import('../types').GoCount }} props
 */
export function CountTable({ count }) {
  const rows = /** @type {(keyof import('../types').SideCount)[]} */ (['stones', 'territory', 'prisoners', 'group_tax', 'handicap', 'komi']);
  const [b, w] = count.sides;
  return html`<table class="count"><thead><tr><td></td><th scope="col">${t('seat.go.0')}</th><th scope="col">${t('seat.go.1')}</th></tr></thead><tbody>
    ${rows.filter((k) => b[k] !== 0 || w[k] !== 0).map((k) => html`<tr key=${k}><th scope="row">${t(`count.${k}`)}</th>${[b, w].map((s) => html`<td>
      ${number(k === 'group_tax' ? -s[k] : s[k])}</td>`)}</tr>`)}
    <tr class="sum"><th scope="row">${t('count.total')}</th>${[b, w].map((s) => html`<td>${number(s.total)}</td>`)}</tr></tbody></table>`;
}

/** @param {number} x */
const number = (x) => (x === 0 ? '–' : num(x, x % 1 === 0 ? 0 : x % 0.5 === 0 ? 1 : 2));

/** Win rate and lead of a position in a few words. @param {Candidate} c @param {number} seat @param {string} game */
export function verdict(c, seat, game) {
  if (seeksPoints() && c.points) return { rate: pointsText(measured(c.points), 0), lead: '' };
  const rate = pct(c.win_rate.mean, 0);
  if (!c.points) return { rate, lead: '' };
  const black = game === 'go' && seat === 1 ? { mean: -c.points.mean, error: c.points.error } : c.points;
  return { rate, lead: game === 'go' ? t('lead.black', { x: measured(black) }) : signed(black.mean) };
}

/** A button with a drawing and a short word. @param {{ icon: string, label: string, onClick: () => void, disabled?: boolean }} p */
export const IconButton = ({ icon, label, onClick, disabled }) => html`<button class="ic" aria-label=${label} title=${label} disabled=${disabled} onClick=${onClick}>${Icon(icon, 'fill')}</button>`;
