// Made-up messages of a card table: a position in which seat 0 has to beat a pair of nines, and nothing happens by itself.
import { info as boards } from './fixtures.mjs';

const RANKS = '3456789TJQKA2';
export const view = {
  to_move: 0, terminal: false, deal: 1, deals: 1, target: null, hands: ['3446678TTJJQQKK2', '?1', '?10'], counts: [16, 1, 10], kitty: 0,
  trick: { play: '99', by: 2, reading: ['pair', 1, 6, 0, false] }, passes: 0, leader: 2, locked: [], played: ['', '', ''], must_include: null,
  legal: ['TT', 'JJ', 'QQ', 'KK'], winner: null, finishing_order: [], plays_made: [0, 3, 2], bombs_paid_to: [], liable: null, scores: null, totals: [0, 0, 0],
};
const computer = (seat) => ({ seat, kind: 'computer', name: '', player: 'best:level=1', level: 1, taken: true, online: true, away_ms: null });
export const seats = [{ seat: 0, kind: 'here', name: '', player: null, level: null, taken: true, online: true, away_ms: null }, computer(1), computer(2)];
export const welcome = { type: 'welcome', id: 'mock', game: 'paodekuai', title: '', you: { seats: [0], owner: true }, rules: {}, seed_hash: '00', server: '0' };
export const state = {
  type: 'state', v: 7, phase: 'playing', view, view_of: 0, curtain: false, legal: ['TT', 'JJ', 'QQ', 'KK'], turn: 0, ply: 0, moves: [], seats,
  clock: { setting: { kind: 'none' }, left_ms: [], running: null }, can_undo: false, can_redo: false, hints: true, asked: null, scoring: null, outcome: null,
  count: null, rematch: [],
};
/** A clock of which every seat has used up some. */
export const clock = { setting: { kind: 'fischer', main_ms: 300000, increment_ms: 5000 }, left_ms: [290000, 185000, 200000], running: 0 };

/** The end of play: everybody's hand lies open. */
export function over({ hands = ['', '5', '3'], returns = [0, 0, 0], how = 'score', by = null, result, deals = 1 } = {}) {
  const best = Math.max(...returns);
  return {
    ...state, v: 9, phase: 'over', turn: null, legal: [],
    view: { ...view, to_move: null, terminal: true, deals, hands, counts: hands.map((h) => h.length), trick: { play: 'KK', by: 0, reading: ['pair', 1, 10, 0, false] }, legal: undefined, winner: how === 'score' ? hands.indexOf('') : null, scores: returns, totals: returns },
    outcome: { result: result ?? returns.map((x) => (x < 0 ? x : `+${x}`)).join(), winners: returns.flatMap((x, s) => (x === best && s !== by ? [s] : [])), returns: how === 'score' ? returns : [], how, by, seed: '1', seed_salt: '2' },
  };
}

const all = (p) => Object.fromEntries([...RANKS].map((r) => [r, r === '2' ? 0 : p]));
/** A hint; `evidence` is what the analysis says of the weights of the deals, and `reasons` those of the best play. */
export const hint = (id, { evidence, reasons = [{ code: 'paodekuai.beaten', subject: ['TT'], numbers: { chance: 0.49 } }] } = {}) => ({
  type: 'hint', id, v: state.v, seat: 0, queued: null, area: null, visits: 400, done: true,
  candidates: ['TT', 'JJ', 'QQ'].map((action, i) => ({ action, visits: 400, win_rate: { mean: 0.49, error: 0.01 }, points: { mean: -1.7 - i / 10, error: 0.1 }, loss: { mean: i / 10, error: 0.1 }, loss_in_points: true, pv: [action], proven: false, reasons: i ? [] : reasons })),
  details: { unseen: '', worlds: 100, proofs: [], hands: [{ seat: 1, cards: 1, holds: all(0.08), expected: all(0.08) }, { seat: 2, cards: 10, holds: all(0.6), expected: all(0.8) }], ...(evidence ? { evidence } : {}) },
});

export const info = { ...boards, games: [...boards.games, { id: 'paodekuai', titles: ['Pao De Kuai', '跑得快'], example: false, players_min: 2, players_max: 4, players_default: 3, hidden: true, options: [] }] };
/** A game of the lobby's list; what is seen there is what a spectator sees. */
export const summary = (id, more = {}) => ({
  id, game: 'paodekuai', title: '', phase: 'playing', seats, ply: 30, turn: 0, result: null, view: { ...view, hands: ['?16', '?1', '?10'], legal: undefined }, created: Date.now() - 7.2e6,
  updated: Date.now() - 3.6e6, yours: [0], broken: null, parent: null, ...more,
});
