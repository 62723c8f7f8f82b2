// @ts-check
/** The end of a game: the dead stones with reasons, the count in the ruleset's own units, the result. */
import { html } from '../lib/html.js';
import { pct, t } from '../lib/i18n.js';
import { margin, resultText } from '../lib/reasons.js';
import { CountTable, Pip } from './panel.js';

/** @typedef {import('../types').GroupStatus} Group */
/** @typedef {import('../types').TableState} TableState */

/** Why the computer thinks so: a proof says because and has no percentage, an estimate has one. @param {Group} g */
export function groupReason(g) {
  if (g.certain) return t(g.status === 'dead' ? 'group.proof.dead' : 'group.proof.alive');
  if (g.status === 'seki') return t('group.seki');
  return t(`group.est.${g.status === 'dead' || g.status === 'alive' ? g.status : 'unknown'}`, { x: pct(g.status === 'alive' ? 1 - g.danger : g.danger) });
}

/** The groups worth a word: those on the list, and those that are not plainly alive. @param {Group[]} groups */
export const doubtful = (groups) => groups.filter((g) => g.dead || g.status !== 'alive').sort((a, b) => Number(b.dead) - Number(a.dead) || b.stones.length - a.stones.length);

/** @param {{ table: import('../lib/ws.js').Table, state: TableState, yours: number[] }} props */
export function ScorePanel({ table, state, yours }) {
  const s = /** @type {import('../types').Scoring} */ (state.scoring);
  const list = doubtful(s.groups);
  return html`<div class="score"><h2>${resultText(s.count.result, 'go', state.view)}</h2>
    <${CountTable} count=${s.count} />
    ${s.open_points && html`<p class="note">${t('score.open')}</p>`}
    <p class="note">${s.pending ? t('st.counting') : list.length ? t('score.help') : t('score.nodead')}</p>
    <ul class="groups">${list.map((g) => html`<li key=${g.stones[0]}><span class="gt"><span class="h"><${Pip} game="go" seat=${g.color} size=${14} />
      ${t('group.name', { n: g.stones.length, at: g.stones[0] })}</span>
      <span class="note">${groupReason(g)}</span></span>
      ${yours.length > 0 && html`<button class="ic tog" aria-pressed=${g.dead ? 'true' : 'false'} onClick=${() => table.ask('toggle_dead', { stone: g.stones[0] })}>${t(g.dead ? 'group.dead' : 'group.alive')}<span class="sr"> ${g.stones[0]}</span></button>`}</li>`)}</ul>
    ${yours.length > 0 && html`<div class="acts end">${scoreButtons(table, state, yours)}</div>`}</div>`;
}

/** Accept and resume: in the panel, on a phone in the bar under the thumb. @param {import('../lib/ws.js').Table} table @param {TableState} state @param {number[]} yours */
export function scoreButtons(table, state, yours) {
  const s = /** @type {import('../types').Scoring} */ (state.scoring);
  const open = yours.some((seat) => !s.accepted[seat]);
  return html`<button class="pri accept" disabled=${s.pending || !open} onClick=${() => table.ask('accept_score', { dead: s.dead })}>
      ${open ? t('score.accept') : t('score.accepted')}</button>
    <button onClick=${() => table.act('resume_play')}>${t('score.resume')}</button>`;
}

/** @param {{ table: import('../lib/ws.js').Table, state: TableState, yours: number[], game: string, onReview: () => void }} props */
export function Result({ table, state, yours, game, onReview }) {
  const o = state.outcome;
  const won = yours.length === 1 && o ? (o.winners.includes(yours[0]) ? (o.winners.length > 1 ? '' : 'won') : 'lost') : '';
  const wants = state.rematch.filter((s) => !yours.includes(s));
  return html`<div class="result"><h2>${resultText(o?.result, game, state.view) || t('st.over')}</h2>
    ${won && html`<p class="mut">${t(`result.you.${won}`)}</p>`}
    ${state.count && html`<${CountTable} count=${state.count} /><p class="note">
      ${state.count.margin === 0 ? t('result.draw') : t('count.margin', { by: margin(state.count.margin, state.view) })}</p>`}
    ${wants.length > 0 && html`<p>${t('rematch.wanted')}</p>`}
    <div class="acts end">${resultButtons(table, state, yours, onReview)}</div></div>`;
}

/** What comes after a game: in the panel, on a phone in the bar under the thumb. @param {import('../lib/ws.js').Table} table @param {TableState} state @param {number[]} yours @param {() => void} onReview */
export function resultButtons(table, state, yours, onReview) {
  const asked = state.rematch.some((s) => yours.includes(s));
  return html`<button class="pri" onClick=${onReview}>${t('review')}</button>
    ${yours.length > 0 && html`<button disabled=${asked} onClick=${() => table.raw({ type: 'rematch' })}>${t(asked ? 'rematch.asked' : 'rematch')}</button>`}
    <a class="btn" href="#/">${t('nav.lobby')}</a>`;
}
