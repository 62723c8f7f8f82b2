// Made-up messages for the states of the guide: the position of the pictures, with sample figures.
import { readFileSync } from 'node:fs';

export const rows = JSON.parse(readFileSync(new URL('../fixtures/position.json', import.meta.url)));
const letters = 'ABCDEFGHJKLMNOPQRST';
const empty = rows.flatMap((r, y) => [...r].map((c, x) => (c === '.' ? `${letters[x]}${19 - y}` : '')).filter(Boolean));
export const view = {
  size: [19, 19], ruleset: 'chinese', komi: 7.5, handicap: 0, board: rows, to_move: 0, terminal: false, ply: 30, passes: 0,
  last: { by: 1, action: 'E11' }, ko: [], captures: [0, 0], button: null, dead: [], owner: [], score: 0, result: null, rules: {},
};
export const seats = [
  { seat: 0, kind: 'here', name: '', player: null, level: null, taken: true, online: true, away_ms: null },
  { seat: 1, kind: 'computer', name: '', player: 'best:level=5', level: 5, taken: true, online: true, away_ms: null },
];
export const welcome = { type: 'welcome', id: 'mock', game: 'go', title: '', you: { seats: [0], owner: true }, rules: {}, seed_hash: '00', server: '0' };
const played = ['D17', 'E17', 'C16', 'C13', 'E16', 'D10', 'H16', 'C10', 'Q16', 'R11', 'O17', 'R10', 'C6', 'B4', 'E4', 'D4', 'J3', 'F3', 'N4', 'F4', 'P4', 'Q3', 'O3', 'P3', 'D9', 'F4', 'C9', 'D10', 'E10', 'E11'];
export const state = {
  type: 'state', v: 31, phase: 'playing', view, view_of: 0, curtain: false, legal: [...empty, 'pass'], turn: 0, ply: 30,
  moves: played.map((action, i) => ({ by: i % 2, kind: 'action', action, ms: null })), seats,
  clock: { setting: { kind: 'none' }, left_ms: [], running: null }, can_undo: true, can_redo: false, hints: true, asked: null, scoring: null,
  outcome: null, count: null, rematch: [],
};
const ownership = rows.flatMap((r, y) => [...r].map((c, x) => Math.max(-1, Math.min(1, (x < 9 ? 0.7 : -0.55) * Math.cos(x / 4) + (y > 9 ? 0.2 : 0) + (c === 'X' ? 0.7 : c === 'O' ? -0.7 : 0)))));
const candidate = (action, mean, error, loss, reasons, pv) => ({ action, visits: 413, win_rate: { mean, error }, points: { mean: 1.6 - loss, error: 0.9 }, loss: { mean: loss, error: 0.5 }, loss_in_points: true, pv: [action, ...pv], proven: false, reasons });
export const candidates = [
  candidate('F11', 0.52, 0.013, 0, [
    { code: 'go.group_danger', subject: ['E10'], numbers: { color: 0, stones: 1, before: 0.38, after: 0.14 } },
    { code: 'go.area', subject: ['H9'], numbers: { points: 3.4 } },
    { code: 'threat', subject: ['F10'], numbers: { points: 7.1 } },
    { code: 'go.lead', subject: [], numbers: { points: 1.6, error: 0.9 } },
  ], ['F10', 'G10', 'G9', 'H10', 'F9']),
  candidate('F10', 0.506, 0.014, 0.6, [{ code: 'go.area', subject: ['G9'], numbers: { points: 2.1 } }], ['F11', 'G11']),
  candidate('R10', 0.489, 0.015, 1.3, [{ code: 'go.area', subject: ['R8'], numbers: { points: 1.2 } }], ['Q10', 'R9']),
];
export const hint = (id, v = 31) => ({ type: 'hint', id, v, seat: 0, queued: null, area: { places: ['F11', 'F10', 'E10', 'G10'], reason: null }, candidates, visits: 1240, details: { ownership, lead: 1.6, lead_error: 0.9, unsettled: [] }, done: true });
export const count = { scoring: 'area', unit: 'zi', sides: [{ stones: 150, territory: 36, prisoners: 0, group_tax: 0, handicap: 0, komi: 0, total: 186 }, { stones: 140, territory: 31, prisoners: 0, group_tax: 0, handicap: 0, komi: 7.5, total: 178.5 }], margin: 7.5, result: 'B+7.5', owner: rows.map((r, y) => [...r].map((c, x) => (x < 10 ? 'X' : 'O')).join('')) };
export const scoring = {
  pending: false, dead: ['R11', 'R10'], accepted: [false, true], open_points: false, count,
  groups: [{ color: 1, stones: ['R11', 'R10'], status: 'dead', certain: false, danger: 0.97, dead: true }, { color: 0, stones: ['C6'], status: 'unknown', certain: false, danger: 0.42, dead: false }, { color: 1, stones: ['C13'], status: 'dead', certain: true, danger: 1, dead: false }],
};
export const info = {
  version: '0.1.0', owner: true, mode: 'local', link_base: 'http://127.0.0.1:8000', players: ['best', 'uct'],
  games: [
    { id: 'go', titles: ['Go', '围棋'], example: false, players_min: 2, players_max: 2, players_default: 2, hidden: false, options: [{ key: 'size', values: [19, 9, 13] }] },
    { id: 'tictactoe', titles: ['Tic-tac-toe', '井字棋'], example: true, players_min: 2, players_max: 2, players_default: 2, hidden: false, options: [] },
    { id: 'kuhn', titles: ['Kuhn poker', '库恩扑克'], example: true, players_min: 2, players_max: 2, players_default: 2, hidden: true, options: [] },
  ],
};
const summary = (id, more) => ({ id, game: 'go', title: '', phase: 'playing', seats, ply: 30, turn: 0, result: null, view, created: Date.now() - 7.2e6, updated: Date.now() - 3.6e6, yours: [0], broken: null, parent: null, ...more });
export const games = [summary('a', {}), summary('b', { title: 'Club evening', turn: 1, updated: Date.now() - 8e7 }), summary('c', { phase: 'over', turn: null, result: 'W+2.5', ply: 211, updated: Date.now() - 2e8 })];
/** Every position of the sample game: the last one is the picture's, the others add stones one by one. */
export const positions = () => {
  const list = [{ step: 0, by: null, kind: 'start', action: '', comment: null, turn: 0, view: { ...view, board: rows.map(() => '.'.repeat(19)), last: null } }];
  const shown = rows.map(() => '.'.repeat(19));
  played.forEach((action, i) => {
    const [x, y] = [letters.indexOf(action[0]), 19 - Number(action.slice(1))];
    shown[y] = shown[y].slice(0, x) + (i % 2 ? 'O' : 'X') + shown[y].slice(x + 1);
    list.push({ step: i + 1, by: i % 2, kind: 'action', action, comment: null, turn: (i + 1) % 2, view: { ...view, board: i === 29 ? rows : [...shown], last: { by: i % 2, action } } });
  });
  return { id: 'mock', game: 'go', title: '', yours: [0], seats, v: 31, result: null, positions: list };
};
export const review = () => {
  let value = 0.5;
  const moves = played.map((action, i) => {
    value += (((i * 7919) % 13) - 6) / 900 + (i === 12 ? 0.08 : i === 24 ? -0.11 : 0);
    const mine = i % 2 === 0 ? value : 1 - value;
    const bad = i === 23 || i === 11;
    return {
      number: i + 1, step: i, seat: i % 2, action, best: bad ? 'C6' : action, pv: [bad ? 'C6' : action, 'D7', 'F6'], win_rate: { mean: mine, error: 0.014 }, points: { mean: (mine - 0.5) * 40, error: 0.9 },
      loss: { mean: bad ? (i === 23 ? 4 : 3) : 0.1, error: 0.8 }, loss_in_points: true, mistake: bad, pass: 'fine', visits: 400,
      reasons: bad ? candidates[0].reasons.slice(0, 2) : [],
    };
  });
  return { status: 'complete', pass: 'complete', done: 30, total: 30, v: 31, player: 'uct', moves, worst: [23, 11], error: null };
};
