// @ts-check
/** Where a link leads: exchange the code for a seat, or watch. */
import { html, useEffect, useState } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { api, errorText } from '../lib/api.js';
import { load, save } from '../lib/store.js';
import { arrive, useAsked } from '../lib/asked.js';
import { gamesChanged, go, title } from '../lib/frame.js';

/** @param {{ code: string, watch: boolean }} props */
export function Join({ code, watch }) {
  const [name, setName] = useState(load('name', ''));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const asked = useAsked();
  const join = async () => {
    const still = asked();
    setBusy(true);
    try {
      save('name', name);
      const joined = await api.join(code, name);
      // Who has left meanwhile has the seat, and is not called back.
      if (!still()) { gamesChanged(); arrive(still, `#/game/${joined.id}`); return; }
      // The code must not stay in the address or the history.
      history.replaceState(null, '', `${location.pathname}#/game/${joined.id}`);
      dispatchEvent(new HashChangeEvent('hashchange'));
    } catch (e) {
      setError(e);
      setBusy(false);
    }
  };
  useEffect(() => { title(t('join.title')); if (watch) join(); }, []);
  return html`<main id="main" tabindex="-1" class="page"><form class="panel card" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); join(); }}>
    <h1>${t(watch ? 'join.watch' : 'join.title')}</h1>
    ${!watch && html`<label class="f">${t('join.name')}
      <input maxlength="40" value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} autocomplete="nickname" /></label>`}
    ${error && html`<p class="err" role="alert">${errorText(error)}</p>`}
    <div class="acts">${!watch && html`<button class="pri" disabled=${busy}>${t('join.sit')}</button>`}
      <button type="button" onClick=${() => go('#/')}>${t('nav.lobby')}</button></div></form></main>`;
}
