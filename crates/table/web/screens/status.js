// @ts-check
/** The status line: one icon, a few words, at most one thing to do. */
import { html, useEffect, useState } from '../lib/html.js';
import { num, t } from '../lib/i18n.js';
import { Icon } from '../lib/a11y.js';
import { errorText } from '../lib/api.js';
import { measured, moveText, resultText, seatColor, seatName } from '../lib/reasons.js';

/** @typedef {import('../lib/ws.js').Live} Live */
/**
 * @typedef {object} Status
 * @property {'turn' | 'think' | 'wait' | 'warn' | 'done' | 'bad' | 'plain'} kind
 * @property {string} main
 * @property {string} [more]
 * @property {string} [after]
 * @property {{ label: string, run: () => void } | null} [action]
 */

/** The time, told again every so often while somebody looks at it. @param {boolean} on @param {number} [every] */
export function useNow(on, every = 500) {
  const [, again] = useState(0);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => again((n) => n + 1), every);
    return () => clearInterval(timer);
  }, [on, every]);
  return Date.now();
}

const seconds = (/** @type {number} */ ms) => Math.max(0, Math.floor(ms / 1000));

/**
 * @param {Live} live
 * @param {number} now
 * @param {{ retry: () => void, moveNow: () => void, what: string | null, whatMode?: boolean, stopWhat?: () => void, hintStep: number, review: () => void, aim: string | null }} ui
 * @returns {Status}
 */
export function statusOf(live, now, ui) {
  const { state, welcome } = live;
  if (live.conn === 'lost') {
    return { kind: 'warn', main: t('st.lost'), more: t('st.lost.more', { s: Math.max(1, Math.ceil((live.retryAt - now) / 1000)) }), action: { label: t('st.retry'), run: ui.retry } };
  }
  if (!state || !welcome) return live.error ? { kind: 'bad', main: errorText(live.error) } : { kind: 'think', main: t('st.connecting') };
  const game = welcome.game;
  const yours = welcome.you.seats;
  if (live.error) return { kind: 'bad', main: errorText(live.error) };
  if (live.pending && !live.pending.refused && now - live.pending.at > 300) return { kind: 'think', main: t('st.sending') };
  if (state.phase === 'over') {
    return { kind: 'done', main: resultText(state.outcome?.result, game, state.view) || t('st.over') };
  }
  if (state.phase === 'scoring') {
    const s = state.scoring;
    if (s?.pending) return { kind: 'think', main: t('st.counting') };
    const mine = yours.filter((seat) => s && !s.accepted[seat]);
    if (mine.length) return { kind: 'turn', main: t('st.dead'), more: t('st.dead.more') };
    return { kind: 'wait', main: t('st.accept.wait') };
  }
  const turn = state.turn;
  if (turn === null) return { kind: 'think', main: t('st.chance') };
  const seat = state.seats[turn];
  if (yours.includes(turn)) {
    const w = live.whatIf;
    const stop = ui.stopWhat ? { label: t('what.stop'), run: ui.stopWhat } : null;
    if (ui.what) {
      if (!w || (!w.loss && !w.done)) return { kind: 'think', main: t('st.what', { at: moveText(ui.what) }), more: w?.queued ? t('st.queued', { n: w.queued }) : t('st.checking'), action: stop };
      return { ...whatStatus(w), action: stop };
    }
    if (ui.whatMode) return { kind: 'plain', main: t('what.ask'), action: stop };
    if (ui.aim) return { kind: 'turn', main: t('st.aim', { at: ui.aim }), after: t('st.aim.more') };
    const move = t('st.move', { n: state.ply + 1 });
    const both = yours.length > 1;
    const h = live.hint;
    const after = h && ui.hintStep > 0 ? (h.queued ? t('st.queued', { n: h.queued }) : t('st.visits', { n: h.visits, x: num(h.visits) }))
      : state.clock.setting.kind !== 'none' && state.clock.running === null ? t('clock.first') : '';
    return { kind: 'turn', main: both ? t('st.turn.of', { who: seatColor(game, turn) }) : t('st.turn'), more: move, after };
  }
  if (seat?.kind === 'computer') {
    const th = live.thinking?.seat === turn ? live.thinking : null;
    if (th?.queued) return { kind: 'think', main: t('st.queue'), more: t('st.queued', { n: th.queued }) };
    const ms = th ? th.ms + (now - th.at) : now - live.heard;
    return {
      kind: 'think', main: t('st.thinking'), more: t('time.s', { x: seconds(ms) }),
      action: yours.length && ms > 1500 ? { label: t('st.movenow'), run: ui.moveNow } : null,
    };
  }
  const away = seat && !seat.online && seat.away_ms !== null && seat.away_ms !== undefined ? seat.away_ms + (now - live.heard) : null;
  if (seat && seat.kind === 'link' && !seat.taken) return { kind: 'wait', main: t('st.open', { who: seatColor(game, turn) }) };
  return {
    kind: 'wait', main: t(yours.length ? 'st.waiting' : 'st.to_move', { who: seat ? seatName(seat, yours, game) : '' }),
    more: away !== null && away > 3000 ? t('st.away', { s: seconds(away) }) : t('st.move', { n: state.ply + 1 }),
  };
}

/** @param {import('../lib/ws.js').WhatIfMessage} w @returns {Status} */
function whatStatus(w) {
  const at = moveText(w.action);
  if (!w.loss) return { kind: 'plain', main: t('what.none', { at }) };
  if (w.action === w.best) return { kind: 'done', main: t('what.best', { at }) };
  const loss = w.loss_in_points ? measured({ mean: -w.loss.mean, error: w.loss.error }) : measured({ mean: -100 * w.loss.mean, error: 100 * w.loss.error });
  const unit = w.loss_in_points ? t('unit.pts') : '%';
  return {
    kind: w.mistake ? 'bad' : 'plain', main: t('what.loss', { at, loss: `${loss} ${unit}` }),
    more: w.done ? t(w.mistake ? 'what.mistake' : 'what.close', { best: moveText(w.best) }) : t('st.checking'),
  };
}

/** @param {{ status: Status }} props */
export function StatusLine({ status: s }) {
  const sym = {
    turn: html`<span class="dotsym"></span>`, think: html`<span class="arc"></span>`, wait: html`<span class="box"></span>`,
    warn: Icon('warn'), done: Icon('check'), bad: Icon('warn'), plain: html`<span class="box"></span>`,
  }[s.kind];
  return html`<div class=${`st ${s.kind}`}><span class="sym" aria-hidden="true">${sym}</span>
    <span class="words"><span class="b">${s.main}</span>${s.more && html` <span class="mut">${s.more}</span>`}</span>
    ${s.after && html`<span class="after mut sm">${s.after}</span>`}
    ${s.action && html`<button class="ic" onClick=${s.action.run}>${s.action.label}</button>`}</div>`;
}
