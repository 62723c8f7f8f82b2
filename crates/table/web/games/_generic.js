// @ts-check
/** Any game at all: what the seat sees as a list, and the legal actions as buttons. */
import { html } from '../lib/html.js';
import { t } from '../lib/i18n.js';

/** Rows of a drawn board. @param {any} value */
const isRows = (value) => Array.isArray(value) && value.length > 1 && value.every((v) => typeof v === 'string' && v.length > 1);

/** What the panel tells already. */
const TOLD = new Set(['to_move', 'terminal', 'legal']);

/** @param {any} value @returns {string} */
function plain(value) {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return isRows(value) ? value.join('\n') : value.map(plain).join(' ');
  if (typeof value === 'object') return Object.entries(value).map(([k, v]) => `${k}: ${plain(v)}`).join('\n');
  return String(value);
}

/** @type {import('../lib/games.js').GameDrawing} */
export default {
  places: false,
  Board: (p) => html`<div class="gen panel" role="region" aria-label=${t('generic.board')} tabindex="0">
    <dl>${Object.entries(p.view ?? {}).filter(([k]) => !TOLD.has(k)).map(([k, v]) => html`<dt key=${k}>${k.replaceAll('_', ' ')}</dt><dd class=${isRows(v) ? 'rows' : ''}>${plain(v)}</dd>`)}</dl>
    <h2 id="gen-acts">${t('generic.actions')}</h2>
    <div class="acts" role="group" aria-labelledby="gen-acts">
      ${p.legal.map((a) => html`<button key=${a} disabled=${p.busy} onClick=${(/** @type {any} */ e) => { e.currentTarget.closest('.gen').focus(); p.onAct(a); }}>${a}</button>`)}
      ${p.legal.length === 0 && html`<p class="mut">${t('generic.none')}</p>`}</div></div>`,
  Picture: ({ label }) => html`<svg class="picture" viewBox="0 0 120 120" aria-hidden=${label ? undefined : 'true'} role=${label ? 'img' : undefined} aria-label=${label}>
    <rect class="wood" width="120" height="120" rx="8" /><path class="net" d="M30 30h24v24H30zM66 30h24v24H66zM30 66h24v24H30zM66 66h24v24H66z" /></svg>`,
  describe: (action) => action,
};
