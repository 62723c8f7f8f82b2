// @ts-check
/** Panels and dialogs of the card table: advice with what the passes prove, the score sheet, the result, the menu. */
import { html } from '../../lib/html.js';
import { num, t } from '../../lib/i18n.js';
import { Dialog } from '../../lib/a11y.js';
import { cardPrefs, changeCardPrefs } from '../../lib/cards.js';
import { useStore } from '../../lib/store.js';
import { Candidates, Reasons } from '../../screens/panel.js';
import { Preferences, download } from '../../screens/menu.js';
import { Beliefs, Sheet, bombText, evidenceText, playWords, points, proofText, sheetRows } from './words.js';

/** @typedef {import('./rules.js').Deal} Deal */
/** @typedef {import('../../types').TableState} TableState */
/** @typedef {ReturnType<typeof import('./rules.js').rulesOf>} Rules */

/** What every finished deal brought each seat. @param {Deal[]} deals @param {TableState} state */
export const scoreRows = (deals, state) => sheetRows([...deals.map((d) => d.before), ...(state.phase === 'over' ? [state.view.totals] : [])]);

/**
 * What a seat knows: proofs, the chance of a bomb, the table of chances.
 * @param {{ details: any, who: (s: number) => string, rules: Rules, unseen: number[] | null, order?: number[] }} props
 */
export function Knowledge({ details, who, rules, unseen, order = [] }) {
  if (!Array.isArray(details?.hands)) return null;
  const seen = new Set();
  const proofs = (details.proofs ?? []).map((/** @type {any} */ p) => proofText(p, who(p.seat), rules)).reverse().filter((/** @type {string} */ s) => !seen.has(s) && seen.add(s));
  return html`<div class="know"><h2>${t('pdk.proofs')}</h2><ul>
    ${proofs.slice(0, 6).map((/** @type {string} */ s) => html`<li key=${s}>${s}</li>`)}
    ${unseen && html`<li>${bombText(unseen)}</li>`}</ul>
    <${Beliefs} hands=${[...details.hands].sort((a, b) => order.indexOf(a.seat) - order.indexOf(b.seat))} name=${who} />${details.evidence && html`<p class="mut sm ess">${evidenceText(details)}</p>`}</div>`;
}

/**
 * The advice that was asked for: first what may be known of the hands, then the plays with reasons. Choosing one takes its cards up.
 * @param {{ step: 0 | 1 | 2, hint: import('../../lib/ws.js').HintMessage | null, idle: boolean, sel: string, onSel: (action: string) => void, seat: number, rules: Rules,
 *   who: (s: number) => string, unseen: number[], order: number[] }} props
 */
export function Advice({ step, hint, idle, sel, onSel, seat, rules, who, unseen, order }) {
  if (step === 0) return html`<div class="adv idle"><p class="note">${idle ? t('pdk.hint.idle') : ''}</p></div>`;
  const known = html`<${Knowledge} details=${hint?.details} who=${who} rules=${rules} unseen=${unseen} order=${order} />`;
  if (step === 1 && hint && (hint.done || Array.isArray(hint.details?.hands))) return html`<div class="adv">${known}<p class="note">${t('pdk.hint.again')}</p></div>`;
  const list = step === 2 ? hint?.candidates ?? [] : [];
  // The order changes while the computer looks on: what was chosen stays chosen.
  const i = Math.max(0, list.slice(0, 3).findIndex((x) => x.action === sel));
  const c = list[i];
  return html`<div class="adv">${c ? html`<${Candidates} list=${list} sel=${i} onSel=${(/** @type {number} */ j) => onSel(list[j].action)} onLook=${() => {}} />
      <div class="hd"><h2>${t('pdk.because', { move: playWords(c.action, rules) })}</h2></div>
      <${Reasons} c=${c} seat=${seat} focus=${-1} onFocus=${() => {}} all=${true} onAll=${() => {}} />
      ${known}`
    : html`<p class="note">${hint?.queued ? t('st.queued', { n: hint.queued }) : t('pdk.hint.wait')}</p>`}</div>`;
}

/**
 * @param {{ table: import('../../lib/ws.js').Table, state: TableState, yours: number[], title: string, names: string[], rows: number[][], onReview: () => void }} props
 */
export function CardResult({ table, state, yours, title, names, rows, onReview }) {
  const asked = state.rematch.some((s) => yours.includes(s));
  const wants = state.rematch.some((s) => !yours.includes(s));
  return html`<div class="result"><h2>${title}</h2>
    ${rows.length > 0 && html`<${Sheet} rows=${rows} totals=${state.view.totals} names=${names} />`}
    ${wants && html`<p>${t('rematch.wanted')}</p>`}
    <div class="acts"><button class="pri" onClick=${onReview}>${t('review')}</button>
      ${yours.length > 0 && html`<button disabled=${asked} onClick=${() => table.raw({ type: 'rematch' })}>${t(asked ? 'rematch.asked' : 'rematch')}</button>`}</div></div>`;
}

/**
 * The sheet of the match; after a deal with what happened in it.
 * @param {{ ended: number, deals: Deal[], state: TableState, names: string[], who: (s: number) => string, onClose: () => void }} props
 */
export function DealOver({ ended, deals, state, names, who, onClose }) {
  const rows = scoreRows(deals, state);
  const deal = ended ? deals[ended - 1] : null;
  const size = deal?.hands.find((h) => h)?.length ?? 0;
  const left = deal && size ? names.map((_, s) => size - deal.plays.reduce((n, p) => n + (p.by === s && p.action !== 'pass' ? p.action.length : 0), 0)) : [];
  const first = left.indexOf(0);
  const next = deals[ended]?.plays[0]?.by ?? state.view.leader;
  return html`<${Dialog} title=${ended ? t('pdk.dealover', { i: num(ended) }) : t('pdk.sheet')} onClose=${onClose}><div class="dealover">
    ${first >= 0 && html`<p class="b">${t('pdk.out', { who: who(first) })}${rows[ended - 1] ? html` <span class="mut">${points(rows[ended - 1][first])}</span>` : ''}</p>
      <ul>${left.map((n, s) => (n > 0 ? html`<li key=${s}>${t('pdk.had', { who: who(s), n, x: num(n) })}${rows[ended - 1] ? html` <span class="mut">${points(rows[ended - 1][s])}</span>` : ''}</li>` : null))}</ul>`}
    ${rows.length > 0 ? html`<${Sheet} rows=${rows} totals=${state.view.totals} names=${names} />` : html`<p class="note">${t('pdk.sheet.none')}</p>`}
    ${ended > 0 && next !== null && html`<p class="note">${t('pdk.next', { who: who(next) })}</p>`}
    <div class="acts"><button class="pri" autofocus onClick=${onClose}>${t(ended ? 'pdk.goon' : 'close')}</button></div></div><//>`;
}

/**
 * @param {object} p
 * @param {TableState} p.state
 * @param {number[]} p.yours
 * @param {string} p.id
 * @param {() => void} p.onClose
 * @param {Record<string, () => void>} p.run
 */
export function CardMenu({ state, yours, id, onClose, run }) {
  const cp = useStore(cardPrefs);
  const item = (/** @type {string} */ words, /** @type {() => void} */ act, on = true, cls = '') => html`<button class=${cls} disabled=${!on} onClick=${() => { onClose(); act(); }}>${words}</button>`;
  const box = (/** @type {'byGroup' | 'fourColours' | 'counter' | 'autoPass'} */ key) => html`<label class="ck"><input type="checkbox" checked=${cp[key]}
    onChange=${(/** @type {any} */ e) => changeCardPrefs({ [key]: e.target.checked })} />${t(`pdk.set.${key}`)}</label>`;
  const playing = state.phase === 'playing' && yours.length > 0;
  const others = state.seats.some((s) => s.kind !== 'computer' && !yours.includes(s.seat));
  return html`<${Dialog} title=${t('more')} kind="menu" onClose=${onClose}>
    ${item(t('pdk.undo'), run.undo, state.can_undo)}${item(t('menu.redo'), run.redo, state.can_redo)}
    ${!state.hints && others && playing ? item(t('menu.askhints'), run.askHints) : null}
    ${item(t('menu.cli'), run.cli)}
    ${item(t('menu.review'), run.review, state.phase === 'over')}
    ${item(t('menu.share'), run.share)}
    ${item(t('menu.record'), () => download(id, 'jsonl'), state.phase === 'over')}
    ${item(t('menu.keys'), run.keys)}<hr />
    <div>${box('byGroup')}${box('fourColours')}${box('counter')}${box('autoPass')}</div><${Preferences} just="keys" /><hr />
    ${item(t('menu.resign'), run.resign, playing, 'bad')}<//>`;
}

/** @param {{ onClose: () => void }} props */
export function CardKeys({ onClose }) {
  const rows = [['←', '→'], ['↑', '↓'], ['3', '…', '2'], ['Space'], ['Enter'], ['Esc'], ['P'], ['H'], ['S'], ['U'], ['R'], ['/'], ['?']];
  return html`<${Dialog} title=${t('keys.title')} onClose=${onClose}><dl class="keys">${rows.map((keys, i) => html`
    <dt key=${i}>${keys.map((k) => html`<kbd>${k}</kbd>`)}</dt><dd>${t(`pdk.keys.${i}`)}</dd>`)}</dl><p class="note">${t('keys.off')}</p><//>`;
}
