// @ts-check
/** The table: a live game. The board is the page; everything else is a caption to it. */
import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../lib/html.js';
import { lang, num, t } from '../lib/i18n.js';
import { announce, useKeys } from '../lib/a11y.js';
import { AimBar } from '../lib/board.js';
import { Chart } from '../lib/chart.js';
import { drawingOf } from '../lib/games.js';
import { ownerMap, regionOf } from '../games/go.js';
import { frame, go, server, title } from '../lib/frame.js';
import { load, save, settings, useStore } from '../lib/store.js';
import { chip, leadText, lookWhy, moveText, opponents, resultText, rulesLine, seatColor, seatName, wordsOf } from '../lib/reasons.js';
import { Table } from '../lib/ws.js';
import { Candidates, Clock, LETTERS, MoveTree, Moves, Reasons, SeatRow, lossText, verdict } from './panel.js';
import { Result, ScorePanel, resultButtons, scoreButtons } from './scoring.js';
import { StatusLine, statusOf, useNow } from './status.js';
import { KeysDialog, Menu, ResignDialog, ShareDialog } from './menu.js';
import { CommandLine } from './cli.js';

/** What hints said about earlier positions of a game, kept in this browser. @typedef {Record<string, { rate: [number, number], points: [number, number] | null }>} Seen */

/** A game with a table of its own gets that, any other the board. @param {{ id: string }} props */
export function TableScreen({ id }) {
  const table = useMemo(() => new Table(id), [id]);
  useEffect(() => () => table.close(), [table]);
  const live = useStore(table.store);
  const drawing = live.welcome && live.state ? drawingOf(live.welcome.game) : null;
  wordsOf(drawing);
  return drawing?.Screen ? html`<${drawing.Screen} table=${table} live=${live} id=${id} />` : html`<${BoardTable} table=${table} live=${live} id=${id} />`;
}

/** @param {{ table: Table, live: import('../lib/ws.js').Live, id: string }} props */
function BoardTable({ table, live, id }) {
  const prefs = useStore(settings);
  const { state, welcome, hint } = live;
  const [aim, setAim] = useState(/** @type {string | null} */ (null));
  const [step, setStep] = useState(0);
  const [sel, setSel] = useState(0);
  const [look, setLook] = useState(/** @type {number | null} */ (null));
  const [why, setWhy] = useState(0);
  const [all, setAll] = useState(false);
  const [shade, setShade] = useState(false);
  const [shown, setShown] = useState(0);
  const [whatMode, setWhatMode] = useState(false);
  const [what, setWhat] = useState(/** @type {string | null} */ (null));
  const [full, setFull] = useState(false);
  const [dialog, setDialog] = useState(/** @type {string | null} */ (null));
  const [cli, setCli] = useState(false);
  const [unit, setUnit] = useState(/** @type {'rate' | 'points'} */ ('rate'));
  const told = useRef({ v: -1, ply: -1, error: 0, hint: 0 });
  const curtain = useRef(/** @type {HTMLButtonElement | null} */ (null));

  const game = welcome?.game ?? 'go';
  const yours = welcome?.you.seats ?? [];
  const turn = state?.turn ?? null;
  const myTurn = !!state && state.phase === 'playing' && turn !== null && yours.includes(turn) && !state.curtain;
  const drawing = drawingOf(game);
  const hidden = !!useStore(server).info?.games.find((k) => k.id === game)?.hidden;
  // What one seat was told must not be seen by the next one at the same screen.
  const shared = hidden && yours.length > 1;
  const seen = useSeen(id, live, !shared);
  // Time is only looked at where something on the screen depends on it.
  const now = useNow(live.conn !== 'open' || !!live.pending || (state?.phase === 'playing' && (!myTurn || state.clock.running !== null)), 250);

  // A new position: nothing that was about the old one stays. At once, or a key pressed meanwhile would be forgotten.
  useLayoutEffect(() => {
    setAim(null); setStep(0); setSel(0); setLook(null); setWhy(0); setAll(false); setShown(0); setWhat(null);
    setShade(false); setFull(false);
  }, [state?.v]);
  // The curtain closes over everything that was open, and the focus goes with it.
  const closed = !!state?.curtain;
  useLayoutEffect(() => {
    if (!closed) return undefined;
    setCli(false); setDialog(null);
    curtain.current?.focus();
    return () => { const to = document.querySelector('.bd [tabindex="0"], .bd button'); if (to instanceof HTMLElement || to instanceof SVGElement) to.focus(); };
  }, [closed, turn]);
  useEffect(() => { if (live.next) go(`#/game/${live.next}`); }, [live.next]);
  // Where the shading is spoken of, so is what it comes to.
  const stand = shade && hint?.details?.ownership ? leadText(hint.details) : '';
  useEffect(() => { if (stand) announce(stand); }, [stand]);
  useLayoutEffect(() => {
    if (!state) return;
    frame.set({ about: rulesLine(game, state.view), back: '#/', short: Array.isArray(state.view?.size) ? state.view.size.join('×') : '', name: welcome?.title || opponents(state.seats, yours, game) });
    title(welcome?.title || opponents(state.seats, yours, game), myTurn || (state.phase === 'scoring' && yours.some((s) => state.scoring && !state.scoring.accepted[s])));
  }, [state, myTurn, welcome]);
  useEffect(() => speak(live, told.current, game, yours, myTurn, step), [state?.v, live.error, hint?.done, step]);

  const act = useCallback((/** @type {string} */ at) => {
    const s = table.store.value.state;
    if (!s) return;
    if (s.phase === 'scoring') { table.ask('toggle_dead', { stone: at }); return; }
    if (whatMode) { setWhat(at); table.whatIf(at); return; }
    if (s.turn === null) return;
    if (s.legal.includes(at)) { setAim(null); table.play(at, s.turn); } else table.store.set({ error: refusal(s, at, told.current) });
  }, [table, whatMode]);
  const onAim = (/** @type {string | null} */ at) => {
    setAim(at);
    if (at && whatMode) act(at);
  };
  const askHint = () => {
    if (!state?.hints || !myTurn) return;
    if (step === 0) { table.hint(); setStep(1); } else if (step === 1) setStep(2); else { setStep(0); setLook(null); }
  };
  const toggleShade = () => { if (!shade) table.hint(); setShade(!shade); };
  const toggleWhat = () => { if (whatMode) { table.stopWhatIf(); setWhat(null); } setWhatMode(!whatMode); setAim(null); };
  const undo = () => state?.can_undo && table.act('undo');
  const redo = () => state?.can_redo && table.act('redo');
  const pass = () => myTurn && state?.legal.includes('pass') && table.play('pass', /** @type {number} */ (turn));
  const canReview = !!state && (!hidden || state.phase === 'over');
  const review = () => { if (canReview) go(`#/review/${id}`); };
  const escape = () => {
    if (shown) setShown(0);
    else if (aim) setAim(null);
    else if (cli) setCli(false);
    else if (whatMode) toggleWhat();
    else if (step) setStep(0);
    else if (full) setFull(false);
  };
  useKeys({
    h: askHint, u: undo, r: redo, p: pass, t: toggleShade, w: toggleWhat, '[': () => state && state.ply > 0 && review(), ']': redo,
    '/': () => setCli(true), '?': () => setDialog('keys'), Escape: escape,
  }, prefs.keys);
  useKeys({ Escape: escape }, !prefs.keys);

  if (!state || !welcome) {
    const s = statusOf(live, now, { retry: () => table.connect(), moveNow: () => {}, what: null, hintStep: 0, review, aim: null });
    return html`<main id="main" tabindex="-1" class="page"><div class="panel alone"><${StatusLine} status=${s} /></div>
      ${live.error && html`<p><a class="btn" href="#/">${t('nav.lobby')}</a></p>`}</main>`;
  }

  const cands = step === 2 && hint ? hint.candidates : [];
  const cand = cands[sel] ?? null;
  const watching = look !== null ? cands[look] : null;
  const line = shown > 0 && cand ? cand.pv.slice(0, shown) : watching ? watching.pv.slice(0, 8) : [];
  const reason = cand?.reasons[why] ?? null;
  const scoring = state.phase === 'scoring' ? state.scoring : null;
  const counted = scoring?.count ?? (state.phase === 'over' ? state.count : null);
  const ownership = counted ? ownerMap(counted.owner) : shade ? hint?.details?.ownership ?? null : null;
  const pending = live.pending && drawing.places ? { at: live.pending.action, seat: live.pending.seat, state: live.pending.refused ? 'refused' : 'way' } : null;
  const canScore = !!scoring && yours.length > 0 && !scoring.pending;
  const busy = live.conn !== 'open' || !!live.pending || !(myTurn || canScore);
  const board = html`<${drawing.Board} view=${state.view} legal=${state.legal} seat=${turn ?? 0} busy=${busy} confirm=${prefs.confirm && !canScore && !whatMode}
    aim=${aim} onAim=${onAim} onAct=${act} tap=${canScore} free=${canScore || whatMode} ownership=${ownership} dead=${scoring?.dead ?? (state.phase === 'over' ? state.view.dead : [])}
    pending=${pending} marks=${step === 2 && line.length === 0 && !aim ? cands.slice(0, 3).map((c, i) => ({ at: c.action, letter: LETTERS[i], text: lossText(c), best: i === 0, on: i === sel })) : []}
    line=${line.map((at, i) => ({ at, n: i + 1, seat: turn === null ? 0 : (turn + i) % state.seats.length }))}
    subject=${line.length === 0 && reason && drawing.places && !aim ? { points: reason.subject, chip: chip(reason) } : null}
    area=${step === 1 ? hint?.area?.places ?? [] : []} />`;

  const status = statusOf(live, now, {
    retry: () => table.connect(), moveNow: () => table.ask('move_now'), what, whatMode, stopWhat: toggleWhat, hintStep: step, review, aim,
  });
  const stands = shade && myTurn && live.conn === 'open' && !live.error && !step && !aim && !whatMode && !what && !counted ? standing(hint) : null;
  if (stands && status.kind === 'turn') Object.assign(status, stands);
  const caps = Array.isArray(state.view?.captures) ? state.view.captures : null;
  const order = [...state.seats].sort((a, b) => Number(yours.includes(a.seat) && yours.length === 1) - Number(yours.includes(b.seat) && yours.length === 1) || b.seat - a.seat);
  const row = (/** @type {import('../types').SeatInfo} */ s, /** @type {string} */ cls) => html`<${SeatRow} key=${s.seat} cls=${cls} game=${game} seat=${s.seat}
      name=${seatName(s, yours, game)} captured=${caps ? caps[s.seat] : null} turn=${turn === s.seat} note=${s.kind !== 'computer' && !s.online && s.taken ? t('seat.away') : ''}>
      <${Clock} clock=${state.clock} seat=${s.seat} heard=${live.heard} now=${now} /><//>`;
  const own = order[order.length - 1];
  const actions = state.moves.filter((m) => m.kind === 'action').map((m, i) => ({ by: m.by, action: m.action, no: i + 1 }));

  let advice;
  if (scoring) advice = html`<${ScorePanel} table=${table} state=${state} yours=${yours} />`;
  else if (state.phase === 'over') advice = html`<${Result} table=${table} state=${state} yours=${yours} game=${game} onReview=${review} />`;
  else if (cand && turn !== null) {
    advice = html`<div class="advice">
      <${Candidates} list=${cands} sel=${sel} onSel=${(/** @type {number} */ i) => { setSel(i); setWhy(0); setAll(false); setShown(0); }} onLook=${setLook} />
      <div class="hd"><h2>${t('why.title', { move: moveText(cand.action) })}</h2><span class="sp"></span>
        <button class="ic" disabled=${cand.pv.length < 2} onClick=${() => setShown(shown >= Math.min(cand.pv.length, 12) ? 0 : shown + 1)}>
          ${shown ? t('why.step', { i: shown, n: Math.min(cand.pv.length, 12) }) : t('why.show')} <span aria-hidden="true">›</span></button></div>
      <${Reasons} c=${cand} seat=${turn} focus=${why} onFocus=${setWhy} all=${all} onAll=${() => setAll(true)} done=${!!hint?.done} /></div>`;
  } else {
    const area = step === 1 ? hint?.area : null;
    const open = state.phase === 'playing' && yours.length ? state.seats.find((s) => s.kind === 'link' && !s.taken) : undefined;
    advice = html`<div class="advice"><div class="ph" aria-hidden=${step || open ? undefined : 'true'}>${open ? html`<p>${t('share.open', { who: seatColor(game, open.seat) })}</p>
        <button class="ic" onClick=${() => setDialog('share')}>${t('menu.share')}</button>` : step === 0 ? (state.hints && myTurn ? t('hint.idle') : '')
      : area ? html`<p>${lookWords(area, state.view, turn ?? 0)}</p><p class="sm">
        ${t('hint.again')}</p>`
      : t('hint.wait')}</div><div class="hd"></div><div class="why"></div></div>`;
  }

  const hintLabel = step === 1 ? t('hint.moves') : t('hint');
  const bar = aim && !whatMode && myTurn
    ? html`<${AimBar} at=${aim} allowed=${state.legal.includes(aim)} onPlace=${() => act(aim)} onCancel=${() => setAim(null)} />`
    : html`${canScore && html`<div class="endbar">${scoreButtons(table, state, yours)}</div>`}
      ${state.phase === 'over' && html`<div class="endbar">${resultButtons(table, state, yours, review)}</div>`}<button onClick=${undo} disabled=${!state.can_undo || live.conn !== 'open'}>${t('undo')}</button>
      <button class="wideonly" onClick=${redo} disabled=${!state.can_redo || live.conn !== 'open'}>${t('redo')}</button>
      ${(drawing.places || state.legal.includes('pass')) && html`<button onClick=${pass} disabled=${!myTurn || !state.legal.includes('pass')}>${t('pass')}</button>`}
      <button class=${step ? 'on' : ''} aria-pressed=${step ? 'true' : 'false'} onClick=${askHint} disabled=${!state.hints || !myTurn || live.conn !== 'open'}>
        ${hintLabel} <kbd aria-hidden="true">H</kbd></button>
      ${drawing.places && html`<button class="tog" aria-pressed=${shade ? 'true' : 'false'} onClick=${toggleShade} disabled=${!shade && (!state.hints || !myTurn || live.conn !== 'open')}>${t('territory')}</button>`}
      <span class="sp"></span><button aria-haspopup="dialog" onClick=${() => setDialog('menu')}>${t('more')}<span class="wideonly" aria-hidden="true"> ⋯</span>
        </button>`;

  const points = Object.entries(seen).map(([x, p]) => ({ x: Number(x), y: unit === 'rate' ? p.rate[0] : p.points?.[0] ?? 0, error: unit === 'rate' ? p.rate[1] : p.points?.[1] ?? 0 })).sort((a, b) => a.x - b.x);
  const v = cand && turn !== null ? verdict(cand, turn, game) : null;
  return html`<main id="main" tabindex="-1" class="tablewrap"><h1 class="sr">${t('table.title')}</h1>
    <div class=${`table withtree ${live.conn === 'lost' ? 'lost' : ''} ${full ? 'sheet-full' : ''}`}>
    <${MoveTree} moves=${actions} at=${actions.length} />
    ${order.length > 1 && row(order[0], 'strip opp')}
    <section class="left" aria-label=${t('board.section')}><div class="bd">${board}
      ${state.curtain && html`<div class="curtain"><div><p class="b">${t('curtain', { who: seatColor(game, turn ?? 0) })}</p>
        <button class="pri" ref=${curtain} onClick=${() => table.raw({ type: 'look', seat: turn ?? 0 })}>${t('curtain.draw')}</button></div></div>`}</div>
      <div class=${canScore || state.phase === 'over' ? 'ctl ending' : 'ctl'}>${bar}</div></section>
    ${own && row(own, 'strip own')}
    <section class="right panel" aria-label=${t('panel.section')}>
      <button class="grab" aria-label=${t(full ? 'sheet.less' : 'sheet.more')} aria-expanded=${full ? 'true' : 'false'} onClick=${() => setFull(!full)}></button>
      ${order.map((s) => row(s, 'seat'))}
      <${StatusLine} status=${status} />
      ${state.asked && html`<${Question} table=${table} asked=${state.asked} yours=${yours} state=${state} game=${game} />`}
      ${advice}
      <${Moves} shown=${full} game=${game} moves=${actions} at=${actions.length} />
      <div class="graph" hidden=${!!scoring}><div class="hd">
        <button class="ic tog" aria-pressed=${unit === 'rate' ? 'true' : 'false'} onClick=${() => setUnit('rate')}>${t('graph.rate')}</button>
        <button class="ic tog" aria-pressed=${unit === 'points' ? 'true' : 'false'} onClick=${() => setUnit('points')}>${t(game === 'go' ? 'graph.points' : 'pdk.graph.points')}</button>
          <span class="sp"></span>
        ${v && html`<b>${v.rate}</b> <span class="mut sm">${v.lead}</span>`}</div>
        <${Chart} points=${points} last=${Math.max(state.ply, 1)} at=${state.ply} onAt=${null} base=${unit === 'rate' ? 1 / state.seats.length : 0} unit=${unit} slips=${[]} label=${t('graph.label', { who: seatColor(game, 0) })}
          say=${(/** @type {number} */ n) => t('graph.say', { n: num(n) })} />
        ${points.length === 0 && html`<p class="leg mut">${t('graph.later')}</p>`}</div>
    </section></div>
    ${cli && html`<${CommandLine} table=${table} live=${live} game=${game} yours=${yours} id=${id} onClose=${() => setCli(false)} />`}
    ${dialog === 'menu' && html`<${Menu} state=${state} welcome=${welcome} yours=${yours} myTurn=${myTurn} whatMode=${whatMode} id=${id} canReview=${canReview} onClose=${() => setDialog(null)}
      run=${{ redo, what: toggleWhat, cli: () => setCli(true), keys: () => setDialog('keys'), resign: () => setDialog('resign'), share: () => setDialog('share'), review, moveNow: () => table.ask('move_now'), askHints: () => table.raw({ type: 'ask_hints' }) }} />`}
    ${dialog === 'keys' && html`<${KeysDialog} onClose=${() => setDialog(null)} />`}
    ${dialog === 'resign' && html`<${ResignDialog} onClose=${() => setDialog(null)} onYes=${() => { setDialog(null); table.act('resign', yours.length === 1 ? { seat: yours[0] } : {}); }} />`}
    ${dialog === 'share' && html`<${ShareDialog} id=${id} seats=${state.seats} game=${game} onClose=${() => setDialog(null)} />`}
  </main>`;
}

/** The win rates that hints gave for this game so far, always Black's (the first seat's). @param {string} id @param {import('../lib/ws.js').Live} live @param {boolean} on @returns {Seen} */
function useSeen(id, live, on) {
  const [seen, setSeen] = useState(() => load(`seen.${id}`, /** @type {Seen} */ ({})));
  const { hint, state } = live;
  useEffect(() => {
    const best = hint?.candidates[0];
    if (!on || !hint?.done || !best || !state || hint.v !== state.v) return;
    const flip = hint.seat === 1 && state.seats.length === 2;
    const next = {
      ...seen,
      [state.ply]: {
        rate: /** @type {[number, number]} */ ([flip ? 1 - best.win_rate.mean : best.win_rate.mean, best.win_rate.error]),
        points: best.points ? /** @type {[number, number]} */ ([flip ? -best.points.mean : best.points.mean, best.points.error]) : null,
      },
    };
    setSeen(next);
    save(`seen.${id}`, next);
  }, [hint?.done, hint?.v]);
  return on ? seen : {};
}

/** The first step of a hint: where to look, and why in general. @param {import('../types').HintArea} area @param {any} view @param {number} seat */
const lookWords = (area, view, seat) => [area.places.length && Array.isArray(view?.size) ? t('hint.area', { at: regionOf(area.places, view.size) }) : '', area.reason ? lookWhy(area.reason, seat) : ''].filter(Boolean).join(lang() === 'en' ? ' ' : '');

/** How the game stands, or that it is being estimated. @param {import('../lib/ws.js').HintMessage | null} hint @returns {Partial<import('./status.js').Status> | null} */
function standing(hint) {
  if (hint?.details?.ownership) return { more: leadText(hint.details), after: '' };
  return hint?.done ? null : { kind: 'think', main: t('shade.wait'), more: hint?.queued ? t('st.queued', { n: hint.queued }) : '', after: '' };
}

/** Why a place may not be played, before the server is asked. @param {import('../types').TableState} s @param {string} at @param {{ error: number }} told */
function refusal(s, at, told) {
  told.error -= 1;
  const n = told.error;
  const { view } = s;
  if (Array.isArray(view?.ko) && view.ko.includes(at)) return { code: 'go.ko', message: '', n };
  const found = /^([A-HJ-Z])(\d+)$/.exec(at);
  const cell = found ? view?.board?.[view.size[1] - Number(found[2])]?.['ABCDEFGHJKLMNOPQRSTUVWXYZ'.indexOf(found[1])] : null;
  if (cell === 'X' || cell === 'O') return { code: 'go.occupied', message: '', n };
  return { code: cell === '.' ? 'go.suicide' : 'illegal', message: '', n };
}

/** What a screen reader is told when something happens. */
function speak(/** @type {import('../lib/ws.js').Live} */ live, /** @type {{ v: number, ply: number, error: number, hint: number }} */ told, /** @type {string} */ game, /** @type {number[]} */ yours, /** @type {boolean} */ myTurn, /** @type {number} */ step) {
  const { state, hint } = live;
  if (!state) return;
  if (told.v !== state.v) {
    told.v = state.v;
    if (state.phase === 'over') announce(resultText(state.outcome?.result, game, state.view));
    else if (state.phase === 'scoring') announce(t('st.dead'));
    else {
      const last = state.moves[state.moves.length - 1];
      const theirs = last && last.by !== null && last.kind === 'action' && !yours.includes(last.by);
      const words = [theirs ? t('say.move', { who: seatColor(game, /** @type {number} */ (last.by)), move: moveText(last.action) }) : '', myTurn ? t('say.turn') : ''];
      announce(words.filter(Boolean).join(' '));
    }
  } else if (live.error) {
    announce(statusOf(live, Date.now(), { retry() {}, moveNow() {}, what: null, hintStep: 0, review() {}, aim: null }).main);
  } else if (step === 2 && hint?.done && hint.candidates[0]) {
    announce(t('say.hint', { move: moveText(hint.candidates[0].action) }));
  }
}

/** @param {{ table: Table, asked: import('../types').Asked, yours: number[], state: import('../types').TableState, game: string }} props */
function Question({ table, asked, yours, state, game }) {
  const seat = asked.waiting_for.find((s) => yours.includes(s));
  const who = seatName(state.seats[asked.by], [], game);
  if (seat === undefined) return html`<div class="ask"><p>${t(`ask.${asked.what}.wait`)}</p></div>`;
  return html`<div class="ask" role="group" aria-label=${t('ask.label')}><p>${t(`ask.${asked.what}`, { who })}</p>
    <button class="ic" onClick=${() => table.raw({ type: 'answer', id: asked.id, yes: false, seat })}>${t('no')}</button>
    <button class="ic" onClick=${() => table.raw({ type: 'answer', id: asked.id, yes: true, seat })}>${t('yes')}</button></div>`;
}
