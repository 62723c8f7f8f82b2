// @ts-check
/** What makes the page usable by keyboard and screen reader: announcements, dialogs, single-key shortcuts. */
import { html, useEffect, useLayoutEffect, useRef } from './html.js';
import { t } from './i18n.js';

/**
 * Says something to a screen reader without moving the focus.
 * @param {string} text
 */
export function announce(text) {
  const live = document.getElementById('live');
  if (!live) return;
  // The same text twice in a row is only read again when the region was empty in between.
  live.textContent = '';
  setTimeout(() => { live.textContent = text; }, 30);
}

/** Whether the event comes from a place where letters are text. @param {Event} event */
export function inText(event) {
  const el = /** @type {HTMLElement | null} */ (event.target instanceof HTMLElement ? event.target : null);
  return !!el && (el.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName));
}

/**
 * Single-key shortcuts of a screen. They are silent inside text fields, with a modifier, under a dialog, or when turned off.
 * @param {Record<string, () => void>} keys by `event.key`, letters in lower case
 * @param {boolean} [on]
 */
export function useKeys(keys, on = true) {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    if (!on) return undefined;
    const listen = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || inText(event)) return;
      if (document.querySelector('dialog[open]')) return;
      const act = now.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [on]);
}

/**
 * A modal dialog: the browser traps the focus, Escape closes, the focus goes back where it was.
 * @param {{ title: string, onClose: () => void, children?: any, kind?: string }} props
 */
export function Dialog({ title, onClose, children, kind = '' }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  // At once: a key or a tap that comes before the next frame is meant for what is seen.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => { if (before instanceof HTMLElement || before instanceof SVGElement) before.focus(); };
  }, []);
  const outside = (/** @type {MouseEvent} */ event) => { if (event.target === ref.current) onClose(); };
  return html`<dialog ref=${ref} class=${`dlg ${kind}`} aria-label=${title} onClose=${onClose} onClick=${outside}
      onCancel=${(/** @type {Event} */ e) => { e.preventDefault(); onClose(); }}>
    <div class="dlg-in">
      <div class="dlg-hd"><h2>${title}</h2>
        <button class="ic quiet" aria-label=${t('close')} onClick=${onClose}>${Icon('x')}</button></div>
      ${children}
    </div></dialog>`;
}

/** @type {Record<string, string>} */
const PATHS = {
  x: 'M5 5l10 10M15 5L5 15',
  back: 'M12.5 4L6.5 10l6 6',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  sun: 'M10 6.5a3.5 3.5 0 100 7 3.5 3.5 0 000-7zM10 1.8v1.6M10 16.6v1.6M1.8 10h1.6M16.6 10h1.6M4.2 4.2l1.1 1.1M14.7 14.7l1.1 1.1M4.2 15.8l1.1-1.1M14.7 5.3l1.1-1.1',
  moon: 'M16 12.4A6.8 6.8 0 017.6 4a6.8 6.8 0 108.4 8.4z',
  first: 'M5 4v12M15 4l-7 6 7 6z',
  prev: 'M13 4l-7 6 7 6z',
  next: 'M7 4l7 6-7 6z',
  last: 'M15 4v12M5 4l7 6-7 6z',
  warn: 'M10 3l8 14H2zM10 8v4M10 14.5h.01',
  check: 'M4 10.5l4 4 8-9',
  person: 'M10 3.5a3 3 0 100 6 3 3 0 000-6zM4 17c0-4 2.5-6 6-6s6 2 6 6',
  chip: 'M5.5 5.5h9v9h-9zM8 2.5v3M12 2.5v3M8 14.5v3M12 14.5v3M2.5 8h3M2.5 12h3M14.5 8h3M14.5 12h3',
  link: 'M8.5 11.5a3 3 0 004.2 0l3-3a3 3 0 00-4.2-4.2l-1 1M11.5 8.5a3 3 0 00-4.2 0l-3 3a3 3 0 004.2 4.2l1-1',
  hint: 'M7.5 16h5M8 18h4M10 2.5a5 5 0 00-3 9c.6.5 1 1.200 1 2v.5h4v-.5c0-.8.4-1.500 1-2a5 5 0 00-3-9z',
  undo: 'M7.500 4L4 7.500 7.500 11M4 7.500h8a4 4 0 010 8H8',
  redo: 'M12.500 4L16 7.500 12.500 11M16 7.500H8a4 4 0 000 8h4',
  pass: 'M4 10h9M10 6l4 4-4 4M17 5v10',
  area: 'M3.500 3.500h5v5h-5zM11.500 11.500h5v5h-5zM11.500 5h5M5 11.500v5',
};

/**
 * A small drawing beside words; never the only carrier of a meaning.
 * @param {string} name
 * @param {string} [kind]
 */
export function Icon(name, kind = '') {
  return html`<svg class=${`icon ${kind}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
