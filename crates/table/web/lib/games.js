// @ts-check
/** Which drawing a game has: its own, or the generic board. */
import go from '../games/go.js';
import paodekuai from '../games/paodekuai.js';
import generic from '../games/_generic.js';

/**
 * What a game brings to the page.
 * @typedef {object} GameDrawing
 * @property {(p: BoardProps) => any} Board the board of a table
 * @property {(p: { view: any, label?: string }) => any} Picture a small picture of a position
 * @property {(action: string) => string} describe an action in words
 * @property {(p: { table: import('./ws.js').Table, live: import('./ws.js').Live, id: string }) => any} [Screen] a table of its own
 * @property {[string, string]} [points] the texts of points with their unit, short and in full, where the computer looks for points
 *   and not for the chance to win
 * @property {string} [shade] the text of what the review shows in place of territory
 * @property {any} [sample] a view for the picture of a game that was never played here
 * @property {((label: string) => any)[]} [howto] the diagrams of "how to play", one a section; the words are `howto.GAME.N.…`
 * @property {(line: string) => string | null} [typed] the action that a person means by a line of the command line; `null` for none
 * @property {(what: string, at: { view: any, rules: any, me: number | null, who: (seat: number) => string }) => string | null} [told] the command
 *   line's answer to `board` and `score`, where the page knows it itself
 * @property {boolean} places actions are places on the board that can be aimed at
 */
/**
 * @typedef {object} BoardProps
 * @property {any} view
 * @property {string[]} legal
 * @property {number} seat whose piece would be placed
 * @property {boolean} busy moves are not accepted now
 * @property {boolean} confirm
 * @property {string | null} aim
 * @property {(at: string | null) => void} onAim
 * @property {(action: string) => void} onAct
 * @property {(at: string | null) => void} [onLook]
 * @property {boolean} [free] every place may be chosen (scoring, what-if, set-up)
 * @property {boolean} [tap] a touch acts at once, nothing is aimed
 * @property {import('../games/go.js').Mark[]} [marks]
 * @property {{ at: string, seat: number, n: number }[]} [line]
 * @property {{ points: string[], chip: string } | null} [subject]
 * @property {{ at: string, seat: number, state: string } | null} [pending]
 * @property {number[] | null} [ownership]
 * @property {string[]} [dead]
 * @property {string[]} [area]
 * @property {{ rules: any, moves: { by: number | null, kind: string, action: string }[] }} [record] what led to the position of a review
 * @property {(seat: number) => string} [name] who sits there
 * @property {any} [details] what the analysis knows of the position
 */

/** @type {Record<string, GameDrawing>} */
const OWN = { go, paodekuai };

/** @param {string} id @returns {GameDrawing} */
export const drawingOf = (id) => OWN[id] ?? generic;
