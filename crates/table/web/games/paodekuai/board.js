// @ts-check
/** A position of Pao De Kuai with all that is known of the hands, for the review. */
import { html, useEffect, useMemo, useState } from '../../lib/html.js';
import { t } from '../../lib/i18n.js';
import { CardHand, Fan, cardPrefs } from '../../lib/cards.js';
import { useStore } from '../../lib/store.js';
import { dealsOf, deckOf, dressText, inOrder, judge, rulesOf, sortHand, textOf } from './rules.js';
import { Knowledge } from './panels.js';
import { SeatSign, judgement, playText, playWords, points, ranksText } from './words.js';

/** The position of a review: all hands open, and a play of one's own to be tried. @param {import('../../lib/games.js').BoardProps} p */
export function Board(p) {
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
    ${(p.order ?? view.hands.map((/** @type {string} */ _, /** @type {number} */ s) => s)).map((/** @type {number} */ s) => [s, String(view.hands[s])]).map((/** @type {[number, string]} */ [s, text]) => (s === turn ? null : html`<div key=${s} class="row"><${SeatSign} seat=${s} size=${24} />
      <span class="nm">${name(s)} <b>${points(view.totals[s])}</b></span>${text ? html`<${Fan} cards=${cardsOf(s)} label=${ranksText(text)} size=${38} strip=${19} />` : html`<span class="mut">${t('pdk.isout')}</span>`}</div>`))}
    <div class="mid">${top.length ? html`<${Fan} cards=${inOrder(top, view.trick.play)} label=${playText(view.trick.play)} /><p class="sm mut">${t(name(view.trick.by) === t('seat.you') ? 'pdk.you.play' : 'pdk.they.play', { who: name(view.trick.by), words: playWords(view.trick.play, rules) })}</p>` : html`<p class="mut">${turn === null ? '' : t('pdk.lead.they', { who: name(turn) })}</p>`}</div>
    ${turn !== null && verdict && html`<div class="row own"><${SeatSign} seat=${turn} size=${24} /><span class="nm">${name(turn)} <b>${points(view.totals[turn])}</b></span></div>
      <${CardHand} cards=${hand} chosen=${chosen} onChosen=${setChosen} onPlay=${() => { if (verdict.ok) act(verdict.at); }} label=${t('pdk.hand.of', { who: name(turn) })} described="pdk-why" />
      <div class="handbar"><p class="why" id="pdk-why">${picked.length ? judgement(verdict, rules) : t('pdk.try')}</p>
        ${legal.includes('pass') && html`<button class="ic" onClick=${() => act('pass')}>${t('pdk.pass')}</button>`}
        <button class="ic" disabled=${!verdict.ok} onClick=${() => act(verdict.at)}>${picked.length ? t('pdk.play', { x: playText(textOf(picked)) }) : t('pdk.play.none')}</button></div>`}
    ${p.details?.hands && html`<${Knowledge} details=${p.details} who=${name} rules=${rules} unseen=${null} order=${p.order} />`}</div>`;
}
