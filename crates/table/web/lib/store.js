// @ts-check
/** What this browser keeps: settings, the tokens of its seats, the choices of the last game. */
import { useEffect, useState } from './html.js';

const PREFIX = 'kiebitz.';

/**
 * Reads a value; storage may be forbidden, then everything lasts as long as the page.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function load(key, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {any} value */
export function save(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch { /* full or forbidden: the page works on without */ }
}

/** @template T */
export class Store {
  /** @param {T} first */
  constructor(first) {
    this.value = first;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** @param {Partial<T>} change */
  set(change) {
    this.value = { ...this.value, ...change };
    for (const listener of [...this.listeners]) listener();
  }

  /** @param {() => void} listener */
  listen(listener) {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }
}

/**
 * The store's value, drawn again when it changes.
 * @template T
 * @param {Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [, again] = useState(0);
  useEffect(() => {
    again((n) => n + 1);
    return store.listen(() => again((n) => n + 1));
  }, [store]);
  return store.value;
}

/**
 * @typedef {object} Settings
 * @property {'light' | 'dark' | null} theme null follows the system
 * @property {boolean} confirm every move is aimed first
 * @property {boolean} keys single-letter shortcuts
 * @property {boolean} coords
 */
const KEEP = /** @type {(keyof Settings)[]} */ (['confirm', 'keys']);
const stored = load('settings', /** @type {Partial<Settings>} */ ({}));
/** @type {Store<Settings>} */
export const settings = new Store({ confirm: false, keys: true, coords: true, ...stored, theme: readTheme() });

/** @returns {'light' | 'dark' | null} */
function readTheme() {
  const now = document.documentElement.dataset.theme;
  return now === 'dark' || now === 'light' ? now : null;
}

/** @param {Partial<Settings>} change */
export function changeSettings(change) {
  settings.set(change);
  save('settings', Object.fromEntries(KEEP.map((k) => [k, settings.value[k]])));
}

/** Light or dark, as shown now. */
export const isDark = () => settings.value.theme === 'dark' || (settings.value.theme === null && matchMedia('(prefers-color-scheme: dark)').matches);

/** @param {'light' | 'dark'} theme */
export function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem(`${PREFIX}theme`, theme); } catch { /* see save */ }
  settings.set({ theme });
}

/** @param {string} lang */
export function keepLang(lang) {
  try { localStorage.setItem(`${PREFIX}lang`, lang); } catch { /* see save */ }
}

/**
 * The secrets of a game's seats in this browser.
 * @typedef {{ seats: { seat: number, token: string }[], watch?: string }} Held
 */
/** @type {Record<string, Held>} */
let held = load('tokens', {});

/** The owner key of this server, if this browser has it. */
export const ownerKey = () => load('owner', /** @type {string | null} */ (null));

/** @param {string} key */
export const keepOwnerKey = (key) => save('owner', key);

/** @param {string} id @param {{ seats?: { seat: number, token: string }[], watch?: string | null }} add */
export function keepTokens(id, add) {
  // Another tab may have added games meanwhile.
  held = load('tokens', held);
  const before = held[id] ?? { seats: [] };
  const fresh = (add.seats ?? []).filter((s) => s.token);
  held[id] = { seats: [...before.seats.filter((s) => !fresh.some((f) => f.seat === s.seat)), ...fresh] };
  const watch = add.watch ?? before.watch;
  if (watch) held[id].watch = watch;
  save('tokens', held);
}

/** Whether this browser has a token for a game. @param {string} id */
export function holds(id) {
  held = load('tokens', held);
  return held[id] !== undefined;
}

/** All tokens for one game, the owner key first. @param {string} id @returns {string[]} */
export function tokensOf(id) {
  held = load('tokens', held);
  const mine = held[id];
  const key = ownerKey();
  return [...(key ? [key] : []), ...(mine?.seats.map((s) => s.token) ?? []), ...(mine?.watch ? [mine.watch] : [])];
}

/** The token to ask with about one game: a seat's, else the owner's, else a spectator's. @param {string} id @returns {string | null} */
export function tokenOf(id) {
  const mine = load('tokens', held)[id];
  return mine?.seats[0]?.token ?? ownerKey() ?? mine?.watch ?? null;
}

/** The tokens of all games of this browser. @returns {string[]} */
export function allTokens() {
  held = load('tokens', held);
  return Object.values(held).flatMap((h) => [...h.seats.map((s) => s.token), ...(h.watch ? [h.watch] : [])]).slice(-100);
}

/** @param {string} id */
export function spectatorCode(id) { return load('tokens', held)[id]?.watch ?? null; }

/** A name for one attempt, unique enough: `randomUUID` is not there on plain http. */
export function attempt() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
