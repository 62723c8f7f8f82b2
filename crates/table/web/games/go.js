// @ts-check
/** Go: its notation and its drawing. Colours come from the style sheet; everything here is shapes. */
import { html, useRef } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { CELL, COORDS, GridBoard, useWidth } from '../lib/board.js';

/** Column letters, without I. */
const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

/** @param {number} col @param {number} row from the top @param {number} height */
export const pointName = (col, row, height) => `${LETTERS[col]}${height - row}`;

/**
 * Column and row (from the top) of a point; `null` for a pass or nonsense.
 * @param {string} at
 * @param {number} height
 * @returns {[number, number] | null}
 */
export function pointOf(at, height) {
  const found = /^([A-HJ-Z])(\d+)$/i.exec(at);
  if (!found) return null;
  return [LETTERS.indexOf(found[1].toUpperCase()), height - Number(found[2])];
}

/**
 * The part of the board that most of these points are in: a corner, a side or the centre. Named so, an area does not give its best point away.
 * @param {string[]} places
 * @param {[number, number]} size
 */
export function regionOf(places, [w, h]) {
  const points = places.map((at) => pointOf(at, h)).filter((p) => p !== null);
  const third = (/** @type {number} */ i, /** @type {number} */ n) => {
    const list = points.map((p) => p[i]);
    const middle = ((Math.min(...list) + Math.max(...list)) / 2 + 0.5) / n;
    return middle < 0.4 ? 0 : middle > 0.6 ? 2 : 1;
  };
  return points.length ? t(`hint.region.${third(1, h) * 3 + third(0, w)}`) : '';
}

/** @param {number} n */
function stars(n) {
  if (n < 5 || n % 2 === 0) return n >= 8 ? [n < 12 ? 2 : 3, n - 1 - (n < 12 ? 2 : 3)] : [];
  if (n < 8) return [(n - 1) / 2];
  const d = n < 12 ? 2 : 3;
  return [d, (n - 1) / 2, n - 1 - d];
}

/** The star points of a board as column and row. @param {number} w @param {number} h @returns {[number, number][]} */
export function starPoints(w, h) {
  /** @type {[number, number][]} */
  const points = [];
  const [mx, my] = [(w - 1) / 2, (h - 1) / 2];
  for (const c of stars(w)) {
    for (const r of stars(h)) {
      // Small boards have the four corners and the centre only.
      const edge = (c === mx) !== (r === my);
      if (!(edge && (w < 15 || h < 15))) points.push([c, r]);
    }
  }
  return points;
}

/**
 * @typedef {object} Mark
 * @property {string} at
 * @property {string} letter
 * @property {string} text a figure under the letter, short
 * @property {boolean} best
 * @property {boolean} [on] it is the one in focus
 */
/**
 * @typedef {object} GoDrawing
 * @property {[number, number]} size
 * @property {string[]} rows from the top, `X` black, `O` white, `.` empty
 * @property {string | null} [last]
 * @property {number[] | null} [ownership] by row from the top, 1 Black's, −1 White's
 * @property {string[]} [dead]
 * @property {Mark[]} [marks]
 * @property {{ at: string, seat: number, n: number }[]} [line] moves to come
 * @property {{ points: string[], chip: string } | null} [subject] what a sentence is about
 * @property {{ at: string, seat: number, state: string } | null} [pending] own move on its way
 * @property {string[]} [area] points to look at first
 * @property {string[]} [ko]
 */

const stone = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ seat, cls = '', key = '') =>
  seat === 0
    ? html`<circle key=${key} class=${`stone b ${cls}`} cx=${x} cy=${y} r="18.6" fill="url(#stone-b)" />`
    : html`<circle key=${key} class=${`stone w ${cls}`} cx=${x} cy=${y} r="18.3" fill="url(#stone-w)" />`;

/** @param {string} text */
const textWidth = (text) => [...text].reduce((w, c) => w + (c > '\u2e80' ? 17.5 : c === ' ' || c === '\u00a0' ? 6 : 11), 26);

/** The place of a chip: near its subject, on ground as empty as possible. */
function chipPlace(/** @type {[number, number]} */ from, /** @type {number} */ wide, /** @type {[number, number][]} */ taken, /** @type {number} */ w, /** @type {number} */ h) {
  let best = { cost: Infinity, x: 0, y: 0 };
  for (const dy of [86, -86, 126, -126, 46, -46, 166, -166]) {
    for (const dx of [0, 110, -110, 60, -60, 170, -170]) {
      const [x, y] = [from[0] + dx, from[1] + dy];
      if (x - wide / 2 < 4 || x + wide / 2 > w - 4 || y < 20 || y > h - 20) continue;
      let cost = Math.hypot(dx, dy) / 60;
      for (const [tx, ty] of taken) {
        if (Math.abs(tx - x) < wide / 2 + 16 && Math.abs(ty - y) < 32) cost += 3;
      }
      if (cost < best.cost) best = { cost, x, y };
    }
  }
  return best.cost === Infinity ? { x: Math.min(Math.max(from[0], wide / 2 + 4), w - wide / 2 - 4), y: Math.max(from[1] - 50, 20) } : best;
}

/** The border of a set of points as a path. @param {[number, number][]} points @param {number} margin */
function outline(points, margin) {
  const has = new Set(points.map(([c, r]) => `${c},${r}`));
  let path = '';
  for (const [c, r] of points) {
    const [x, y] = [margin + c * CELL - CELL / 2, margin + r * CELL - CELL / 2];
    if (!has.has(`${c},${r - 1}`)) path += `M${x} ${y}h${CELL}`;
    if (!has.has(`${c},${r + 1}`)) path += `M${x} ${y + CELL}h${CELL}`;
    if (!has.has(`${c - 1},${r}`)) path += `M${x} ${y}v${CELL}`;
    if (!has.has(`${c + 1},${r}`)) path += `M${x + CELL} ${y}v${CELL}`;
  }
  return path;
}

/**
 * The layers of a position, bottom to top.
 * @param {GoDrawing} d
 * @param {number} margin
 * @param {boolean} coords
 * @param {number} [scale] CSS pixels for a unit: writing does not grow with a small board
 */
export function goLayers(d, margin, coords, scale = 1) {
  const [cols, rows] = d.size;
  const [w, h] = [2 * margin + (cols - 1) * CELL, 2 * margin + (rows - 1) * CELL];
  const xy = (/** @type {string} */ at) => {
    const p = pointOf(at, rows);
    return /** @type {[number, number]} */ (p ? [margin + p[0] * CELL, margin + p[1] * CELL] : [-99, -99]);
  };
  let net = '';
  for (let c = 0; c < cols; c++) net += `M${margin + c * CELL} ${margin}V${h - margin}`;
  for (let r = 0; r < rows; r++) net += `M${margin} ${margin + r * CELL}H${w - margin}`;
  const names = [];
  const font = Math.min(15, 16 / scale);
  const base = font * 0.36;
  if (coords) {
    for (let c = 0; c < cols; c++) {
      const x = margin + c * CELL;
      names.push(html`<text key=${`c${c}`} x=${x} y=${11.5 + base}>${LETTERS[c]}</text><text x=${x} y=${h - 11.5 + base}>${LETTERS[c]}</text>`);
    }
    for (let r = 0; r < rows; r++) {
      const y = margin + r * CELL + base;
      names.push(html`<text key=${`r${r}`} x="11.5" y=${y}>${rows - r}</text><text x=${w - 11.5} y=${y}>${rows - r}</text>`);
    }
  }
  const dead = new Set(d.dead ?? []);
  const pieces = [];
  /** @type {any[]} */
  const squares = [];
  /** @type {any[]} */
  const above = [];
  /** @type {[number, number][]} */
  const taken = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      const [x, y] = [margin + c * CELL, margin + r * CELL];
      const at = pointName(c, r, rows);
      const s = d.rows[r]?.[c];
      if (s === 'X' || s === 'O') {
        pieces.push(stone(x, y, s === 'X' ? 0 : 1, dead.has(at) ? 'dead' : '', at));
        taken.push([x, y]);
      }
      const o = d.ownership?.[r * cols + c] ?? 0;
      const own = (o > 0 && s === 'X') || (o < 0 && s === 'O');
      if (Math.abs(o) >= 0.15 && !(own && !dead.has(at))) {
        const side = CELL * 0.35 * (0.35 + 0.65 * Math.min(1, Math.abs(o)));
        (s === '.' ? squares : above).push(html`<rect key=${at} class=${`own ${o > 0 ? 'b' : 'w'}`} x=${x - side / 2} y=${y - side / 2} width=${side} height=${side} />`);
      }
    }
  }
  const lastAt = d.last ? pointOf(d.last, rows) : null;
  const lastStone = lastAt ? d.rows[lastAt[1]]?.[lastAt[0]] : null;
  const [lx, ly] = lastAt ? xy(/** @type {string} */ (d.last)) : [0, 0];
  for (const m of d.marks ?? []) taken.push(xy(m.at));
  let subject = null;
  if (d.subject && d.subject.points.length) {
    const at = xy(d.subject.points[0]);
    const k = Math.min(1, 1.1 / scale);
    const wide = textWidth(d.subject.chip) * k;
    const chip = d.subject.chip ? chipPlace(at, wide, taken, w, h) : null;
    subject = html`${d.subject.points.map((q) => html`<circle key=${q} class="subj" cx=${xy(q)[0]} cy=${xy(q)[1]} r="24" />`)}
      ${chip && html`<path class="tie" d=${`M${at[0]} ${at[1]}L${chip.x} ${chip.y}`} />
      <rect class="chiprect" x=${chip.x - wide / 2} y=${chip.y - 15 * k} width=${wide} height=${30 * k} rx=${15 * k} />
      <text class="chiptext" font-size=${17 * k} x=${chip.x} y=${chip.y + 6 * k}>${d.subject.chip}</text>`}`;
  }
  const seen = new Set();
  return html`
    <g class="l-board"><rect class="wood" width=${w} height=${h} />
      <path class="net" d=${net} /><rect class="edge" x=${margin} y=${margin} width=${w - 2 * margin} height=${h - 2 * margin} />
      ${starPoints(cols, rows).map(([c, r]) => html`<circle key=${`s${c},${r}`} class="star" cx=${margin + c * CELL} cy=${margin + r * CELL} r="4.6" />`)}
      <g class="coords" font-size=${font}>${names}</g></g>
    <g class="l-shade">${squares}</g>
    <g class="l-pieces">${pieces}</g>
    <g class="l-over">${above}
      ${(d.dead ?? []).map((at) => { const [x, y] = xy(at); return html`<path key=${at} class="deadx" d=${`M${x - 7} ${y - 7}l14 14M${x + 7} ${y - 7}l-14 14`} />`; })}
      ${(d.ko ?? []).map((at) => { const [x, y] = xy(at); return html`<rect key=${at} class="ko" x=${x - 8} y=${y - 8} width="16" height="16" />`; })}</g>
    <g class="l-last">${lastAt && html`<circle class=${`last ${lastStone === 'X' ? 'on-b' : 'on-w'}`} cx=${lx} cy=${ly} r="8.5" />`}
      ${d.pending && stone(...xy(d.pending.at), d.pending.seat, d.pending.state)}</g>
    <g class="l-area">${(d.area ?? []).map((at) => { const [x, y] = xy(at); return html`<rect key=${at} class="look" x=${x - 20} y=${y - 20} width="40" height="40" />`; })}
      ${d.area?.length ? html`<path class="lookline" d=${outline(d.area.map((at) => pointOf(at, rows) ?? [-9, -9]), margin)} />` : null}</g>
    <g class="l-cand">${subject && html`<g class="l-subject">${subject}</g>`}
      ${(d.marks ?? []).filter((m) => pointOf(m.at, rows)).map((m) => {
        const [x, y] = xy(m.at);
        return html`<g key=${m.letter} class=${`mark ${m.best ? 'best' : ''} ${m.on ? 'on' : ''}`}><circle cx=${x} cy=${y} r="18.9" />
          <text class="letter" x=${x} y=${m.text ? y + 1 : y + 6}>${m.letter}</text>
          ${m.text && html`<text class=${m.text.length > 3 ? 'fig long' : 'fig'} x=${x} y=${y + (m.text.length > 3 ? 12 : 13)}>${m.text}</text>`}</g>`;
      })}</g>
    <g class="l-line">${(d.line ?? []).filter((m) => pointOf(m.at, rows) && !seen.has(m.at) && seen.add(m.at)).map((m) => {
      const [x, y] = xy(m.at);
      return html`<g key=${m.n} class=${`ghost ${m.seat === 0 ? 'b' : 'w'}`}><circle cx=${x} cy=${y} r="17.6" /><text x=${x} y=${y + 6}>${m.n}</text></g>`;
    })}</g>`;
}

/** A point in words: `D4 black, last move`. */
function describePoint(/** @type {GoDrawing} */ d, /** @type {string} */ at) {
  const p = pointOf(at, d.size[1]);
  const s = p ? d.rows[p[1]]?.[p[0]] : '.';
  let words = `${at} ${s === 'X' ? t('go.black') : s === 'O' ? t('go.white') : t('go.empty')}`;
  if (d.last === at) words += t('go.cell.last');
  if (d.dead?.includes(at)) words += t('go.cell.dead');
  if (d.ko?.includes(at)) words += t('go.cell.ko');
  const mark = d.marks?.find((m) => m.at === at);
  if (mark) words += t('go.cell.mark', { letter: mark.letter });
  return words;
}

/**
 * A Go board to play on.
 * @param {GoDrawing & { seat: number, allowed: (at: string) => boolean, onAct: (at: string) => void, aim: string | null,
 *   onAim: (at: string | null) => void, onLook?: (at: string | null) => void, confirm: boolean, tap?: boolean, busy?: boolean, cls?: string, label?: string }} p
 */
export function GoBoard(p) {
  const [cols, rows] = p.size;
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const px = useWidth(box, 700);
  const coords = px / (cols + 0.7) >= COORDS;
  const margin = coords ? 38 : 22;
  const scale = px / (2 * margin + (cols - 1) * CELL);
  const ghost = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ kind) =>
    html`<circle class=${`ghoststone ${p.seat === 0 ? 'b' : 'w'} ${kind}`} cx=${x} cy=${y} r="18" />`;
  return html`<div class="boardfit" ref=${box} style=${{ '--ar': String((2 * margin + (cols - 1) * CELL) / (2 * margin + (rows - 1) * CELL)) }}>
    <${GridBoard} label=${p.label ?? t('go.board', { w: cols, h: rows })} cols=${cols} rows=${rows} margin=${margin}
      name=${(/** @type {number} */ c, /** @type {number} */ r) => pointName(c, r, rows)}
      describe=${(/** @type {string} */ at) => describePoint(p, at)} layers=${goLayers(p, margin, coords, scale)} ghost=${ghost}
      allowed=${p.allowed} onAct=${p.onAct} aim=${p.aim} onAim=${p.onAim} onLook=${p.onLook} confirm=${p.confirm} tap=${p.tap} busy=${p.busy}
      cls=${`go ${p.cls ?? ''}`} start=${p.last ?? undefined} /></div>`;
}

/**
 * A small picture of a position.
 * @param {GoDrawing & { label?: string }} p
 */
export function GoPicture(p) {
  const margin = 24;
  const [w, h] = [2 * margin + (p.size[0] - 1) * CELL, 2 * margin + (p.size[1] - 1) * CELL];
  return html`<svg class="grid go picture" viewBox=${`0 0 ${w} ${h}`} role=${p.label === '' ? undefined : 'img'} aria-hidden=${p.label === '' ? 'true' : undefined}
      aria-label=${p.label === '' ? undefined : p.label ?? t('go.board', { w: p.size[0], h: p.size[1] })}>
    <g aria-hidden="true">${goLayers(p, margin, false)}</g></svg>`;
}

/** An empty board of a size. @param {[number, number]} size */
export const emptyRows = (size) => Array.from({ length: size[1] }, () => '.'.repeat(size[0]));

/** The owners of a count as a map of ownership. @param {string[]} owner */
export const ownerMap = (owner) => owner.flatMap((row) => [...row].map((c) => (c === 'X' ? 1 : c === 'O' ? -1 : 0)));

/** The diagrams of "how to play": a position and what is marked on it. @type {GoDrawing[]} */
const HOWTO = [
  { size: [7, 7], rows: ['.......', '..X....', '....O..', '..X....', '...XO..', '.......', '.......'], last: 'E3' },
  { size: [7, 7], rows: ['.......', '...X...', '..XOX..', '.......', '.......', '.......', '.......'], marks: [{ at: 'D4', letter: 'A', text: '', best: true }] },
  { size: [7, 7], rows: ['.......', '..XO...', '.XO.O..', '..XO...', '.......', '.......', '.......'], marks: [{ at: 'D5', letter: 'A', text: '', best: true }] },
  { size: [7, 7], rows: ['.X.XO..', 'XXXXO..', 'OOOOO..', '.......', '.......', '.......', '.......'], marks: [{ at: 'A7', letter: 'A', text: '', best: false }, { at: 'C7', letter: 'B', text: '', best: false }] },
  { size: [7, 7], rows: ['..X.O..', '..XO...', '..XO...', '..XO...', '..XXO..', '...XO..', '...XO..'], ownership: ownerMap(['XX...OO', 'XX..OOO', 'XX..OOO', 'XX..OOO', 'XX...OO', 'XXX..OO', 'XXX..OO']) },
];

/** @type {import('../lib/games.js').GameDrawing} */
export default {
  places: true,
  sample: {
    size: [9, 9], last: { action: 'F4' },
    board: ['.........', '.........', '..X...O..', '.........', '....X....', '..O..OX..', '.....X...', '.........', '.........'],
  },
  howto: HOWTO.map((d) => (/** @type {string} */ label) => html`<${GoPicture} ...${d} label=${label} />`),
  Board: (p) => {
    const legal = new Set(p.legal);
    return html`<${GoBoard} size=${p.view.size} rows=${p.view.board} last=${p.view.last?.action ?? null} ko=${p.busy ? [] : p.view.ko}
      ownership=${p.ownership} dead=${p.dead ?? []} marks=${p.marks ?? []} line=${p.line ?? []} subject=${p.subject ?? null}
      pending=${p.pending ?? null} area=${p.area ?? []} seat=${p.seat} busy=${p.busy} confirm=${p.confirm} tap=${p.tap} aim=${p.aim} onAim=${p.onAim}
      onAct=${p.onAct} onLook=${p.onLook} allowed=${(/** @type {string} */ at) => p.free || legal.has(at)} />`;
  },
  Picture: ({ view, label }) => html`<${GoPicture} size=${view.size} rows=${view.board} last=${view.last?.action ?? null} label=${label} />`,
  describe: (action) => (action === 'pass' ? t('pass.word') : action),
};
