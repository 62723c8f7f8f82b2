// Whether a page was sent cards of another seat before it might know them.
const RANKS = '3456789TJQKA2';
const SUITED = /[SHCD][3-9TJQKA2]/g;

/** The deals of a finished game, from its last state. @returns hands by seat, of each deal */
export const dealsOf = (state) => state.moves.filter((m) => m.by === null && m.action.startsWith('deal ')).map((m) => m.action.slice(5).split('/').map((h) => h.match(/../g) ?? []));

/** Every text inside a value, with the way to it. */
function* texts(value, path = '') {
  if (typeof value === 'string') yield [path, value];
  else if (value && typeof value === 'object') for (const [k, v] of Object.entries(value)) { yield [path, k]; yield* texts(v, `${path}.${k}`); }
}

/** What of a hand is left after what its seat played. */
function left(hand, played) {
  const ranks = hand.map((c) => c[1]);
  for (const r of played) ranks.splice(ranks.indexOf(r), 1);
  return ranks.sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)).join('');
}

/**
 * Findings in the frames sent to a seat (`null` for a spectator), each in words.
 * @param {string[]} frames
 * @param {number | null} seat
 * @param {string[][][]} deals the truth
 */
export function cardLeaks(frames, seat, deals) {
  const found = [];
  let deal = 0;
  for (const frame of frames) {
    const m = JSON.parse(frame);
    if (m.phase === 'over') break;
    if (m.type === 'state') deal = m.view.deal - 1;
    const others = deals[deal].map((_, s) => s).filter((s) => s !== seat && s < (m.view?.hands.length ?? deals[deal].length));
    // The suits of another's cards are never told, played or not; neither are those of cards that nobody has.
    const secret = new Set(deals[deal].filter((_, s) => s !== seat).flat());
    for (const [path, text] of texts(m)) {
      if (/^\.(id|seed_hash|server|title|seats)/.test(path)) continue;
      if (/^\.moves\.\d+\.action$/.test(path) && text.startsWith('deal ')) {
        // Deals of all of the match: one's own cards, the others' masked.
        text.slice(5).split('/').forEach((hand, s) => { if (s !== seat && !/^\?\d+$/.test(hand)) found.push(`the deal tells seat ${s}: ${hand}`); });
        continue;
      }
      for (const card of text.match(SUITED) ?? []) if (secret.has(card)) found.push(`${card} in ${m.type}${path}: ${text.slice(0, 60)}`);
    }
    if (m.type !== 'state') continue;
    const { view } = m;
    for (const s of others) {
      if (!/^\?\d+$/.test(view.hands[s])) found.push(`the hand of seat ${s} is told: ${view.hands[s]}`);
      const rest = left(deals[deal][s], view.played[s]);
      for (const [path, text] of texts(m)) if (rest.length > 2 && text === rest && !/^\.(moves|legal|view\.(hands\.|legal))/.test(path)) found.push(`what seat ${s} holds in ${path}`);
    }
    if (m.turn !== seat && (m.legal.length || view.legal)) found.push(`the plays of seat ${m.turn} are told`);
  }
  return found;
}
