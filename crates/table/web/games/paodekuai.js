// @ts-check
/** Pao De Kuai: its table, its board in the review, its pictures. */
import { html } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { Back, Fan } from '../lib/cards.js';
import { later, part } from '../lib/later.js';
import { deckOf, dressText, readOrder, rulesOf } from './paodekuai/rules.js';
import { actionText, playWords, seatOrder, seatWord, told, typedPlay } from './paodekuai/words.js';

const CardTable = later(async () => (await import('./paodekuai/table.js')).CardTable);
const Board = part(async () => (await import('./paodekuai/board.js')).Board);

/** A hand and a play for the picture of a game that was never played here. */
const SAMPLE = { hands: ['33456789TJQKKAA2'], trick: { play: '99', by: 1 }, counts: [16, 9, 11], to_move: 0 };
const PLAIN = rulesOf({});
const deck = deckOf(rulesOf({ deck: 'd52' }));

/** @param {{ view: any, label?: string }} props */
function Picture({ view, label }) {
  const v = view?.counts ? view : SAMPLE;
  // What lies on the table, and under it a hand that everybody may see, or how many cards each seat has.
  const cards = dressText(readOrder(v.trick?.play ?? ''), deck).slice(0, 5);
  const own = v === SAMPLE ? dressText(SAMPLE.hands[0], deck.filter((c) => !cards.includes(c))).slice(-8) : [];
  return html`<div class=${`picture cardpic ${cards.length ? '' : 'bare'}`} role=${label ? 'img' : undefined} aria-label=${label || undefined} aria-hidden=${label ? undefined : 'true'}>
    ${cards.length > 0 && html`<${Fan} cards=${cards} label="" size=${36} strip=${cards.length > 3 ? 15 : 22} />`}
    ${own.length ? html`<${Fan} cards=${own} label="" size=${36} strip=${13} />`
    : html`<span class="counts">${v.counts.map((/** @type {number} */ n, /** @type {number} */ s) => html`<span key=${s}><${Back} /> ${n}</span>`)}</span>`}</div>`;
}

/** A trick or a few plays side by side, for "how to play". @param {string[]} plays @param {(i: number) => string} [say] */
const diagram = (plays, say) => (/** @type {string} */ label) => html`<div class="picture cardpic plays" role="img" aria-label=${label}>${plays.map((text, i) => html`<span key=${text} class="eg">
  <${Fan} cards=${dressText(text, deck)} label="" size=${36} strip=${text.length > 6 ? 15 : 14} />${say && html`<span class="sm mut">${say(i)}</span>`}</span>`)}</div>`;

/** @type {import('../lib/games.js').GameDrawing} */
export default {
  places: false, Board, Picture, Screen: CardTable, sample: SAMPLE, shade: 'pdk.belief.show', points: ['pdk.pts', 'pdk.points'],
  seat: seatWord, order: seatOrder,
  describe: (action) => actionText(action), typed: typedPlay, told,
  howto: [
    diagram(['6', '88', '34567', '4455', '55533', '7777'], (i) => [playWords('6', PLAIN), playWords('88', PLAIN), t('pdk.kind.straight'), t('pdk.kind.pairrun'), t('pdk.kind.tri'), t('pdk.kind.bomb')][i]),
    diagram(['3334445678']),
    diagram(['99', 'JJ', '3333']),
    diagram(['5', 'A', '2']),
    diagram(['K', '22']),
  ],
};
