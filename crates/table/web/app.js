// @ts-check
/** Start, router and the frame around every screen. */
import { html, render, useEffect, useState } from './lib/html.js';
import { lang, loadLang, t } from './lib/i18n.js';
import { isDark, keepLang, keepOwnerKey, setTheme, settings, useStore } from './lib/store.js';
import { Icon, announce } from './lib/a11y.js';
import { focusMain, later } from './lib/later.js';
import { api, errorText } from './lib/api.js';
import { askInfo, frame, say, toast } from './lib/frame.js';
import { Lobby } from './screens/lobby.js';

const TableScreen = later(async () => (await import('./screens/table.js')).TableScreen);
const ReviewScreen = later(async () => (await import('./screens/review.js')).ReviewScreen);
const Study = later(async () => (await import('./screens/study.js')).Study);
const HowTo = later(async () => (await import('./screens/howto.js')).HowTo);
const Join = later(async () => (await import('./screens/join.js')).Join);

const route = () => (location.hash.replace(/^#\/?/, '') || '').split('/').map(decodeURIComponent);

/** The owner key comes once, in the fragment, which is never sent; it is taken out of the address. */
function keyOfLink() {
  const found = /^#\/owner\/([^/]*)/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, '', `${location.pathname}#/`);
  return found[1];
}

/** Keeps the key of a link when it opens this server; another one does not drive out a good one. @param {string} key */
async function tryKey(key) {
  try {
    const { owner } = /^[\w-]+$/.test(key) ? await api.info(key) : { owner: false };
    if (owner) keepOwnerKey(key);
    else say(t('owner.bad'));
  } catch (error) {
    say(errorText(error));
  }
  await askInfo();
}

function Bird() {
  return html`<svg class="bird" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><path d="M3 17c3-8 9-11 15-9l5-2-3 4c1 6-4 11-11 11-3 0-5-1-6-4z" />
    <path class="crest" d="M17 8C16 5 12 3 8 3" /><circle class="eye" cx="17.6" cy="10.6" r="1.4" /></svg>`;
}

/** @param {{ path: string[] }} props */
function Top({ path }) {
  const { about, back, name, short } = useStore(frame);
  useStore(settings);
  const dark = isDark();
  const other = lang() === 'en' ? 'zh-CN' : 'en';
  const game = path[0] === 'game' || path[0] === 'review' ? path[1] : null;
  const at = path[0] === 'review' ? 'review' : path[0] === 'study' ? 'study' : 'play';
  const link = (/** @type {string} */ name, /** @type {string} */ href) =>
    html`<a href=${href} aria-current=${at === name ? 'page' : undefined}>${t(`nav.${name}`)}</a>`;
  const swap = async () => {
    try { await loadLang(other); } catch { say(errorText({ code: 'offline' })); return; }
    keepLang(other);
    redraw();
  };
  return html`<header class=${`top ${back ? 'inside' : ''}`}>
    <a class="skip" href="#main" onClick=${(/** @type {Event} */ e) => { e.preventDefault(); document.getElementById('main')?.focus(); }}>${t('skip')}</a>
    ${back ? html`<a class="btn ic quiet backlink" href=${back} aria-label=${t('nav.back')}>${Icon('back')}</a>` : null}
    <a class="logo" href="#/" aria-label=${t('nav.home')}>${Bird()}<span>kiebitz</span></a>
    <nav aria-label=${t('nav.label')}>${link('play', at === 'review' && game ? `#/game/${game}` : '#/')}${link('review', game ? `#/review/${game}` : '#/review')}${link('study', '#/study')}</nav>
    ${name && html`<span class="name">${name}</span>`}
    <span class="sp"></span><span class="about mut sm">${about}</span>${short && html`<span class="short mut sm" aria-hidden="true">${short}</span>`}
    <button class="ic" lang=${other} onClick=${swap}>${other === 'en' ? 'English' : '中文'}</button>
    <button class="ic" aria-label=${t(dark ? 'theme.light' : 'theme.dark')} onClick=${() => setTheme(dark ? 'light' : 'dark')}>${Icon(dark ? 'sun' : 'moon')}</button>
  </header>`;
}

let redraw = () => {};

/** The message at the foot of the page; it goes by itself after ten seconds. */
function Toast() {
  const { text, action, n } = useStore(toast);
  useEffect(() => {
    if (!text) return undefined;
    announce(text);
    const timer = setTimeout(() => toast.set({ text: '', action: null }), 10000);
    return () => clearTimeout(timer);
  }, [n]);
  if (!text) return null;
  return html`<div class="toast"><span>${text}</span>
    ${action && html`<button class="ic" onClick=${() => { toast.set({ text: '', action: null }); action.run(); }}>${action.label}</button>`}
    <button class="ic quiet" aria-label=${t('close')} onClick=${() => toast.set({ text: '', action: null })}>${Icon('x')}</button></div>`;
}

function App() {
  const [path, setPath] = useState(route());
  const [, again] = useState(0);
  redraw = () => again((n) => n + 1);
  useEffect(() => {
    const change = () => {
      const key = keyOfLink();
      if (key !== null) tryKey(key);
      setPath(route());
      frame.set({ about: '', back: '', name: '', short: '' });
      // A new screen is read from its top, and the keyboard goes on from there.
      scrollTo(0, 0);
      setTimeout(focusMain, 0);
    };
    addEventListener('hashchange', change);
    const media = matchMedia('(prefers-color-scheme: dark)');
    const scheme = () => settings.set({});
    media.addEventListener('change', scheme);
    return () => { removeEventListener('hashchange', change); media.removeEventListener('change', scheme); };
  }, []);
  const [name, id] = path;
  let screen;
  if (name === 'game' && id) screen = html`<${TableScreen} key=${id} id=${id} />`;
  else if (name === 'review' && id) screen = html`<${ReviewScreen} key=${id} id=${id} />`;
  else if (name === 'study') screen = html`<${Study} />`;
  else if (name === 'howto') screen = html`<${HowTo} game=${id || 'go'} />`;
  else if ((name === 'join' || name === 'watch') && id) screen = html`<${Join} key=${id} code=${id} watch=${name === 'watch'} />`;
  else screen = html`<${Lobby} review=${name === 'review'} />`;
  return html`<${Top} path=${path} />${screen}<${Toast} />`;
}

async function start() {
  const key = keyOfLink();
  const wanted = document.documentElement.lang === 'zh-CN' ? 'zh-CN' : 'en';
  // What is said of a key needs the words.
  if (key === null) await Promise.all([loadLang(wanted), askInfo()]);
  else await loadLang(wanted).then(() => tryKey(key));
  const root = document.getElementById('app');
  if (root) render(html`<${App} />`, root);
}

start();
