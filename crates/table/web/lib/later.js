// @ts-check
/** Parts of the page that are fetched when they are first needed, so that the first visit need not wait for them. */
import { html, useEffect, useRef, useState } from './html.js';
import { t } from './i18n.js';
import { errorText } from './api.js';

/** The keyboard goes on from the new screen, unless it is somewhere on it already. */
export const focusMain = () => { if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true }); };

/**
 * What is fetched when it is first shown.
 * @param {() => Promise<any>} fetchIt
 * @param {(failed: any) => any} around what stands there until then, with what is said of a failure
 * @param {() => void} shown what follows once it is there
 */
function fetched(fetchIt, around, shown) {
  /** @type {any} */
  let Found = null;
  return (/** @type {any} */ props) => {
    const [error, setError] = useState(/** @type {any} */ (null));
    const [, again] = useState(0);
    const here = useRef(true);
    const get = () => {
      setError(null);
      // Who has left meanwhile keeps the focus where it is.
      fetchIt().then((found) => { Found = found; if (here.current) { again((n) => n + 1); setTimeout(shown, 0); } }, () => setError({ code: 'offline' }));
    };
    useEffect(() => { here.current = true; if (!Found) get(); return () => { here.current = false; }; }, []);
    if (Found) return html`<${Found} ...${props} />`;
    return around(error && html`<p class="err" role="alert">${errorText(error)} <button class="link" onClick=${get}>${t('st.retry')}</button></p>`);
  };
}

/** A screen that is fetched when it is first opened. @param {() => Promise<any>} fetchIt */
export const later = (fetchIt) => fetched(fetchIt, (failed) => html`<main id="main" tabindex="-1" class="page">${failed}</main>`, focusMain);

/** A part of a screen that is fetched when it is first shown. @param {() => Promise<any>} fetchIt */
export const part = (fetchIt) => fetched(fetchIt, (failed) => html`<div>${failed}</div>`, () => {});
