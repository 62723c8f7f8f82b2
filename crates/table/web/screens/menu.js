// @ts-check
/** Dialogs of the table: everything that is not one of its five buttons. */
import { html, useEffect, useState } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { Dialog } from '../lib/a11y.js';
import { api, errorText, saveFile } from '../lib/api.js';
import { say, server } from '../lib/frame.js';
import { changeSettings, settings, spectatorCode, useStore } from '../lib/store.js';
import { seatColor } from '../lib/reasons.js';

/**
 * Fetches a game as a file and hands it over.
 * @param {string} id
 * @param {'sgf' | 'analysis' | 'jsonl'} form
 */
export async function download(id, form) {
  try {
    saveFile(`kiebitz-${id}.${form === 'jsonl' ? 'jsonl' : 'sgf'}`, await api.record(id, form), form === 'jsonl' ? 'application/jsonl' : 'application/x-go-sgf');
  } catch (error) {
    say(errorText(error));
  }
}

/** Settings that hold for every game. @param {{ just?: 'confirm' | 'keys' }} props */
export function Preferences({ just }) {
  const prefs = useStore(settings);
  const box = (/** @type {'confirm' | 'keys'} */ key) => html`<label class="ck"><input type="checkbox" checked=${prefs[key]}
    onChange=${(/** @type {any} */ e) => changeSettings({ [key]: e.target.checked })} />${t(`set.${key}`)}</label>`;
  return html`<div>${just !== 'keys' && box('confirm')}${just !== 'confirm' && box('keys')}</div>`;
}

/**
 * @param {object} p
 * @param {import('../types').TableState} p.state
 * @param {Extract<import('../types').ServerMessage, { type: 'welcome' }>} p.welcome
 * @param {number[]} p.yours
 * @param {boolean} p.myTurn
 * @param {boolean} p.whatMode
 * @param {string} p.id
 * @param {boolean} p.canReview
 * @param {() => void} p.onClose
 * @param {Record<string, () => void>} p.run
 */
export function Menu({ state, welcome, yours, myTurn, whatMode, id, canReview, onClose, run }) {
  const item = (/** @type {string} */ name, /** @type {() => void} */ act, on = true, cls = '') =>
    html`<button class=${cls} disabled=${!on} onClick=${() => { onClose(); act(); }}>${t(`menu.${name}`)}</button>`;
  const playing = state.phase === 'playing' && yours.length > 0;
  const others = state.seats.some((s) => s.kind !== 'computer' && !yours.includes(s.seat));
  return html`<${Dialog} title=${t('more')} kind="menu" onClose=${onClose}>
    ${item('redo', run.redo, state.can_redo)}
    ${item(whatMode ? 'what.off' : 'what', run.what, whatMode || (state.hints && myTurn))}
    ${!state.hints && others && playing ? item('askhints', run.askHints) : null}
    ${item('cli', run.cli)}
    ${item('review', run.review, canReview && (state.phase === 'over' || !others))}
    ${item('share', run.share)}
    <hr />
    ${welcome.game === 'go' ? item('sgf', () => download(id, 'sgf')) : null}
    ${item('record', () => download(id, 'jsonl'))}
    ${item('keys', run.keys)}
    <hr /><${Preferences} /><hr />
    ${item('resign', run.resign, playing, 'bad')}
  <//>`;
}

/** @param {{ onClose: () => void }} props */
export function KeysDialog({ onClose }) {
  const rows = [['Tab'], ['↑', '↓', '←', '→'], ['Home', 'End'], ['PgUp', 'PgDn'], ['Enter'], ['Esc'], ['H'], ['T'], ['W'], ['U'], ['R'], ['P'], ['[', ']'], ['/'], ['?']];
  return html`<${Dialog} title=${t('keys.title')} onClose=${onClose}><dl class="keys">${rows.map((keys, i) => html`
    <dt key=${i}>${keys.map((k) => html`<kbd>${k}</kbd>`)}</dt><dd>${t(`keys.${i}`)}</dd>`)}</dl><p class="note">${t('keys.off')}</p><//>`;
}

/** @param {{ onClose: () => void, onYes: () => void }} props */
export function ResignDialog({ onClose, onYes }) {
  return html`<${Dialog} title=${t('resign.title')} onClose=${onClose}><p>${t('resign.text')}</p>
    <div class="acts"><button onClick=${onClose}>${t('cancel')}</button><button class="bad" onClick=${onYes}>${t('menu.resign')}</button></div><//>`;
}

/** A link to copy; where the browser has no clipboard it is selected for the person to copy. @param {{ label: string, link: string }} props */
export function LinkRow({ label, link }) {
  const copy = async (/** @type {any} */ e) => {
    const field = e.currentTarget.parentElement.querySelector('input');
    field.select();
    try {
      await navigator.clipboard.writeText(link);
      say(t('share.copied'));
    } catch {
      say(document.execCommand('copy') ? t('share.copied') : t('share.select'));
    }
  };
  return html`<div class="row"><label class="f">${label}<input readonly value=${link} onFocus=${(/** @type {any} */ e) => e.target.select()} /></label>
    <button onClick=${copy}>${t('share.copy')}</button></div>`;
}

/**
 * Links to the open seats and for spectators. The codes of open seats are told once, when the game is made; here new ones are made.
 * @param {{ id: string, seats: import('../types').SeatInfo[], game: string, onClose: () => void, first?: import('../types').Created | null }} props
 */
export function ShareDialog({ id, seats, game, onClose, first = null }) {
  const [links, setLinks] = useState(first ? { invites: first.invites, watch: first.watch } : null);
  const [error, setError] = useState(/** @type {any} */ (null));
  const open = seats.some((s) => s.kind === 'link' && !s.taken);
  const make = async () => {
    try { setLinks(await api.links(id)); setError(null); } catch (e) { setError(e); }
  };
  useEffect(() => {
    if (links) return;
    const code = spectatorCode(id);
    if (!open && code) setLinks({ invites: [], watch: code }); else make();
  }, []);
  const base = server.value.info?.link_base || location.origin;
  const local = server.value.info?.mode === 'local';
  return html`<${Dialog} title=${t('menu.share')} onClose=${onClose}><div class="share">
    ${error && html`<p class="err">${errorText(error)}</p>`}
    ${links?.invites.map((i) => html`<${LinkRow} key=${i.seat} label=${t('share.seat', { who: seatColor(game, i.seat) })} link=${`${base}/#/join/${i.code}`} />`)}
    ${links && html`<${LinkRow} label=${t('share.watch')} link=${`${base}/#/watch/${links.watch}`} />`}
    ${local && html`<p class="note">${t('share.local')}</p>`}</div><//>`;
}
