// @ts-check
/** The HTTP part of the protocol. Types: `types.d.ts`, made from the server's. */
import { has, lang, t } from './i18n.js';
import { errorKey } from './errors.js';
import { allTokens, keepTokens, ownerKey, tokenOf } from './store.js';

/** @typedef {import('../types').Created} Created */

/** What the server refused, or why it could not be reached (`code` is `offline`). */
export class ApiError extends Error {
  /** @param {string} code @param {string} message @param {number} status */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/**
 * An error in the person's language; the server's English sentence where this page has no words of its own.
 * @param {any} error
 */
export function errorText(error) {
  const key = error?.code ? errorKey(String(error.code), has) : null;
  if (key) return t(key, { what: String(error.message ?? '') });
  return error?.message ? t('err.sentence', { what: String(error.message) }) : t('err.unknown');
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: any, token?: string | null, text?: boolean, raw?: Blob | string, type?: string, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 */
export async function call(method, path, { body, token = ownerKey(), text = false, raw, type, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (type) headers['Content-Type'] = type;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: raw ?? (body === undefined ? undefined : JSON.stringify(body)), credentials: 'same-origin', signal });
  } catch {
    throw new ApiError('offline', t('err.offline'), 0);
  }
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    throw new ApiError(told.code ?? `http.${answer.status}`, told.message ?? `${answer.status} ${answer.statusText}`, answer.status);
  }
  if (answer.status === 204) return null;
  return text ? answer.text() : answer.json();
}

const game = (/** @type {string} */ id) => `/api/games/${encodeURIComponent(id)}`;

/** @param {Created} created */
function keep(created) {
  keepTokens(created.id, { seats: created.tokens, watch: created.watch });
  return created;
}

export const api = {
  /** What the server is, and whether this key is its owner's. @param {string | null} [token] @returns {Promise<import('../types').Info>} */
  info: (token) => call('GET', '/api/info', { token }),
  /** @param {string} name @param {Record<string, any>} rules @returns {Promise<import('../types').Defaults>} */
  defaults: (name, rules) => call('POST', '/api/defaults', { body: { game: name, rules } }),
  /** @param {import('../types').CreateGame} wanted @returns {Promise<Created>} */
  create: async (wanted) => keep(await call('POST', '/api/games', { body: wanted })),
  /** @param {string} code @param {string} name @returns {Promise<import('../types').Joined>} */
  join: async (code, name) => {
    const joined = await call('POST', '/api/join', { body: { code, name } });
    keepTokens(joined.id, { seats: joined.token ? [joined.token] : [], watch: joined.watch });
    return joined;
  },
  /** My games: all of them for the owner, else those this browser has tokens for. @param {boolean} owner @returns {Promise<import('../types').GameList>} */
  mine: (owner) => (owner ? call('GET', '/api/games') : call('POST', '/api/mine', { body: { tokens: allTokens() } })),
  /** @param {string} id @param {import('../types').ChangeGame} change */
  change: (id, change) => call('PATCH', game(id), { body: change, token: ownerKey() ?? tokenOf(id) }),
  /** @param {string} id @returns {Promise<Created>} */
  links: async (id) => keep(await call('POST', `${game(id)}/links`, { body: {}, token: tokenOf(id) })),
  /** @param {string} id @returns {Promise<import('../types').Positions>} */
  positions: (id) => call('GET', `${game(id)}/positions`, { token: tokenOf(id) }),
  /** @param {string} id @param {import('../types').Branch} wanted @returns {Promise<Created>} */
  branch: async (id, wanted) => keep(await call('POST', `${game(id)}/branch`, { body: wanted, token: tokenOf(id) })),
  /** The owner's own questions are not limited, so the owner key goes first. @param {string} id @param {import('../types').Analyse} wanted @param {AbortSignal} [signal] @returns {Promise<import('../types').Analysed>} */
  analyse: (id, wanted, signal) => call('POST', `${game(id)}/analyse`, { body: wanted, token: ownerKey() ?? tokenOf(id), signal }),
  /** @param {string} id @returns {Promise<import('../types').ReviewState>} */
  startReview: (id) => call('POST', `${game(id)}/review`, { body: {}, token: ownerKey() ?? tokenOf(id) }),
  /** @param {string} id @returns {Promise<import('../types').ReviewState>} */
  review: (id) => call('GET', `${game(id)}/review`, { token: tokenOf(id) }),
  /** @param {string} id @param {string} what @returns {Promise<import('../types').TextAnswer>} */
  ask: (id, what) => call('POST', `${game(id)}/text`, { body: { what }, token: tokenOf(id) }),
  /** @param {Blob | string} data @returns {Promise<Created>} */
  importRecord: async (data) => keep(await call('POST', data instanceof File ? `/api/import?name=${encodeURIComponent(data.name.replace(/\.\w+$/, '').slice(0, 40))}` : '/api/import', { raw: data, type: 'application/octet-stream' })),
  /** The game as a file's text: a record, SGF, or SGF with the review. @param {string} id @param {'sgf' | 'analysis' | 'jsonl'} form @returns {Promise<string>} */
  record: (id, form) => call('GET', `${game(id)}/record${form === 'jsonl' ? '' : form === 'sgf' ? '?format=sgf' : `?format=sgf&analysis=${lang() === 'en' ? 'en' : 'zh'}`}`, { token: tokenOf(id), text: true }),
};

/**
 * Hands a text to the person as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function saveFile(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
