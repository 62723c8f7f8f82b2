// @ts-check
/** Pao De Kuai: its table, its board in the review, its pictures. */
import { html, useEffect, useMemo, useState } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { Back, CardHand, Fan, cardPrefs } from '../lib/cards.js';
import { useStore } from '../lib/store.js';
import { dealsOf, deckOf, dressText, judge, rulesOf, sortHand, textOf } from './paodekuai/rules.js';
import { CardTable } from './paodekuai/table.js';
import { Knowledge } from './paodekuai/panels.js';
import { SeatSign, actionText, judgement, playText, playWords, points, told, typedPlay } from './paodekuai/words.js';

/** A hand and a play for the picture of a game that was never played here. */
const SAMPLE = { hands: ['33456789TJQKKAA2'], trick: { play: '99', by: 1 }, counts: [16, 9, 11], to_move: 0 };
const PLAIN = rulesOf({});
const deck = deckOf(rulesOf({ deck: 'd52' }));

/** @param {{ view: any, label?: string }} props */
function Picture({ view, label }) {
  const v = view?.counts ? view : SAMPLE;
  // What lies on the table, and under it a hand that everybody may see, or how many cards each seat has.
  const cards = dressText(v.trick?.play ?? '', deck).slice(0, 5);
  const own = v === SAMPLE ? dressText(SAMPLE.hands[0], deck.filter((c) => !cards.includes(c))).slice(-8) : [];
  return html`<div class=${`picture cardpic ${cards.length ? '' : 'bare'}`} role=${label ? 'img' : undefined} aria-label=${label || undefined} aria-hidden=${label ? undefined : 'true'}>
    ${cards.length > 0 && html`<${Fan} cards=${cards} label="" size=${36} strip=${cards.length > 3 ? 15 : 22} />`}
    ${own.length ? html`<${Fan} cards=${own} label="" size=${36} strip=${13} />`
    : html`<span class="counts">${v.counts.map((/** @type {number} */ n, /** @type {number} */ s) => html`<span key=${s}><${Back} /> ${n}</span>`)}</span>`}</div>`;
}

/** The position of a review: all hands open, and a play of one's own to be tried. @param {import('../lib/games.js').BoardProps} p */
function Board(p) {
  const { view } = p;
  const cp = useStore(cardPrefs);
  const rules = useMemo(() => rulesOf(p.record?.rules), [p.record?.rules]);
  const moves = p.record?.moves ?? [];
  const deal = useMemo(() => dealsOf(moves, view.hands.length, rules).pop() ?? null, [moves, rules]);
  const [chosen, setChosen] = useState(/** @type {Set<string>} */ (new Set()));
  const cardsOf = (/** @type {number} */ s) => {
    const left = deal?.left[s];
    const text = String(view.hands[s]);
    return sortHand(left && textOf(left) === text ? left : dressText(text, deckOf(rules)), cp.byGroup);
  };
  useEffect(() => setChosen(new Set()), [JSON.stringify(view.hands), view.to_move]);
  const turn = typeof view.to_move === 'number' ? view.to_move : null;
  const legal = view.legal ?? p.legal;
  const last = deal?.plays.filter((q) => q.action !== 'pass').pop();
  const top = last && last.action === view.trick?.play ? last.cards : dressText(view.trick?.play ?? '', deckOf(rules));
  const name = p.name ?? ((/** @type {number} */ s) => t('seat.n', { x: s + 1 }));
  const hand = turn === null ? [] : cardsOf(turn);
  const picked = hand.filter((c) => chosen.has(c));
  const verdict = turn === null ? null : judge({ chosen: picked, hand, legal, view, seat: turn, rules });
  const act = (/** @type {string} */ a) => { if (!p.busy) p.onAct(a); };
  return html`<div class="cardboard" role="group" aria-label=${t('pdk.board')}>
    ${view.hands.map((/** @type {string} */ text, /** @type {number} */ s) => (s === turn ? null : html`<div key=${s} class="row"><${SeatSign} seat=${s} size=${24} />
      <span class="nm">${name(s)} <b>${points(view.totals[s])}</b></span>${text ? html`<${Fan} cards=${cardsOf(s)} label=${playText(text)} size=${38} strip=${19} />` : html`<span class="mut">${t('pdk.isout')}</span>`}</div>`))}
    <div class="mid">${top.length ? html`<${Fan} cards=${top} label=${playText(view.trick.play)} /><p class="sm mut">${t(name(view.trick.by) === t('seat.you') ? 'pdk.you.play' : 'pdk.they.play', { who: name(view.trick.by), words: playWords(view.trick.play, rules) })}</p>` : html`<p class="mut">${turn === null ? '' : t('pdk.lead.they', { who: name(turn) })}</p>`}</div>
    ${turn !== null && verdict && html`<div class="row own"><${SeatSign} seat=${turn} size=${24} /><span class="nm">${name(turn)} <b>${points(view.totals[turn])}</b></span></div>
      <${CardHand} cards=${hand} chosen=${chosen} onChosen=${setChosen} onPlay=${() => { if (verdict.ok) act(verdict.at); }} label=${t('pdk.hand.of', { who: name(turn) })} described="pdk-why" />
      <div class="handbar"><p class="why" id="pdk-why">${picked.length ? judgement(verdict, rules) : t('pdk.try')}</p>
        ${legal.includes('pass') && html`<button class="ic" onClick=${() => act('pass')}>${t('pdk.pass')}</button>`}
        <button class="ic" disabled=${!verdict.ok} onClick=${() => act(verdict.at)}>${picked.length ? t('pdk.play', { x: playText(textOf(picked)) }) : t('pdk.play.none')}</button></div>`}
    ${p.details?.hands && html`<${Knowledge} details=${p.details} who=${name} rules=${rules} unseen=${null} />`}</div>`;
}

/** A trick or a few plays side by side, for "how to play". @param {string[]} plays @param {(i: number) => string} [say] */
const diagram = (plays, say) => (/** @type {string} */ label) => html`<div class="picture cardpic plays" role="img" aria-label=${label}>${plays.map((text, i) => html`<span key=${text} class="eg">
  <${Fan} cards=${dressText(text, deck)} label="" size=${36} strip=${text.length > 6 ? 15 : 14} />${say && html`<span class="sm mut">${say(i)}</span>`}</span>`)}</div>`;

/** @type {import('../lib/games.js').GameDrawing} */
export default {
  places: false, Board, Picture, Screen: CardTable, sample: SAMPLE, shade: 'pdk.belief.show', points: ['pdk.pts', 'pdk.points'],
  describe: (action) => actionText(action), typed: typedPlay, told,
  howto: [
    diagram(['6', '88', '34567', '4455', '55533', '7777'], (i) => [playWords('6', PLAIN), playWords('88', PLAIN), t('pdk.kind.straight'), t('pdk.kind.pairrun'), t('pdk.kind.tri'), t('pdk.kind.bomb')][i]),
    diagram(['3334445678']),
    diagram(['99', 'JJ', '3333']),
    diagram(['5', 'A', '2']),
    diagram(['K', '22']),
  ],
};
