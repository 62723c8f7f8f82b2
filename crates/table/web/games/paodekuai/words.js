// @ts-check
/** The words of Pao De Kuai: plays, seats, results, what the passes prove. */
import { html } from '../../lib/html.js';
import { num, pct, t } from '../../lib/i18n.js';
import { cardName, rankText } from '../../lib/cards.js';
import { Pip } from '../../screens/panel.js';
import { RANKS, readOrder, readingOf, rulesOf } from './rules.js';

/** @typedef {ReturnType<typeof import('./rules.js').rulesOf>} Rules */
/** @typedef {import('../../types').SeatInfo} SeatInfo */

/** Ranks with gaps that do not break. @param {string} text */
export const ranksText = (text) => [...text].map(rankText).join('\u00a0');

/** A play the same way, in the order in which its cards lie on the table. @param {string} text */
export const playText = (text) => ranksText(readOrder(text));

/** A play or a pass, for lists that have no room for its kind. @param {string} action */
export const actionText = (action) => (action === 'pass' ? t('pdk.pass') : /^[3-9TJQKA2]+$/.test(action) ? playText(action) : action);

/** A play with its kind: `pair of 9s`. @param {string} text @param {Rules} rules */
export function playWords(text, rules) {
  if (text === 'pass') return t('pdk.pass');
  const r = readingOf(text, rules);
  const rank = r ? t(`pdk.ranks.${RANKS[r.key]}`) : '';
  return t(`pdk.play.${r?.kind ?? 'any'}`, { x: playText(text), rank });
}

/** The play that somebody types: ranks in any order, `10` or `T`, in either case, with or without blanks. @param {string} line @returns {string | null} */
export function typedPlay(line) {
  const ranks = line.toUpperCase().replace(/10/g, 'T').replace(/[\s,，、]+/g, '');
  return /^[3-9TJQKA2]+$/.test(ranks) ? [...ranks].sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)).join('') : null;
}

/**
 * What the command line answers: the table (`board`), or the points so far (`score`).
 * @param {string} what
 * @param {{ view: any, rules: any, me: number | null, who: (seat: number) => string }} at
 */
export function told(what, { view, rules, me, who }) {
  const seats = /** @type {number[]} */ (view.counts.map((/** @type {number} */ _, /** @type {number} */ s) => s));
  if (what === 'score') return seats.map((s) => `${who(s)} ${points(view.totals[s])}`).join(t('pdk.list'));
  if (what !== 'board') return null;
  const hand = (/** @type {number} */ s) => String(view.hands[s] ?? '').replace(/^\?.*/, '');
  const lines = seats.map((s) => t('pdk.opponent', { who: who(s), n: view.counts[s], x: num(view.counts[s]) }) + (hand(s) ? t('pdk.cli.hand', { x: ranksText(hand(s)) }) : ''));
  const { trick } = view;
  const turn = typeof view.to_move === 'number' ? view.to_move : null;
  if (trick) lines.push(t(trick.by === me ? 'pdk.you.play' : 'pdk.they.play', { who: who(trick.by), words: playWords(trick.play, rulesOf(rules)) }));
  else if (turn !== null) lines.push(t(turn === me ? 'pdk.lead.you' : 'pdk.lead.they', { who: who(turn) }));
  return lines.join('\n');
}

/** A seat seen from another: 1 the next one, -1 the one before, 0 opposite. @param {number} seat @param {number} me @param {number} players */
export function side(seat, me, players) {
  const d = (seat - me + players) % players;
  return players === 2 ? 'across' : d === 1 ? 'next' : d === players - 1 ? 'before' : 'across';
}

/**
 * What a seat is called at this table.
 * @param {SeatInfo[]} seats
 * @param {number} seat
 * @param {number | null} me whose side it is told from; null for a spectator
 */
export function seatWord(seats, seat, me) {
  const info = seats[seat];
  if (seat === me) return info?.name || t('seat.you');
  if (info?.name) return info.name;
  if (info?.kind === 'link' && !info.taken) return t('seat.open');
  return me === null ? t('seat.n', { x: seat + 1 }) : t(`pdk.side.${side(seat, me, seats.length)}`);
}

/** The seats as they sit around the table: from the one before one's own side (上家) on, one's own last. @param {number} players @param {number | null} me @returns {number[]} */
export const seatOrder = (players, me) => {
  const seats = [...Array(players).keys()];
  return me === null ? seats : seats.sort((a, b) => ((b - me + players) % players) - ((a - me + players) % players));
};

/** Points with their sign. @param {number} x */
export const points = (x) => (x > 0 ? '+' : '') + num(x, 0);

/** The sentence about the chosen cards. @param {ReturnType<typeof import('./rules.js').judge>} j @param {Rules} rules */
export function judgement(j, rules) {
  const more = j.more ? (j.more.length === 2 ? cardName(j.more) : rankText(j.more)) : '';
  const words = t(`pdk.why.${j.key}`, { x: playText(j.at), words: j.at ? playWords(j.at, rules) : '', trick: playText(j.trick), more });
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * What a proof says of a hand that is held now: all of it only shrinks, so it stays true.
 * @param {{ seat: number, proof: string, on: string, trick: number }} proof
 * @param {string} who
 * @param {Rules} rules
 */
export function proofText(proof, who, rules) {
  const on = playText(proof.on);
  const r = readingOf(proof.on, rules);
  const above = r ? [...RANKS].slice(r.key + 1).map(rankText) : [];
  const list = above.join(t('pdk.list'));
  if (proof.proof === 'kept_bombs') return t('pdk.proof.kept', { who, on });
  if (proof.proof === 'highest_single') return t('pdk.proof.single', { who, on, list });
  if (r?.kind === 'single') return above.length ? t('pdk.proof.none', { who, on, list }) : t('pdk.proof.bomb', { who, on });
  if (r?.kind === 'pair') return above.length ? t('pdk.proof.one', { who, on, list }) : t('pdk.proof.bomb', { who, on });
  return t('pdk.proof.passed', { who, on });
}

/**
 * How far the chances can be trusted, where they are weighted by how the others have played.
 * @param {{ worlds: number, evidence?: { model: string, ess: number } }} details
 */
export const evidenceText = ({ worlds, evidence }) => (evidence ? t('pdk.evidence', { model: evidence.model, ess: num(evidence.ess), worlds: num(worlds) }) : '');

/** Whether a bomb may still come, from what is unseen. @param {number[]} unseen */
export const bombText = (unseen) => {
  const left = unseen.flatMap((c, i) => (c === 4 ? [rankText(RANKS[i])] : []));
  return left.length ? t('pdk.bombs', { list: left.join(t('pdk.list')) }) : t('pdk.nobomb');
};

/**
 * Where everybody ends with the same points: nobody won them, but in a single deal somebody was out first.
 * @param {any} view
 * @param {(seat: number) => string} who
 */
export function evenWords(view, who) {
  const first = view?.winner ?? null;
  return first === null || view.deals > 1 || view.target ? t('pdk.over.draw') : t('pdk.over.even', { who: who(first) });
}

/** How the games that are not Go say who lost without an end of play. @type {Record<string, string>} */
const FORFEITS = { 'gave up': 'pdk.gaveup', 'ran out of time': 'pdk.timeout', wins: 'result.won.plain' };

/** What a player is called who has only a number. @param {number} seat */
const numbered = (seat) => t('seat.n', { x: seat + 1 });

/**
 * The result of a game that is not Go, of which the page knows no more than the text.
 * @param {string} result
 * @param {any} view
 * @param {(seat: number) => string} [player] what a seat is called
 * @param {number | null} [me] whose side it is told from
 */
export function resultWords(result, view, player = numbered, me = null) {
  // Seats count from 0 there, players from 1.
  const lost = /^(seat|player) (\d+) (gave up|ran out of time|wins)$/.exec(result);
  if (lost) return t(FORFEITS[lost[3]], { who: (lost[3] === 'wins' ? numbered : player)(Number(lost[2]) - Number(lost[1] === 'player')) });
  const mark = /^([XO]) wins$/.exec(result);
  if (mark) return t('result.won.plain', { who: mark[1] });
  if (result === 'draw') return t('result.draw');
  const scores = result.split(',').map(Number);
  if (scores.some(Number.isNaN)) return result;
  // A single number is the first player's, of two.
  if (scores.length === 1 && me !== null && scores[0] && (scores[0] > 0) === (me === 0)) return t('pdk.over.won', { x: points(Math.abs(scores[0])) });
  if (scores.length === 1) return scores[0] ? t('pdk.result', { who: player(scores[0] > 0 ? 0 : 1), scores: points(Math.abs(scores[0])) }) : t('result.draw');
  const best = Math.max(...scores);
  if (scores.every((s) => s === best)) return evenWords(view, player);
  if (me !== null && scores[me] === best) return t('pdk.over.won', { x: points(best) });
  const winners = scores.flatMap((s, i) => (s === best ? [player(i)] : []));
  return t('pdk.result', { who: winners.join(t('pdk.list')), scores: scores.map(points).join('\u00a0/\u00a0') });
}

/** The shape and colour of a seat in a ring. @param {{ seat: number, size?: number }} props */
export const SeatSign = ({ seat, size = 30 }) => html`<span class="sign" style=${{ '--sign': `${size}px` }}><${Pip} game="paodekuai" seat=${seat} size=${Math.round(size * 0.58)} /></span>`;

/**
 * Which cards are not seen yet (记牌器).
 * @param {{ unseen: number[] }} props
 */
export const Counter = ({ unseen }) => html`<table class="ctr" aria-label=${t('pdk.counter')}><thead><tr>${[...RANKS].map((r) => html`<th key=${r} scope="col">${rankText(r)}</th>`)}</tr></thead>
  <tbody><tr>${unseen.map((c, i) => html`<td key=${i} class=${c === 0 ? 'z' : c === 4 ? 'four' : ''}>${c}</td>`)}</tr></tbody></table>`;

/**
 * What may be known of the others' hands: the chance that each holds a card of a rank.
 * @param {{ hands: { seat: number, cards: number, holds: Record<string, number>, expected: Record<string, number> }[], name: (seat: number) => string }} props
 */
export const Beliefs = ({ hands, name }) => html`<div class="belief" role="region" aria-label=${t('pdk.belief')} tabindex="0"><table class="ctr">
  <caption>${t('pdk.belief.text')}</caption>
  <thead><tr><td></td>${[...RANKS].map((r) => html`<th key=${r} scope="col">${rankText(r)}</th>`)}</tr></thead>
  <tbody>${hands.map((h) => html`<tr key=${h.seat}><th scope="row"><${SeatSign} seat=${h.seat} size=${18} /><span class="sr">${name(h.seat)}</span></th>
    ${[...RANKS].map((r) => {
      const p = h.holds[r] ?? 0;
      return html`<td key=${r} class=${p === 0 ? 'z' : ''} style=${{ '--p': `${Math.round(p * 34)}%` }} title=${t('pdk.belief.cell', { p: pct(p), x: num(h.expected[r] ?? 0, 1) })}>${p === 0 ? '–' : num(100 * p)}</td>`;
    })}</tr>`)}</tbody></table></div>`;

/**
 * The deals of a match and what each brought.
 * @param {{ rows: number[][], totals: number[], names: string[], now?: boolean }} props
 */
export const Sheet = ({ rows, totals, names }) => html`<div class="sheetbox" role="region" aria-label=${t('pdk.sheet')} tabindex="0"><table class="count sheet">
  <thead><tr><th scope="col">${t('pdk.sheet.deal')}</th>${names.map((n, i) => html`<th key=${i} scope="col">${n}</th>`)}</tr></thead>
  <tbody>${rows.map((row, i) => html`<tr key=${i} class=${i === rows.length - 1 ? 'new' : ''}><th scope="row">${num(i + 1)}</th>${row.map((x, s) => html`<td key=${s}>${points(x)}</td>`)}</tr>`)}
  <tr class="sum"><th scope="row">${t('count.total')}</th>${totals.map((x, s) => html`<td key=${s}>${points(x)}</td>`)}</tr></tbody></table></div>`;

/** What each finished deal brought, from the totals before each. @param {number[][]} before totals before each deal, and at the end */
export const sheetRows = (before) => before.slice(1).map((after, i) => after.map((x, s) => x - (before[i][s] ?? 0)));

/** How many cards of a hand are told: all of them, or only that one is left. @param {number} n @param {Rules} rules */
export const countText = (n, rules) => (rules.show_counts || n <= 1 ? num(n) : '?');

