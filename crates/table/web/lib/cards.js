// @ts-check
/** Playing cards: faces and backs as own drawings, and a hand to choose from. Shared by card games. */
import { html, useEffect, useLayoutEffect, useRef, useState } from './html.js';
import { t } from './i18n.js';
import { load, save, Store } from './store.js';
import { useNoFling, useWidth } from './board.js';

/** A card is its suit and its rank, `S3`, `HT`. @typedef {string} Card */

/** Suits as paths in a box of 20, not as characters, which some phones turn into emoji. @type {Record<string, string>} */
const SUITS = {
  S: 'M10 1c6 5 9 8 9 11.300a4.200 4.200 0 01-7.800 2.200c.2 1.900.9 3.300 2.300 4.500h-7c1.400-1.200 2.100-2.600 2.300-4.500A4.200 4.200 0 011 12.300C1 9 4 6 10 1z',
  H: 'M10 18.500C4 13.500 1 10 1 6.300A4.600 4.600 0 0110 4.300a4.600 4.600 0 019 2C19 10 16 13.500 10 18.500z',
  C: 'M10 1a4.200 4.200 0 013.600 6.300 4.200 4.200 0 11-2.400 7.200c.2 1.900.9 3.300 2.300 4.500h-7c1.400-1.200 2.100-2.600 2.300-4.500a4.200 4.200 0 11-2.400-7.200A4.200 4.200 0 0110 1z',
  D: 'M10 .8l7.200 9.200-7.200 9.200L2.800 10z',
};

/** How cards look and are sorted, kept in this browser. */
export const cardPrefs = new Store({ fourColours: false, byGroup: false, counter: true, autoPass: true, ...load('cards', {}) });

/** @param {Partial<typeof cardPrefs.value>} change */
export function changeCardPrefs(change) {
  cardPrefs.set(change);
  save('cards', cardPrefs.value);
}

/** A rank as people write it. @param {string} rank */
export const rankText = (rank) => (rank === 'T' ? '10' : rank);

/** A card in words: `9 of hearts`. @param {Card} card */
export const cardName = (card) => t('cards.name', { suit: t(`cards.suit.${card[0]}`), rank: rankText(card[1]) });

/** The colour class of a suit. @param {Card} card */
const ink = (card) => `s${card[0]}${cardPrefs.value.fourColours ? ' four' : ''}`;

/**
 * The face of a card in a box of 58 × 82: the index in the corner first, since a fan covers the rest.
 * @param {{ card: Card, chosen?: boolean, refused?: boolean }} props
 */
export function Face({ card, chosen = false }) {
  const ten = card[1] === 'T';
  return html`<svg class=${`face ${ink(card)} ${chosen ? 'chosen' : ''}`} viewBox="-2 -12 62 96" aria-hidden="true">
    <rect class="paper" width="58" height="82" rx="6" />
    <text class=${ten ? 'rank ten' : 'rank'} x=${ten ? 4 : 6} y="25">${rankText(card[1])}</text>
    <svg x="6" y="31" width="16" height="16" viewBox="0 0 20 20"><path d=${SUITS[card[0]]} /></svg>
    <svg class="pip2" x="27" y="48" width="26" height="26" viewBox="0 0 20 20"><path d=${SUITS[card[0]]} /></svg>
    ${chosen && html`<g class="tick"><circle cx="30" cy="0" r="9" /><path d="M26 0l3 3 5-6" /></g>`}</svg>`;
}

/** The back of a card: the crest. @param {{ w?: number }} props */
export const Back = ({ w = 20 }) => html`<svg class="back" width=${w} height=${(w * 22) / 20} viewBox="0 0 40 44" aria-hidden="true">
  <rect class="under" x="12" y="2" width="26" height="36" rx="4" /><rect class="top" x="2" y="6" width="26" height="36" rx="4" />
  <path class="crest" d="M8 31q6-17 14-11" /></svg>`;

/**
 * Cards lying open beside each other.
 * @param {{ cards: Card[], label: string, size?: number, strip?: number }} props `size` is the width of a card, `strip` what is seen of a covered one;
 *   without them the style sheet decides
 */
export function Fan({ cards, label, size, strip }) {
  return html`<span class="fan" role=${label ? 'img' : undefined} aria-label=${label || undefined} style=${{ '--n': String(Math.max(1, cards.length - 1)), ...(size ? { '--cw': `${size}px`, '--strip': `${strip}px` } : {}) }}>
    ${cards.map((card, i) => html`<span key=${card + i} class=${`fc ${i === cards.length - 1 ? 'end' : ''}`}><${Face} card=${card} /></span>`)}</span>`;
}

/**
 * Rows of a hand: as few as keep the strips wide enough, broken between ranks where that is possible.
 * @param {Card[]} cards
 * @param {number} width
 * @param {number} size width of a card
 * @param {number} least the narrowest strip
 * @returns {Card[][]}
 */
export function rowsOf(cards, width, size, least) {
  const room = Math.max(1, Math.floor((width - size) / least) + 1);
  const comfortable = Math.max(1, Math.floor((width - size) / 44) + 1);
  if (cards.length <= comfortable) return [cards];
  const half = Math.ceil(cards.length / 2);
  const far = (/** @type {number} */ at) => Math.abs(at - half);
  const fits = (/** @type {number} */ at) => at > 0 && at < cards.length && at <= room && cards.length - at <= room;
  const cuts = cards.map((_, i) => i).filter((i) => fits(i) && cards[i][1] !== cards[i - 1][1]).sort((a, b) => far(a) - far(b));
  const at = cuts.length ? cuts[0] : half;
  return [cards.slice(0, at), cards.slice(at)];
}

/**
 * A hand as a list of which several may be chosen. One tab stop; arrows move, space chooses, Enter plays; a tap chooses, and
 * drawing a finger over cards chooses all of them.
 * @param {object} p
 * @param {Card[]} p.cards in the order in which they lie
 * @param {Set<Card>} p.chosen
 * @param {(chosen: Set<Card>) => void} p.onChosen
 * @param {() => void} p.onPlay
 * @param {string} p.label
 * @param {string} [p.described] id of the sentence about what is chosen
 * @param {boolean} [p.still] nothing may be chosen now
 * @param {Set<Card>} [p.marked] cards a hint speaks of
 */
export function CardHand(p) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const width = useWidth(box, 366);
  const size = width < 560 ? (width < 350 ? 52 : 58) : 76;
  const rows = rowsOf(p.cards, width, size, 35);
  const [focus, setFocus] = useState(/** @type {Card | null} */ (null));
  const drag = useRef(/** @type {{ from: number, on: boolean, before: Set<Card>, far: boolean } | null} */ (null));
  useNoFling(box, drag);
  /** The card that the pointer has just taken up or put back: the click that follows on it is not another one. */
  const handled = useRef(/** @type {{ card: Card } | null} */ (null));
  const had = useRef(false);
  const at = Math.max(0, p.cards.indexOf(focus ?? p.cards[0]));
  const stop = p.cards[at];

  // A played card takes the focus with it: it goes on to the card that lies there now.
  useLayoutEffect(() => {
    if (!had.current || !box.current || box.current.contains(document.activeElement)) return;
    if (document.activeElement && document.activeElement !== document.body) { had.current = false; return; }
    /** @type {HTMLElement | null} */ (box.current.querySelector('[tabindex="0"]'))?.focus();
  }, [p.cards.join()]);
  useEffect(() => { if (focus && !p.cards.includes(focus)) setFocus(p.cards[Math.min(at, p.cards.length - 1)] ?? null); }, [p.cards.join()]);

  const put = (/** @type {Set<Card>} */ from, /** @type {Card[]} */ cards, /** @type {boolean} */ on) => {
    const next = new Set(from);
    for (const c of cards) if (on) next.add(c); else next.delete(c);
    p.onChosen(next);
  };
  const toggle = (/** @type {Card} */ card) => { if (!p.still) put(p.chosen, [card], !p.chosen.has(card)); };
  const move = (/** @type {number} */ to) => {
    const card = p.cards[Math.max(0, Math.min(p.cards.length - 1, to))];
    setFocus(card);
    /** @type {HTMLElement | null} */ (box.current?.querySelector(`[data-card="${card}"]`))?.focus();
  };
  /** The card over or under one in the other row. */
  const across = () => {
    if (rows.length < 2) return at;
    const first = rows[0].length;
    const [from, to] = at < first ? [rows[0], rows[1]] : [rows[1], rows[0]];
    const i = at < first ? at : at - first;
    const j = Math.round((i / Math.max(1, from.length - 1)) * (to.length - 1));
    return at < first ? first + j : j;
  };
  const key = (/** @type {KeyboardEvent} */ e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: p.cards.length - 1, ArrowUp: across(), ArrowDown: across() };
    const rank = e.key === '1' || e.key === '0' ? 'T' : e.key.toUpperCase();
    if (e.key in moves) move(moves[/** @type {keyof typeof moves} */ (e.key)]);
    else if (e.key === ' ') toggle(stop);
    else if (e.key === 'Enter') p.onPlay();
    else if (e.key === 'Escape' && p.chosen.size) p.onChosen(new Set());
    else if (/^[3-9TJQKA2]$/.test(rank)) {
      const order = [...p.cards.keys()].map((i) => (at + 1 + i) % p.cards.length);
      const found = order.find((i) => p.cards[i][1] === rank);
      if (found !== undefined) move(found);
    } else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const under = (/** @type {PointerEvent} */ e) => {
    const hit = document.elementFromPoint(e.clientX, e.clientY)?.closest('[data-card]');
    return hit && box.current?.contains(hit) ? hit.getAttribute('data-card') ?? '' : '';
  };
  const down = (/** @type {PointerEvent} */ e) => {
    const card = under(e);
    if (!card || p.still || e.button > 0) return;
    drag.current = { from: p.cards.indexOf(card), on: !p.chosen.has(card), before: p.chosen, far: false };
    handled.current = { card };
    put(p.chosen, [card], drag.current.on);
    // It may be let go anywhere.
    const ended = new AbortController();
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, (up) => { ended.abort(); letGo(/** @type {PointerEvent} */ (up)); }, { signal: ended.signal });
    setFocus(card);
  };
  const over = (/** @type {PointerEvent} */ e) => {
    const d = drag.current;
    if (!d) return;
    if (e.buttons === 0) { drag.current = null; handled.current = null; return; }
    const to = p.cards.indexOf(under(e));
    if (to < 0) return;
    d.far ||= to !== d.from;
    put(d.before, p.cards.slice(Math.min(d.from, to), Math.max(d.from, to) + 1), d.on);
  };
  // After a drawing no click follows, but from a mouse that came back to where it began; if one follows, then soon.
  const letGo = (/** @type {PointerEvent} */ e) => {
    const [was, d] = [handled.current, drag.current];
    drag.current = null;
    if (e.type === 'pointercancel' || (d?.far && (e.pointerType !== 'mouse' || under(e) !== was?.card))) handled.current = null;
    else setTimeout(() => { if (handled.current === was) handled.current = null; }, 500);
  };
  /** A click without a pointer comes from assistive technology. */
  const click = (/** @type {MouseEvent} */ e, /** @type {Card} */ card) => {
    if (e.detail === 0 || handled.current?.card !== card) toggle(card);
    handled.current = null;
  };

  return html`<div class=${`hand rows${rows.length} ${p.still ? 'still' : ''}`} ref=${box} style=${{ '--cw': `${size}px` }} role="listbox" aria-multiselectable="true"
      aria-label=${p.label} aria-describedby=${p.described} aria-orientation="horizontal" onKeyDown=${key} onPointerDown=${down} onPointerMove=${over}
      onFocusIn=${() => { had.current = true; }} onFocusOut=${(/** @type {FocusEvent} */ e) => { if (e.relatedTarget) had.current = false; }}>
    ${rows.map((row, r) => html`<div key=${r} class="hrow" role="presentation" style=${{ '--strip': `${row.length > 1 ? Math.min((width - size) / (row.length - 1), size * (rows.length > 1 ? 0.77 : 0.86)) : size}px` }}>
      ${row.map((card) => html`<div key=${card} class=${`hc ${p.marked?.has(card) ? 'marked' : ''}`} role="option" data-card=${card} tabindex=${card === stop ? 0 : -1}
        aria-selected=${p.chosen.has(card) ? 'true' : 'false'} aria-label=${cardName(card)} onClick=${(/** @type {MouseEvent} */ e) => click(e, card)} onFocus=${() => setFocus(card)}>
        <${Face} card=${card} chosen=${p.chosen.has(card)} /></div>`)}</div>`)}</div>`;
}
