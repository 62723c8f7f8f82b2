// @ts-check
/** The graph of a game: a line with its error band, a baseline, mistakes, and one cursor that is a slider. */
import { html, useRef } from './html.js';
import { num, t } from './i18n.js';
import { useWidth } from './board.js';

/**
 * @typedef {object} ChartPoint
 * @property {number} x the move's number
 * @property {number} y
 * @property {number} error standard error of `y`
 */
/**
 * @param {object} p
 * @param {ChartPoint[]} p.points in order of `x`
 * @param {number} p.last the last move's number
 * @param {number} p.at the cursor
 * @param {((at: number) => void) | null} p.onAt without it the graph is a picture, not a slider
 * @param {'rate' | 'points'} p.unit
 * @param {{ x: number, mine: boolean }[]} p.slips significant losses: a triangle for mine, a ring for theirs
 * @param {(at: number) => string} p.say a move in words
 * @param {number} [p.base] the baseline
 * @param {string} p.label
 * @param {number} [p.height]
 */
export function Chart({ points, last, at, onAt, unit, slips, say, base = unit === 'rate' ? 0.5 : 0, label, height = 118 }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const width = useWidth(box, 404);
  const [left, right, top, bottom] = [38, 12, 10, height - 22];
  const n = Math.max(last, 1);
  let [low, high] = [base, base];
  for (const p of points) {
    low = Math.min(low, p.y - p.error);
    high = Math.max(high, p.y + p.error);
  }
  // The axis is symmetric about the baseline and never finer than what an estimate can tell.
  const least = unit === 'rate' ? 0.3 : 6;
  const steps = unit === 'rate' ? [0.3, 0.4, 0.5] : [6, 12, 20, 40, 80, 160, 400];
  const wide = Math.max(least, high - base, base - low);
  const reach = steps.find((s) => s >= wide - 1e-9) ?? wide;
  const X = (/** @type {number} */ x) => left + (x / n) * (width - left - right);
  const Y = (/** @type {number} */ y) => bottom - ((Math.max(base - reach, Math.min(base + reach, y)) - base + reach) / (2 * reach)) * (bottom - top);
  const fix = (/** @type {number} */ v) => v.toFixed(1);
  const up = points.map((p) => `${fix(X(p.x))} ${fix(Y(p.y + p.error))}`);
  const down = points.map((p) => `${fix(X(p.x))} ${fix(Y(p.y - p.error))}`).reverse();
  const line = points.map((p) => `${fix(X(p.x))} ${fix(Y(p.y))}`).join('L');
  const here = points.find((p) => p.x === at) ?? null;
  const name = (/** @type {number} */ v) => (unit === 'rate' ? `${num(100 * v)}%` : (v > 0 ? '+' : '') + num(v));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((s) => n / s <= 7) ?? n;
  const ticks = [];
  for (let x = 0; x <= n; x += step) ticks.push(x);
  const move = (/** @type {number} */ to) => onAt?.(Math.max(0, Math.min(last, to)));
  const onKeyDown = (/** @type {KeyboardEvent} */ e) => {
    /** @type {Record<string, number>} */
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10, Home: 0, End: last };
    if (!(e.key in to) || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    move(to[e.key]);
  };
  const scrub = (/** @type {PointerEvent} */ e) => {
    if (e.type === 'pointermove' && !(e.buttons & 1)) return;
    const rect = /** @type {HTMLElement} */ (box.current).getBoundingClientRect();
    if (e.type === 'pointerdown') box.current?.setPointerCapture(e.pointerId);
    move(Math.round(((e.clientX - rect.left - left) / (rect.width - left - right)) * n));
  };
  const role = onAt ? { role: 'slider', tabindex: 0, 'aria-valuemin': 0, 'aria-valuemax': last, 'aria-valuenow': at, 'aria-valuetext': say(at), onKeyDown, onPointerDown: scrub, onPointerMove: scrub }
    : { role: 'img' };
  return html`<div ref=${box} class=${onAt ? 'chart' : 'chart still'} aria-label=${label} ...${role}>
    <svg width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
      ${[base - reach, base, base + reach].map((v, i) => html`<path class=${`g ${i === 1 ? 'base' : ''}`} d=${`M${left} ${Y(v)}H${width - right}`} />
        <text x=${left - 6} y=${Y(v) + 4} text-anchor="end">${name(v)}</text>`)}
      ${ticks.map((x) => html`<text key=${x} x=${X(x)} y=${height - 5} text-anchor="middle">${x}</text>`)}
      ${points.length > 1 && html`<path class="band" d=${`M${up.join('L')}L${down.join('L')}Z`} /><path class="ln" d=${`M${line}`} />`}
      ${slips.map((s) => {
        // Of three seats the line has no point of its own at the moves of the others.
        const [a, b] = [points.filter((q) => q.x <= s.x).pop(), points.find((q) => q.x >= s.x)];
        const [p, q] = [a ?? b, b ?? a];
        if (!p || !q) return null;
        const [x, y] = [X(s.x), Y(p.x === q.x ? p.y : p.y + ((q.y - p.y) * (s.x - p.x)) / (q.x - p.x))];
        return s.mine ? html`<path key=${s.x} class="mist" d=${`M${x} ${y + 2}l7 11h-14z`} />` : html`<circle key=${s.x} class="slip" cx=${x} cy=${y} r="5" />`;
      })}
      <path class="cur" d=${`M${X(at)} ${top}V${bottom}`} />
      ${here && html`<circle class="knob" cx=${X(at)} cy=${Y(here.y)} r="5.5" />`}
    </svg>
    ${points.length < 2 && html`<p class="sr">${t('graph.none')}</p>`}</div>`;
}
