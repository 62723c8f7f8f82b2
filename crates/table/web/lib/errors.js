// @ts-check
/** Which words an error has. Nothing here needs a page, so that a test can ask it for every code of the server. */

/** Codes of requests that this page never makes by itself: the page and the server are of different versions. */
const MISFIT = new Set(['json', 'json.type', 'body', 'message', 'hello', 'action', 'actions', 'cid', 'peer', 'path', 'step', 'lang', 'query', 'method', 'request', 'upgrade', 'http']);
/** Errors of a computer player, wherever they come from. @type {Record<string, string>} */
const KINDS = { mind: 'player', search: 'player' };

/**
 * The key of a code's words: its own, else those of its kind (the part before the first point); `null` when there are none.
 * @param {string} code
 * @param {(key: string) => boolean} has
 */
export function errorKey(code, has) {
  const kind = code.split(/[._]/)[0];
  const keys = [`err.${code}`, MISFIT.has(code) ? 'err.misfit' : '', `err.any.${KINDS[kind] ?? kind}`];
  return keys.find((key) => key && has(key)) ?? null;
}
