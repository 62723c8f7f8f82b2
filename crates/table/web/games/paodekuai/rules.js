// @ts-check
/**
 * What the page knows of the rules of Pao De Kuai: the deck, what was played by whom, and why a set of cards may not be played.
 * The server alone decides what is legal; this only finds the words.
 */

/** @typedef {import('../../lib/cards.js').Card} Card */
/** @typedef {{ by: number | null, kind: string, action: string, returns?: number[] | null }} Move */

export const RANKS = '3456789TJQKA2';
const SUITS = 'SHCD';
const ACE = RANKS.indexOf('A');
/** @type {Record<string, string[]>} */
const REMOVED = { d48: ['H2', 'C2', 'D2', 'SA'], d45: ['H2', 'C2', 'D2', 'SA', 'CA', 'DA', 'DK'], d52: [] };

/** What the presets change of the options that this page speaks about. @type {Record<string, Record<string, any>>} */
const PRESETS = {
  classic15: { deck: 'd45' }, duel15: { deck: 'd45' }, four13: { deck: 'd52' }, free: { must_beat: false }, hunan: { bird: 'HT' },
  strictshort: { plane_range: true, lead_include: false, baodan: 'off' },
  zsy: { deck: 'd52', end: 'ranking', must_beat: false, triple_kickers: [0], pairrun_min: 3, straight_min: 3, baodan: 'off' },
};
/** @type {{ deck: string, lead_card: string, must_beat: boolean, straight_min: number, pairrun_min: number, triple_kickers: number[], quad_kickers: number[], bomb_split: boolean,
 *   triple_bombs: string, baodan: string, end: string, bird: string, show_counts: boolean, removed: string[] | null, plane_range: boolean }} */
const DEFAULTS = {
  deck: 'd48', lead_card: 'S3', must_beat: true, straight_min: 5, pairrun_min: 2, triple_kickers: [2], quad_kickers: [], bomb_split: true,
  triple_bombs: '', baodan: 'must_max', end: 'first_out', bird: '', show_counts: true, removed: null, plane_range: false,
};

/** All options that matter here, from the record's difference. @param {any} rules @returns {typeof DEFAULTS} */
export const rulesOf = (rules) => ({ ...DEFAULTS, ...(PRESETS[rules?.preset] ?? {}), ...(rules ?? {}) });

/** @param {ReturnType<typeof rulesOf>} rules @returns {Card[]} */
export function deckOf(rules) {
  const gone = new Set(rules.removed ?? REMOVED[rules.deck] ?? []);
  return [...RANKS].flatMap((r) => [...SUITS].map((s) => s + r)).filter((c) => !gone.has(c));
}

/** @param {string} text @returns {number[]} how many of each rank */
export function countsOf(text) {
  const counts = Array(RANKS.length).fill(0);
  for (const r of text) if (RANKS.includes(r)) counts[RANKS.indexOf(r)] += 1;
  return counts;
}

/** The text of a play: its ranks, low to high. @param {Iterable<Card>} cards */
export const textOf = (cards) => [...cards].map((c) => c[1]).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)).join('');

const bySuit = (/** @type {Card} */ a, /** @type {Card} */ b) => RANKS.indexOf(a[1]) - RANKS.indexOf(b[1]) || SUITS.indexOf(a[0]) - SUITS.indexOf(b[0]);

/** A hand as it lies: by rank, or fours, threes, pairs and singles apart. @param {Card[]} cards @param {boolean} byGroup */
export function sortHand(cards, byGroup) {
  const counts = countsOf(textOf(cards));
  const n = (/** @type {Card} */ c) => counts[RANKS.indexOf(c[1])];
  return [...cards].sort((a, b) => (byGroup ? n(b) - n(a) : 0) || bySuit(a, b));
}

/** @typedef {{ by: number, action: string, cards: Card[] }} Play */
/** @typedef {{ hands: (Card[] | null)[], plays: Play[], before: number[], left: (Card[] | null)[] }} Deal */

/** Two letters a card. @param {string} text @returns {Card[] | null} */
const parseCards = (text) => (/^\?|^$/.test(text) ? null : text.match(/../g) ?? []);

/**
 * The deals so far: who was dealt what (as far as it is known), who played what, and what earlier deals had brought.
 *
 * Plays have no suits, since the rules look at ranks alone. One's own cards keep theirs; the cards of others are dressed in the
 * suits that are left of their rank, always in the same order, which says nothing about who held which.
 * @param {Move[]} moves
 * @param {number} players
 * @param {ReturnType<typeof rulesOf>} rules
 * @param {Record<string, Card[]>} [picks] which cards one's own plays took, by `deal:play`
 * @returns {Deal[]}
 */
export function dealsOf(moves, players, rules, picks = {}) {
  /** @type {Deal[]} */
  const deals = [];
  for (const m of moves) {
    if (m.kind !== 'action') continue;
    if (m.by === null) {
      if (!/^deal |^\?$/.test(m.action)) continue;
      const parts = m.action === '?' ? [] : m.action.slice(5).split('/');
      deals.push({ hands: Array.from({ length: players }, (_, i) => parseCards(parts[i] ?? '?')), plays: [], before: m.returns ?? [], left: [] });
      continue;
    }
    // A position that was set up has no deal.
    if (!deals.length) deals.push({ hands: Array(players).fill(null), plays: [], before: [], left: [] });
    deals[deals.length - 1].plays.push({ by: m.by, action: m.action, cards: [] });
  }
  deals.forEach((deal, no) => dress(deal, no, rules, picks));
  return deals;
}

/** Gives every play its cards. @param {Deal} deal @param {number} no @param {ReturnType<typeof rulesOf>} rules @param {Record<string, Card[]>} picks */
function dress(deal, no, rules, picks) {
  const known = new Set(deal.hands.flatMap((h) => h ?? []));
  // The lead card is the leader's; the bird's owner is a secret of the deal: it is taken last of its rank.
  const last = (/** @type {Card} */ c) => Number(c === rules.bird || c === rules.lead_card);
  const rest = deckOf(rules).filter((c) => !known.has(c)).sort((a, b) => last(a) - last(b) || bySuit(a, b));
  deal.left = deal.hands.map((h) => (h ? [...h].sort(bySuit) : null));
  deal.plays.forEach((play, i) => {
    if (play.action === 'pass') return;
    const from = deal.left[play.by] ?? rest;
    const wish = picks[`${no}:${i}`] ?? [];
    const fits = deal.left[play.by] && textOf(wish) === play.action && wish.every((c) => from.includes(c));
    for (const rank of play.action) {
      const lead = i === 0 && from.includes(rules.lead_card) && rules.lead_card[1] === rank ? rules.lead_card : null;
      const card = (fits ? wish.find((c) => c[1] === rank && from.includes(c)) : lead) ?? from.find((c) => c[1] === rank);
      if (!card) continue;
      from.splice(from.indexOf(card), 1);
      play.cards.push(card);
    }
  });
}

/** Cards for ranks whose suits are not known, in order of the deck. @param {string} text @param {Card[]} deck */
export function dressText(text, deck) {
  const rest = [...deck];
  return [...text].flatMap((r) => {
    const i = rest.findIndex((c) => c[1] === r);
    return i < 0 ? [] : rest.splice(i, 1);
  });
}

/**
 * Plays by tricks, each from its lead on.
 * @param {Play[]} plays
 * @param {number} players
 * @param {number} size cards of a hand at the beginning
 * @returns {Play[][]}
 */
export function tricksOf(plays, players, size) {
  /** @type {Play[][]} */
  const tricks = [];
  const left = Array(players).fill(size);
  let owner = -1;
  let passed = new Set();
  for (const play of plays) {
    if (play.action !== 'pass') {
      const waiting = left.some((n, s) => n > 0 && s !== owner && !passed.has(s));
      if (play.by === owner || owner < 0 || (left[owner] === 0 && !waiting)) tricks.push([]);
      owner = play.by;
      left[play.by] -= play.action.length;
      passed = new Set();
    } else passed.add(play.by);
    tricks[tricks.length - 1]?.push(play);
  }
  return tricks;
}

/** @typedef {{ kind: 'single' | 'pair' | 'straight' | 'pairrun' | 'tri' | 'plane' | 'quad' | 'bomb', size: number, key: number, full: boolean }} Reading */

/** How a lead of these cards is read; `null` for no combination. @param {string} text @param {ReturnType<typeof rulesOf>} rules @returns {Reading | null} */
export function readingOf(text, rules) {
  const counts = countsOf(text);
  const n = text.length;
  const ranks = counts.flatMap((c, r) => (c ? [r] : []));
  const run = (/** @type {number[]} */ rs) => rs.every((r, i) => i === 0 || r === rs[i - 1] + 1) && rs[rs.length - 1] <= ACE;
  const top = ranks[ranks.length - 1];
  const read = (/** @type {Reading['kind']} */ kind, /** @type {number} */ size, /** @type {number} */ key, full = true) => ({ kind, size, key, full });
  if (ranks.length === 1 && (n === 4 || (n === 3 && rules.triple_bombs.includes(RANKS[top])))) return read('bomb', 1, top);
  if (n === 1) return read('single', 1, top);
  if (n === 2 && ranks.length === 1) return read('pair', 1, top);
  if (n >= rules.straight_min && counts.every((c) => c < 2) && run(ranks)) return read('straight', n, top);
  if (ranks.length >= rules.pairrun_min && ranks.every((r) => counts[r] === 2) && run(ranks)) return read('pairrun', ranks.length, top);
  const kickers = rules.triple_kickers;
  /** @type {Reading | null} */
  let short = null;
  for (let k = Math.floor(n / 3); k >= 1; k--) {
    for (let r = RANKS.length - k; r >= 0; r--) {
      const body = Array.from({ length: k }, (_, i) => r + i);
      if (!body.every((b) => counts[b] >= 3) || (k > 1 && !run(body)) || (k === 1 && counts[r] > 3)) continue;
      const w = n - 3 * k;
      const full = kickers.some((c) => c * k === w) || (rules.plane_range && k > 1 && w >= k && w <= 2 * k);
      const found = read(k > 1 ? 'plane' : 'tri', k, r + k - 1, full);
      if (full) return found;
      if (w < k * Math.max(...kickers)) short ??= found;
    }
  }
  if (short) return short;
  const four = counts.indexOf(4);
  return four >= 0 && rules.quad_kickers.includes(n - 4) ? read('quad', 1, four) : null;
}

/** Every kind with cards carried along, under whatever rules. */
const ANY = { ...DEFAULTS, triple_kickers: [0, 1, 2], quad_kickers: [1, 2, 3] };

/** The ranks of a play as it is read: the body of a triple, airplane or four before what it carries. @param {string} text */
export function readOrder(text) {
  const usual = readingOf(text, DEFAULTS);
  const r = usual?.full ? usual : readingOf(text, ANY);
  if (!r || !['tri', 'plane', 'quad'].includes(r.kind)) return text;
  const each = r.kind === 'quad' ? 4 : 3;
  const body = [...RANKS].slice(r.key - r.size + 1, r.key + 1);
  const rest = body.reduce((left, rank) => left.replace(rank.repeat(each), ''), text);
  return body.map((rank) => rank.repeat(each)).join('') + rest;
}

/** The cards of a play in the order in which it is read. @param {Card[]} cards @param {string} text */
export const inOrder = (cards, text) => dressText(readOrder(text), cards);

/**
 * What is to be said about the cards that are chosen: whether they may be played, and if not why not.
 * @param {object} p
 * @param {Card[]} p.chosen
 * @param {Card[]} p.hand
 * @param {string[]} p.legal
 * @param {any} p.view
 * @param {number} p.seat
 * @param {ReturnType<typeof rulesOf>} p.rules
 * @returns {{ ok: boolean, key: string, at: string, trick: string, more?: string }} `more` is a rank or a card
 */
export function judge({ chosen, hand, legal, view, seat, rules }) {
  const at = textOf(chosen);
  const trick = view.trick?.play ?? '';
  const say = (/** @type {string} */ key, ok = false, more = '') => ({ ok, key, at, trick, more });
  // With the lead card in hand any card of its rank would be accepted, but it is that card which must be played.
  const lead = view.must_include && hand.includes(rules.lead_card) && rules.lead_card[1] === view.must_include ? rules.lead_card : null;
  if (!at) {
    if (view.must_include) return say('card', false, lead ?? view.must_include);
    if (!trick) return say('lead');
    if (!legal.includes('pass')) return say('must');
    return say(legal.length > 1 ? 'may' : 'pass');
  }
  if (legal.includes(at)) return lead && !chosen.includes(lead) ? say('card', false, lead) : say(trick ? 'beats' : 'ok', true);
  const r = readingOf(at, rules);
  if (!r || (!r.full && !r.size)) return say('combination');
  if (!r.full && at.length < hand.length) return say('kickers');
  if (view.must_include && !at.includes(view.must_include)) return say('card', false, lead ?? view.must_include);
  const n = view.counts.length;
  const next = [...Array(n - 1).keys()].map((i) => (seat + 1 + i) % n).find((s) => view.counts[s] > 0);
  const singles = legal.filter((a) => a.length === 1);
  if (r.kind === 'single' && rules.baodan === 'must_max' && next !== undefined && view.counts[next] === 1 && singles.length && RANKS.indexOf(singles[0]) > r.key) {
    return say('baodan', false, singles[0]);
  }
  const mine = countsOf(textOf(hand));
  if (!rules.bomb_split && countsOf(at).some((c, i) => c > 0 && c < 4 && mine[i] === 4)) return say('split');
  if (trick) {
    const [kind, size, key] = view.trick.reading;
    const same = (r.kind === 'plane' ? 'tri' : r.kind) === kind;
    if (!same) return say('kind');
    if (r.size !== size) return say('length');
    return say(r.key <= key ? 'higher' : 'kind');
  }
  return say('other');
}

/** How many of each rank are neither one's own nor played. @param {any} view @param {string} own @param {ReturnType<typeof rulesOf>} rules */
export function unseenOf(view, own, rules) {
  const left = countsOf(textOf(deckOf(rules)));
  for (const text of [own, ...view.played]) countsOf(text).forEach((c, i) => { left[i] -= c; });
  return left.map((c) => Math.max(0, c));
}
