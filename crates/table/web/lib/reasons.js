// @ts-check
/** Reasons, results, rules and seats in words: the server sends codes and numbers. */
import { has, lang, num, pct, quarters, signed, t } from './i18n.js';
import { resultWords } from '../games/paodekuai/words.js';

/** @typedef {import('../types').ReasonData} Reason */
/** @typedef {import('../types').SeatInfo} SeatInfo */
/** @typedef {import('../types').Measured} Measured */

/** Numbers of a reason that are shares, shown as per cent; points have one decimal, all others none. */
const SHARES = new Set(['before', 'after', 'danger', 'utility', 'chance']);
const POINTS = new Set(['points', 'error']);

/** A share in per cent; what is neither impossible nor sure is not told to be. @param {number} v */
const share = (v) => (v > 0 && v < 0.005 ? `< ${pct(0.01)}` : v < 1 && v >= 0.995 ? `> ${pct(0.99)}` : pct(v));

/**
 * The sentence of a reason; one this page has no words for is shown as data, never dropped.
 * @param {Reason} r
 * @param {string} move the candidate it speaks for
 * @param {number} seat the seat to move
 */
export function sentence(r, move, seat) {
  const at = moveText(r.subject[0] ?? '');
  /** @type {Record<string, string | number>} */
  const args = { at, move, places: r.subject.map(moveText).join(r.code.startsWith('paodekuai.') ? t('pdk.list') : ' ') };
  const n = r.numbers ?? {};
  for (const [name, value] of Object.entries(n)) {
    const v = Number(value);
    args[name] = SHARES.has(name) && r.code !== 'paodekuai.plays_left' ? (name === 'chance' ? share(v) : pct(v)) : POINTS.has(name) ? num(Math.abs(v), 1) : num(v);
  }
  if ('stones' in n) args.n = n.stones;
  if ('worlds' in n) args.n = n.worlds;
  let key = `reason.${r.code}`;
  if ('color' in n) {
    args.owner = t(`seat.go.${n.color}`);
    args.enemy = t(`seat.go.${1 - n.color}`);
    key += n.color === seat ? '.own' : '.foe';
  } else if (r.code === 'go.lead') {
    key += Math.abs(n.points ?? 0) < 2 * (n.error ?? 0) || (n.points ?? 0) === 0 ? '.even' : '';
    args.owner = t(`seat.go.${(n.points ?? 0) < 0 ? 1 : 0}`);
  } else if (r.code === 'threat') {
    key += 'points' in n ? '.points' : '';
    args.enemy = t(`seat.go.${1 - seat}`);
  }
  if ('ess' in n) key += '.soft';
  if (r.code === 'paodekuai.sure_win' && 'place' in n) key += '.place';
  if ('before' in n && 'after' in n) key += n.after < n.before ? '.down' : '.up';
  for (const k of [key, key.replace(/\.(own|foe|up|down|even|points)/g, '')]) {
    if (has(k)) return t(k, args);
  }
  return [r.code, args.places, ...Object.entries(n).map(([k, v]) => `${k} ${num(Number(v), 2)}`)].join(' ');
}

/** Two words or a figure for the board. @param {Reason} r */
export function chip(r) {
  const n = r.numbers ?? {};
  if ('before' in n && 'after' in n) return t('chip.danger', { a: num(100 * n.before), b: pct(n.after) });
  if ('danger' in n) return t('chip.risk', { a: pct(n.danger) });
  if (r.code === 'threat') return 'points' in n ? t('chip.threat', { a: signed(-n.points) }) : signed(-100 * (n.utility ?? 0)) + '%';
  if (r.code === 'go.area') return t('chip.area', { a: signed(n.points ?? 0) });
  if ('stones' in n) return t('chip.stones', { n: n.stones });
  return '';
}

/** Who leads by how much in Go, with its error; empty where that is not known. @param {Record<string, any> | undefined} details */
export const leadText = (details) => (typeof details?.lead === 'number' ? sentence({ code: 'go.lead', subject: [], numbers: { points: details.lead, error: details.lead_error ?? 0 } }, '', 0) : '');

/** Why to look at an area, without telling the move; empty where there is nothing to say in words. @param {Reason} r @param {number} seat the seat to move */
export function lookWhy(r, seat) {
  const n = r.numbers ?? {};
  const key = `hint.why.${r.code}${'color' in n ? (n.color === seat ? '.own' : '.foe') : ''}`;
  return has(key) && (r.code !== 'threat' || 'points' in n) ? t(key, { points: num(Math.abs(n.points ?? 0), 1) }) : '';
}

/** A sign of its own for each kind of reason. @param {string} code */
export const reasonSign = (code) => (/danger|unsettled|atari|capture/.test(code) ? '▲' : /area|lead/.test(code) ? '◆' : '○');

/** What a seat is called. @param {string} game @param {number} seat */
export const seatColor = (game, seat) => (game === 'go' ? t(`seat.go.${seat}`) : t('seat.n', { x: seat + 1 }));

/**
 * Who sits there.
 * @param {SeatInfo} info
 * @param {number[]} yours
 * @param {string} game
 */
export function seatName(info, yours, game) {
  if (info.kind === 'computer') return info.level ? t('seat.computer', { level: info.level }) : (info.player ?? t('seat.program'));
  if (yours.includes(info.seat) && yours.length === 1) return info.name || t('seat.you');
  if (info.name) return info.name;
  if (info.kind === 'link') return info.taken ? t('seat.guest') : t('seat.open');
  return yours.includes(info.seat) ? seatColor(game, info.seat) : t('seat.guest');
}

/** Who else sits there: what a game is called without a title. @param {SeatInfo[]} seats @param {number[]} yours @param {string} game */
export function opponents(seats, yours, game) {
  const others = seats.filter((s) => !yours.includes(s.seat));
  const names = (others.length ? others : seats).map((s) => seatName(s, yours, game));
  // Equal names are told once, with their number.
  return [...new Set(names)].map((name) => { const x = names.filter((n) => n === name).length; return x > 1 ? t('choice.times', { x, name }) : name; }).join(' – ');
}

/** Whether the count is in 子. @param {any} view */
export const countsZi = (view) => lang() === 'zh-CN' && /^chinese/.test(view?.ruleset ?? '');

/**
 * A margin in the units of the ruleset.
 * @param {number} points without sign
 * @param {any} view
 */
export function margin(points, view) {
  const p = Math.abs(points);
  if (countsZi(view)) return t('unit.zi', { x: quarters(p / 2) });
  return t('unit.points', { n: p, x: num(p, p % 1 === 0 ? 0 : p % 0.5 === 0 ? 1 : 2) });
}

/** Points with their error: `+1.6 ± 0.9`. @param {Measured} m */
export const measured = (m) => (m.error > 0 ? `${signed(m.mean)}\u00a0±\u00a0${num(m.error, 1)}` : signed(m.mean));

/**
 * A result as one sentence.
 * @param {string | null | undefined} result in the game's own form
 * @param {string} game
 * @param {any} view
 * @param {(seat: number) => string} [named] what a seat is called, where it has more than a number
 * @param {number | null} [me]
 */
export function resultText(result, game, view, named, me) {
  if (!result) return '';
  if (game !== 'go') return resultWords(result, view, named, me);
  if (result === '0') return t('result.draw');
  const found = /^([BW])\+(.*)$/.exec(result);
  if (!found) return t('result.void');
  const who = t(`seat.go.${found[1] === 'B' ? 0 : 1}`);
  if (found[2] === 'R') return t('result.resign', { who });
  if (found[2] === 'T') return t('result.time', { who });
  if (found[2] === 'F' || found[2] === '') return t('result.won.plain', { who });
  return t('result.by', { who, by: margin(Number(found[2]), view) });
}

/** Komi in the ruleset's units. @param {any} view */
export const komiText = (view) => (countsZi(view) ? t('komi.zi', { x: quarters(view.komi / 2) }) : t('komi.points', { x: num(view.komi, view.komi % 1 === 0 ? 0 : view.komi % 0.5 === 0 ? 1 : 2) }));

/** The board, the rules and the komi in one line. @param {string} game @param {any} view */
export function rulesLine(game, view) {
  if (game !== 'go' || !view?.size) return '';
  const [w, h] = view.size;
  const parts = [w === h ? t('size.square', { n: w, x: w }) : t('size.oblong', { w, h }), t(`rules.${view.ruleset ?? 'own'}`), komiText(view)];
  if (view.handicap >= 2) parts.push(t('handicap.n', { n: view.handicap }));
  return parts.join(' · ');
}

/** @typedef {{ describe: (action: string) => string, points?: [string, string] }} Words */
/** @type {Words | null} */
let words = null;

/** From now on moves and points are said as this game says them. @param {Words | null} of */
export const wordsOf = (of) => { words = of; };

/** Whether the computer looks for points, so that its candidates are compared by them: its utility is no chance to win then. */
export const seeksPoints = () => words?.points !== undefined;

/** Points with their unit, short or in full. @param {string} x @param {0 | 1} full */
export const pointsText = (x, full) => t((words?.points ?? ['unit.pts.of', 'review.points'])[full], { x });

/** A move as the game says it. @param {string} action */
export const moveText = (action) => (words ? words.describe(action) : action === 'pass' ? t('pass.word') : action);
