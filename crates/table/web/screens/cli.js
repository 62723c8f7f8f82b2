// @ts-check
/** The text command line: the whole game by typing, answers as text. */
import { html, useEffect, useLayoutEffect, useRef, useState } from '../lib/html.js';
import { has, num, pct, t } from '../lib/i18n.js';
import { Icon } from '../lib/a11y.js';
import { ApiError, api, errorText } from '../lib/api.js';
import { drawingOf } from '../lib/games.js';
import { measured, moveText, margin, pointsText, resultText, seatColor, seeksPoints, sentence } from '../lib/reasons.js';
import { groupReason } from './scoring.js';

/** Commands and the words for them in either language. */
const WORDS = {
  pass: ['pass', '停', '停一手', '不要', '要不起'], resign: ['resign', '认输'], undo: ['undo', 'u', '悔棋', '悔牌'], redo: ['redo', '恢复'], hint: ['hint', 'h', '提示'],
  last: ['last', '上一手'], groups: ['groups', '棋块'], score: ['score', '形势', '比分'], board: ['board', 'cards', '棋盘', '局面', '牌'],
  legal: ['legal', 'moves', 'plays', '可下', '可出'], help: ['help', '?', '帮助'],
  accept: ['accept', '接受'], resume: ['resume', '继续'], now: ['now', '立即落子', '马上出牌', '立即'], dead: ['dead', '死子'],
};
/** What only a game with dead stones knows. */
const GO_ONLY = ['groups', 'accept', 'resume', 'dead'];

/** @param {string} word @param {string} game @returns {string | null} */
function command(word, game) {
  const name = Object.entries(WORDS).find(([, names]) => names.includes(word.toLowerCase()))?.[0] ?? null;
  if (game === 'go' || !name) return name;
  return GO_ONLY.includes(name) || (name === 'score' && !drawingOf(game).told) ? null : name;
}

/**
 * @param {object} p
 * @param {import('../lib/ws.js').Table} p.table
 * @param {import('../lib/ws.js').Live} p.live
 * @param {string} p.game
 * @param {number[]} p.yours
 * @param {string} p.id
 * @param {() => void} p.onClose
 * @param {(seat: number) => string} [p.who] what a seat is called here
 */
export function CommandLine({ table, live, game, yours, id, onClose, who = (seat) => seatColor(game, seat) }) {
  const drawing = drawingOf(game);
  /** The text in the words of this game. @param {string} key @param {Record<string, string>} [args] */
  const own = (key, args) => t(has(`cli.${game}.${key}`) ? `cli.${game}.${key}` : `cli.any.${key}`, args);
  const [log, setLog] = useState(/** @type {{ text: string, kind: string }[]} */ ([{ text: own('hello'), kind: '' }]));
  const [text, setText] = useState('');
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const before = useRef({ moves: live.state?.moves.length ?? 0, v: live.state?.v ?? 0, phase: live.state?.phase, pending: !!live.state?.scoring?.pending, error: live.error?.n ?? 0 });
  const hinted = useRef(0);
  const past = useRef({ list: /** @type {string[]} */ ([]), at: 0 });
  const add = (/** @type {string} */ line, kind = '') => setLog((l) => [...l.slice(-80), { text: line, kind }]);
  // At once, so that what is typed after the slash is not taken for single-letter keys.
  useLayoutEffect(() => {
    const from = document.activeElement;
    input.current?.focus();
    return () => { if (from instanceof HTMLElement || from instanceof SVGElement) from.focus(); };
  }, []);
  useEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; }, [log]);

  // What happens at the table is told here too.
  useEffect(() => {
    const { state } = live;
    const b = before.current;
    if (!state) return;
    if (state.moves.length > b.moves) {
      for (const m of state.moves.slice(b.moves)) {
        if (m.kind === 'action' && m.by !== null) add(t('cli.move', { who: who(m.by), move: moveText(m.action) }));
      }
    }
    // The dead stones are found some time after the second pass.
    const pending = state.phase === 'scoring' && !!state.scoring?.pending;
    if (state.v !== b.v || (b.pending && !pending)) {
      if (state.phase === 'over') add(resultText(state.outcome?.result, game, state.view));
      else if (state.phase === 'scoring' && !state.scoring?.pending) add(t('cli.scoring', { dead: state.scoring?.dead.join(' ') || '–', result: resultText(state.scoring?.count.result, game, state.view) }));
      else if (state.turn !== null && yours.includes(state.turn)) add(t('say.turn'));
    }
    before.current = { moves: state.moves.length, v: state.v, phase: state.phase, pending, error: b.error };
  }, [live.state]);
  useEffect(() => {
    if (live.error && live.error.n !== before.current.error) { before.current.error = live.error.n; add(errorText(live.error), 'err'); }
  }, [live.error]);
  useEffect(() => {
    const { hint, state } = live;
    if (!hint?.done || hinted.current !== hint.v || !state) return;
    hinted.current = 0;
    for (const c of hint.candidates.slice(0, 3)) {
      // Where the computer looks for points, its utility is no chance to win.
      if (seeksPoints() && c.points) add(t('cli.move', { who: moveText(c.action), move: pointsText(measured(c.points), 1) }));
      else add(t('cli.cand', { move: moveText(c.action), rate: pct(c.win_rate.mean, 1), error: num(100 * c.win_rate.error, 1), points: c.points ? measured(c.points) : '–' }));
    }
    for (const r of hint.candidates[0]?.reasons.slice(0, 3) ?? []) add(`· ${sentence(r, moveText(hint.candidates[0].action), hint.seat)}`);
  }, [live.hint?.done]);

  /** @param {string} line */
  async function run(line) {
    const { state } = table.store.value;
    const [word = '', ...rest] = line.trim().split(/\s+/);
    if (!word || !state) return;
    const name = command(word, game);
    const me = yours.length === 1 ? yours[0] : state.view_of ?? null;
    const told = (/** @type {string} */ what) => drawing.told?.(what, { view: state.view, rules: table.store.value.welcome?.rules, me, who }) ?? null;
    const mine = state.turn !== null && yours.includes(state.turn);
    // An answer about a position that is no longer on the board would mislead.
    const ask = async (/** @type {string} */ what) => {
      const answer = await api.ask(id, what);
      if (table.store.value.state?.v !== state.v) throw new ApiError('stale', '', 0);
      return answer;
    };
    try {
      switch (name) {
        case 'help': add(own('help')); return;
        case 'last': {
          const m = [...state.moves].reverse().find((x) => x.by !== null);
          add(m ? t('cli.move', { who: who(m.by ?? 0), move: m.action ? moveText(m.action) : m.kind }) : t('moves.none'));
          return;
        }
        case 'legal': add(state.legal.map(moveText).join(drawing.told ? t('pdk.list') : ' ') || t('generic.none')); return;
        case 'board': {
          const words = told('board');
          if (words !== null) add(words); else add((await ask('board')).board ?? '', 'pre');
          return;
        }
        case 'groups': {
          const { groups } = await ask('groups');
          if (!groups.length) add(t('cli.nogroups'));
          for (const g of groups) add(`${who(g.color)} ${g.stones[0]} (${t('stones', { n: g.stones.length })}): ${groupReason(g)}`);
          return;
        }
        case 'score': {
          const standing = told('score');
          if (standing !== null) { add(standing); return; }
          const { count, expected } = await ask('score');
          if (count) add(t('cli.score', { result: resultText(count.result, game, state.view) }));
          if (expected !== null && expected !== undefined) add(t(expected >= 0 ? 'cli.expected.b' : 'cli.expected.w', { by: margin(Math.round(expected), state.view) }));
          return;
        }
        case 'hint':
          if (!state.hints || !mine) { add(t('cli.nohint')); return; }
          hinted.current = state.v;
          if (live.hint?.done && live.hint.v === state.v) table.store.set({ hint: null });
          table.hint();
          return;
        case 'undo': table.act('undo'); return;
        case 'redo': table.act('redo'); return;
        case 'resign': table.act('resign', yours.length === 1 ? { seat: yours[0] } : {}); return;
        case 'now': table.ask('move_now'); return;
        case 'accept': table.ask('accept_score', { dead: state.scoring?.dead ?? [] }); return;
        case 'resume': table.act('resume_play'); return;
        case 'dead': for (const stone of rest) table.ask('toggle_dead', { stone: stone.toUpperCase() }); return;
        default:
      }
    } catch (error) {
      add(errorText(error), 'err');
      return;
    }
    const text = line.trim();
    const typed = drawing.typed?.(text) ?? null;
    const action = name === 'pass' ? 'pass' : state.legal.find((a) => a.toLowerCase() === text.toLowerCase() || a === typed);
    if (!mine) add(t('err.turn.other'), 'err');
    else if (action) table.play(action, /** @type {number} */ (state.turn));
    // The server says why a move is refused.
    else if (typed) table.play(typed, /** @type {number} */ (state.turn));
    else if (/^[a-z]\d+$/i.test(word)) table.play(drawing.places ? word.toUpperCase() : word, /** @type {number} */ (state.turn));
    else add(own('unknown', { word }), 'err');
  }

  const submit = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!text.trim()) return;
    add(`> ${text}`, 'in');
    past.current.list.push(text);
    past.current.at = past.current.list.length;
    run(text);
    setText('');
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    const p = past.current;
    if (e.key === 'Escape') { e.preventDefault(); onClose(); } else if (e.key === 'ArrowUp' && p.at > 0) { e.preventDefault(); setText(p.list[--p.at]); } else if (e.key === 'ArrowDown' && p.at < p.list.length) { e.preventDefault(); setText(p.list[++p.at] ?? ''); }
  };
  return html`<section class="cli" aria-label=${t('menu.cli')}>
    <div class="log" ref=${box} role="log" aria-live="polite" tabindex="0" aria-label=${t('cli.log')}>
      ${log.map((l, i) => (l.kind === 'pre' ? html`<pre key=${i} tabindex="0">${l.text}</pre>` : html`<p key=${i} class=${l.kind}>${l.text}</p>`))}</div>
    <form onSubmit=${submit}><input ref=${input} value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} onKeyDown=${keys} aria-label=${own('label')} placeholder=${own('placeholder')} autocomplete="off" autocapitalize="off" spellcheck="false" />
      <button type="button" class="ic quiet" aria-label=${t('close')} onClick=${onClose}>${Icon('x')}</button></form></section>`;
}
