// @ts-check
/** Which drawing a game has: its own, or the generic board. */
import go from '../games/go.js';
import paodekuai from '../games/paodekuai.js';
import generic from '../games/_generic.js';

/** What a game brings to the page stands there. @typedef {import('./drawing').GameDrawing} GameDrawing */
/** @typedef {import('./drawing').BoardProps} BoardProps */

/** @type {Record<string, GameDrawing>} */
const OWN = { go, paodekuai };

/** @param {string} id @returns {GameDrawing} */
export const drawingOf = (id) => OWN[id] ?? generic;
