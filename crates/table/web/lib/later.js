// @ts-check
/** Parts of the page that are fetched when they are first needed, so that the first visit need not wait for them. */
import { html, useEffect, useRef, useState } from './html.js';
import { t } from './i18n.js';
import { errorText } from './api.js';

/** The keyboard goes on from the new screen, unless it is somewhere on it already. */
export const focusMain = () => { if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true }); };

/**
 * A screen that is fetched when it is first opened.
 * @param {() => Promise<any>} fetchIt
 */
export function later(fetchIt) {
  /** @type {any} */
  let Screen = null;
  return (/** @type {any} */ props) => {
    const [error, setError] = useState(/** @type {any} */ (null));
    const [, again] = useState(0);
    const here = useRef(true);
    const get = () => {
      setError(null);
      // Who has left meanwhile keeps the focus where it is.
      fetchIt().then((found) => { Screen = found; if (here.current) { again((n) => n + 1); setTimeout(focusMain, 0); } }, () => setError({ code: 'offline' }));
    };
    useEffect(() => { if (!Screen) get(); return () => { here.current = false; }; }, []);
    if (Screen) return html`<${Screen} ...${props} />`;
    return html`<main id="main" tabindex="-1" class="page">${error && html`<p class="err" role="alert">${errorText(error)} <button class="link" onClick=${get}>${t('st.retry')}</button></p>`}</main>`;
  };
}
