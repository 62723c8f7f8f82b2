// @ts-check
/** What every screen may tell the frame around it, and what the server said of itself. */
import { Store } from './store.js';
import { api } from './api.js';

/** The line at the right of the header; on a phone where the back button leads, a name and a few words in place of the navigation. */
export const frame = new Store({ about: '', back: '', name: '', short: '' });

/** @type {Store<{ info: import('../types').Info | null, error: any }>} */
export const server = new Store({ info: null, error: null });

let infos = 0;

/** Asks the server what it is; only the newest question counts, for an older one was asked with another key. */
export async function askInfo() {
  const mine = ++infos;
  try {
    const info = await api.info();
    if (mine === infos) server.set({ info, error: null });
  } catch (error) {
    if (mine === infos) server.set({ error });
  }
}

/** Counts what changed the list of games, from wherever it was done. */
export const changed = new Store({ n: 0 });

/** The list of games is not what it was. */
export const gamesChanged = () => changed.set({ n: changed.value.n + 1 });

/** @type {Store<{ text: string, action: { label: string, run: () => void } | null, n: number }>} */
export const toast = new Store({ text: '', action: null, n: 0 });

/**
 * A short message at the foot of the page, with at most one thing to do.
 * @param {string} text
 * @param {{ label: string, run: () => void } | null} [action]
 */
export function say(text, action = null) {
  toast.set({ text, action, n: toast.value.n + 1 });
}

/** @param {string} where */
export const go = (where) => { location.hash = where; };

/** The page's title; a dot in front where it is the person's turn. @param {string} what @param {boolean} [turn] */
export function title(what, turn = false) {
  document.title = `${turn ? '● ' : ''}${what ? `${what} – ` : ''}kiebitz`;
}
