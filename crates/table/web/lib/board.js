// @ts-check
/**
 * What every board made of a grid of places shares: one tab stop with arrow keys, hit areas, and for places too small for
 * a finger aim, adjust, confirm with a magnifier. The drawing itself comes from the game as layers.
 */
import { html, useCallback, useEffect, useLayoutEffect, useRef, useState } from './html.js';
import { t } from './i18n.js';

/** A place of one unit cell is this wide in the drawing's own units. */
export const CELL = 40;
/** A finger hits places from this size on, in CSS pixels. */
const FINGER = 44;
/** Below this size of a cell, in CSS pixels, coordinates cannot be read. */
export const COORDS = 24;
let serial = 0;

/**
 * @typedef {object} GridProps
 * @property {string} label what the board is, for a screen reader
 * @property {number} cols
 * @property {number} rows
 * @property {number} margin from the edge of the drawing to the centre of the first place, in units
 * @property {(col: number, row: number) => string} name the place in the game's notation; row 0 is the top
 * @property {(name: string) => string} describe a place in words
 * @property {any} layers the drawing, bottom to top
 * @property {(x: number, y: number, kind: string) => any} ghost the piece of the side to move at a place
 * @property {(name: string) => boolean} allowed whether the place may be chosen now
 * @property {(name: string) => void} onAct a place was chosen
 * @property {string | null} aim the place aimed at
 * @property {(name: string | null) => void} onAim
 * @property {(name: string | null) => void} [onLook] the place under the focus or the pointer
 * @property {boolean} confirm every move is aimed first
 * @property {boolean} [tap] nothing is aimed: a touch acts at once, for it can be taken back as easily
 * @property {boolean} [busy] moves are not accepted now
 * @property {string} [cls]
 * @property {string} [start] where the focus begins
 */

/**
 * The width of an element, measured before the first paint and kept.
 * @param {{ current: Element | null }} ref
 * @param {number} first
 */
export function useWidth(ref, first) {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return undefined;
    const measure = () => {
      const w = el.getBoundingClientRect().width;
      if (w > 0) setWidth(Math.round(w));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(el);
    return () => observer.disconnect();
  }, []);
  return width;
}

/**
 * Keeps a finger that draws on an element from becoming a fling, which would swallow the next tap anywhere on the page.
 * Two fingers still zoom.
 * @param {{ current: Element | null }} ref
 * @param {{ current: any }} drawing not `null` while a finger draws
 */
export function useNoFling(ref, drawing) {
  useEffect(() => {
    const el = ref.current;
    const still = (/** @type {any} */ e) => { if (drawing.current !== null && e.touches.length === 1 && e.cancelable) e.preventDefault(); };
    el?.addEventListener('touchmove', still, { passive: false });
    return () => el?.removeEventListener('touchmove', still);
  }, []);
}

/** Where the magnifier goes: beside and above the finger, inside the board. */
function loupeAt(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r, /** @type {number} */ w, /** @type {number} */ h) {
  const side = x < w / 2 ? 1 : -1;
  const clamp = (/** @type {number} */ v, /** @type {number} */ max) => Math.max(r + 6, Math.min(max - r - 6, v));
  return [clamp(x + side * (r + 36), w), clamp(y - r - 24, h)];
}

/** @param {GridProps} p */
export function GridBoard(p) {
  const { cols, rows, margin, name, aim } = p;
  const [w, h] = [2 * margin + (cols - 1) * CELL, 2 * margin + (rows - 1) * CELL];
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const [uid] = useState(() => `b${++serial}`);
  const px = useWidth(svg, 600);
  const scale = px / w;
  const place = useCallback((/** @type {string | undefined} */ at) => {
    for (let r = 0; at && r < rows; r++) for (let c = 0; c < cols; c++) if (name(c, r) === at) return r * cols + c;
    return Math.floor(rows / 2) * cols + Math.floor(cols / 2);
  }, [cols, rows, name]);
  const [focus, setFocus] = useState(() => place(p.start));
  const [dragging, setDragging] = useState(false);
  const drag = useRef(/** @type {number | null} */ (null));
  const touched = useRef(0);
  useNoFling(svg, drag);
  useEffect(() => { if (focus >= cols * rows) setFocus(place(undefined)); }, [cols, rows]);

  const nameOf = (/** @type {number} */ i) => name(i % cols, Math.floor(i / cols));
  const xy = (/** @type {number} */ i) => [margin + (i % cols) * CELL, margin + Math.floor(i / cols) * CELL];
  const nearest = (/** @type {{ clientX: number, clientY: number }} */ e) => {
    const box = /** @type {SVGSVGElement} */ (svg.current).getBoundingClientRect();
    const at = (/** @type {number} */ v, /** @type {number} */ n) => Math.max(0, Math.min(n - 1, Math.round((v - margin) / CELL)));
    const [x, y] = [(e.clientX - box.left) * (w / box.width), (e.clientY - box.top) * (h / box.height)];
    return at(y, rows) * cols + at(x, cols);
  };
  const go = (/** @type {number} */ i) => {
    setFocus(i);
    const el = svg.current?.querySelector(`[data-i="${i}"]`);
    if (el instanceof SVGElement) el.focus();
  };
  const choose = (/** @type {string} */ at) => {
    if (p.confirm && aim !== at) p.onAim(at);
    else p.onAct(at);
  };

  const onKeyDown = (/** @type {KeyboardEvent} */ e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const [c, r] = [focus % cols, Math.floor(focus / cols)];
    /** @type {Record<string, [number, number]>} */
    const to = {
      ArrowLeft: [c - 1, r], ArrowRight: [c + 1, r], ArrowUp: [c, r - 1], ArrowDown: [c, r + 1],
      Home: [0, r], End: [cols - 1, r], PageUp: [c, 0], PageDown: [c, rows - 1],
    };
    if (to[e.key]) {
      e.preventDefault();
      const [x, y] = to[e.key];
      if (x >= 0 && x < cols && y >= 0 && y < rows) go(y * cols + x);
    } else if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      choose(nameOf(focus));
    } else if (e.key === 'Escape' && aim) {
      e.preventDefault();
      p.onAim(null);
    }
  };

  const small = CELL * scale < FINGER && !p.tap;
  const onPointerDown = (/** @type {PointerEvent} */ e) => {
    touched.current = 0;
    if (e.pointerType === 'mouse' || !(small || p.confirm)) return;
    touched.current = e.timeStamp;
    if (p.busy || drag.current !== null) { drag.current = null; setDragging(false); return; }
    drag.current = e.pointerId;
    svg.current?.setPointerCapture(e.pointerId);
    setDragging(true);
    p.onAim(nameOf(nearest(e)));
  };
  const onPointerMove = (/** @type {PointerEvent} */ e) => {
    if (drag.current === e.pointerId) p.onAim(nameOf(nearest(e)));
  };
  const onPointerUp = (/** @type {PointerEvent} */ e) => {
    if (drag.current === e.pointerId) { drag.current = null; setDragging(false); }
  };
  const onClick = (/** @type {MouseEvent} */ e) => {
    if (touched.current) { touched.current = 0; return; }
    // Assistive technology clicks the cell without a place on the screen.
    const cell = e.target instanceof Element ? e.target.closest('[data-i]') : null;
    const i = e.detail === 0 && cell ? Number(cell.getAttribute('data-i')) : nearest(e);
    setFocus(i);
    choose(nameOf(i));
  };

  const lines = [];
  for (let r = 0; r < rows; r++) {
    const cells = [];
    for (let c = 0; c < cols; c++) {
      const i = r * cols + c;
      const at = name(c, r);
      const [x, y] = xy(i);
      const ok = !p.busy && p.allowed(at);
      cells.push(html`<g key=${at} role="gridcell" data-i=${i} data-at=${at} tabindex=${i === focus ? 0 : -1}
          class=${ok ? 'cell ok' : 'cell'} aria-label=${p.describe(at)}
          onFocus=${() => { if (focus !== i) setFocus(i); p.onLook?.(at); }} onBlur=${() => p.onLook?.(null)}>
        <rect class="hit" x=${x - CELL / 2} y=${y - CELL / 2} width=${CELL} height=${CELL} />
        ${ok && html`<g class="hover">${p.ghost(x, y, 'hover')}</g>`}
        <rect class="ring" x=${x - 19} y=${y - 19} width="38" height="38" rx="6" />
      </g>`);
    }
    lines.push(html`<g role="row" key=${r}>${cells}</g>`);
  }
  let over = null;
  if (aim) {
    const [x, y] = xy(place(aim));
    const far = Math.min(76, px * 0.2) / scale;
    const view = (far * 2 * scale) / 1.9 / scale;
    const [lx, ly] = loupeAt(x, y, far, w, h);
    const cross = html`<g class="aim"><path class="cross" d=${`M${x} ${margin}V${h - margin}M${margin} ${y}H${w - margin}`} />${p.ghost(x, y, 'aim')}</g>`;
    over = html`${cross}${small && dragging && html`<g class="loupe">
      <clipPath id=${`${uid}c`}><circle cx=${lx} cy=${ly} r=${far} /></clipPath>
      <g clip-path=${`url(#${uid}c)`}>
        <svg x=${lx - far} y=${ly - far} width=${2 * far} height=${2 * far} viewBox=${`${x - view / 2} ${y - view / 2} ${view} ${view}`}>
          <rect class="wood" x=${x - view} y=${y - view} width=${2 * view} height=${2 * view} />
          <use href=${`#${uid}`} />${cross}</svg></g>
      <circle class="rim" cx=${lx} cy=${ly} r=${far} /></g>`}`;
  }
  return html`<svg ref=${svg} class=${`grid ${p.cls ?? ''} ${p.busy ? 'busy' : ''} ${small || p.confirm ? 'aimable' : ''}`} viewBox=${`0 0 ${w} ${h}`} role="grid"
      aria-label=${p.label} aria-rowcount=${rows} aria-colcount=${cols} aria-readonly=${p.busy ? 'true' : 'false'}
      onKeyDown=${onKeyDown} onPointerDown=${onPointerDown} onPointerMove=${onPointerMove} onPointerUp=${onPointerUp}
      onPointerCancel=${onPointerUp} onClick=${onClick}>
    <g id=${uid} class="draw" aria-hidden="true">${p.layers}</g>
    <g class="cells" role="rowgroup">${lines}</g>
    <g class="over" aria-hidden="true">${over}</g></svg>`;
}

/**
 * The bar under a board while a place is aimed at.
 * @param {{ at: string, allowed: boolean, onPlace: () => void, onCancel: () => void }} props
 */
export function AimBar({ at, allowed, onPlace, onCancel }) {
  return html`<div class="aimbar" role="group" aria-label=${t('aim.label', { at })}>
    <button onClick=${onCancel}>${t('cancel')}</button>
    <button class="pri" disabled=${!allowed} onClick=${onPlace}>${t('aim.place', { at })}</button></div>`;
}
