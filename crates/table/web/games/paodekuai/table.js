// @ts-check
/** The card table: opponents, the trick, what is unseen, advice, one's own hand. */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../../lib/html.js';
import { lang, num, t } from '../../lib/i18n.js';
import { Icon, announce, useKeys } from '../../lib/a11y.js';
import { Back, CardHand, Fan, cardName, cardPrefs, changeCardPrefs } from '../../lib/cards.js';
import { frame, go, title } from '../../lib/frame.js';
import { load, save, settings, useStore } from '../../lib/store.js';
import { Clock, Moves } from '../../screens/panel.js';
import { StatusLine, statusOf, useNow } from '../../screens/status.js';
import { ResignDialog, ShareDialog } from '../../screens/menu.js';
import { CommandLine } from '../../screens/cli.js';
import { dealsOf, deckOf, dressText, inOrder, judge, rulesOf, sortHand, textOf, tricksOf, unseenOf } from './rules.js';
import { Counter, SeatSign, countText, evenWords, judgement, playText, playWords, points, ranksText, seatOrder, seatWord } from './words.js';
import { Advice, CardKeys, CardMenu, CardResult, DealOver, scoreRows } from './panels.js';

/** @typedef {import('../../lib/cards.js').Card} Card */
/** A forced pass is made by itself after this time, always the same: it tells nobody how long one thought. */
const PASS_AFTER = 1600;

/** @param {{ table: import('../../lib/ws.js').Table, live: import('../../lib/ws.js').Live, id: string }} props */
export function CardTable({ table, live, id }) {
  const state = /** @type {import('../../types').TableState} */ (live.state);
  const welcome = /** @type {NonNullable<typeof live.welcome>} */ (live.welcome);
  const { view, seats, turn } = state;
  const prefs = useStore(settings);
  const cp = useStore(cardPrefs);
  const rules = useMemo(() => rulesOf(welcome.rules), [welcome]);
  const [chosen, setChosen] = useState(/** @type {Set<Card>} */ (new Set()));
  /** 0 nothing, 1 what may be known of the hands, 2 the plays with reasons. */
  const [advice, setAdvice] = useState(/** @type {0 | 1 | 2} */ (0));
  const [sel, setSel] = useState('');
  const [dialog, setDialog] = useState(/** @type {string | null} */ (null));
  const [ended, setEnded] = useState(0);
  const [cli, setCli] = useState(false);
  const picks = useRef(load(`picks.${id}`, /** @type {Record<string, Card[]>} */ ({})));
  const sent = useRef(/** @type {Card[]} */ ([]));
  const told = useRef({ v: -1, moves: 0, error: 0, hint: 0, deal: view.deal });
  const note = useRef(/** @type {HTMLElement | null} */ (null));

  const yours = welcome.you.seats;
  const players = seats.length;
  // Several people at one screen: it is always the hand of whoever looks.
  const me = yours.length === 1 ? yours[0] : yours.length ? state.view_of ?? null : null;
  const over = state.phase === 'over';
  const timed = state.clock.setting.kind !== 'none';
  const myTurn = state.phase === 'playing' && turn !== null && turn === me && !state.curtain;
  const busy = live.conn !== 'open' || !!(live.pending && !live.pending.refused);
  const now = useNow(live.conn !== 'open' || !!live.pending || (state.phase === 'playing' && (!myTurn || state.clock.running !== null)), 250);

  const deals = useMemo(() => dealsOf(state.moves, players, rules, picks.current), [state, rules]);
  const deal = deals[deals.length - 1] ?? null;
  const handText = me === null ? '' : String(view.hands[me] ?? '').replace(/^\?.*/, '');
  const own = useMemo(() => {
    const left = me === null ? null : deal?.left[me];
    return left && textOf(left) === handText ? left : dressText(handText, deckOf(rules));
  }, [deal, handText, me]);
  const way = live.pending && !live.pending.refused && live.pending.action !== 'pass' ? sent.current : [];
  const hand = sortHand(own, cp.byGroup).filter((c) => !way.includes(c));
  const picked = hand.filter((c) => chosen.has(c));
  const tricks = useMemo(() => (deal ? tricksOf(deal.plays, players, deal.hands.find((h) => h)?.length ?? 16) : []), [deal]);
  const current = view.trick ? tricks[tricks.length - 1] ?? [] : [];
  const verdict = judge({ chosen: picked, hand, legal: myTurn ? state.legal : [], view, seat: me ?? 0, rules });
  const forced = myTurn && state.legal.length === 1 && state.legal[0] === 'pass';
  const who = (/** @type {number} */ s) => seatWord(seats, s, me);

  // A new position: at once, or a card taken up before the next frame would be put back.
  useLayoutEffect(() => { setChosen(new Set()); }, [handText, view.deal, me]);
  useLayoutEffect(() => { setAdvice(0); setSel(''); }, [state.v]);
  useEffect(() => { if (live.next) go(`#/game/${live.next}`); }, [live.next]);
  const dealText = view.deals > 1 || view.target ? t(view.target ? 'pdk.deal.target' : 'pdk.deal', { i: num(view.deal), k: num(view.deals), points: num(view.target ?? 0) }) : '';
  useLayoutEffect(() => {
    frame.set({ about: dealText, short: dealText, back: '#/', name: welcome.title || t('pdk.name') });
    title(welcome.title || t('pdk.name'), myTurn);
  }, [state, myTurn, welcome]);
  useLayoutEffect(() => {
    const before = told.current.deal;
    told.current.deal = view.deal;
    if (view.deal > before && !over) setEnded(view.deal - 1);
  }, [view.deal]);
  useEffect(() => { tell(); }, [state.v, live.error, live.hint?.done, advice]);
  useEffect(() => {
    if (!forced || busy || !cp.autoPass || ended || dialog) return undefined;
    const timer = setTimeout(() => pass(), PASS_AFTER);
    return () => clearTimeout(timer);
  }, [state.v, forced, busy, cp.autoPass, ended, dialog]);

  /** What a screen reader is told: the others' plays since the last time, and whose turn it is. */
  function tell() {
    const was = told.current;
    if (was.v !== state.v) {
      const fresh = was.v < 0 ? [] : state.moves.slice(was.moves).filter((m) => m.kind === 'action' && m.by !== null && m.by !== me);
      told.current = { ...was, v: state.v, moves: state.moves.length };
      const words = fresh.map((m) => t('pdk.say', { who: who(m.by ?? 0), play: playWords(m.action, rules) }));
      if (over) words.push(resultLine());
      else if (myTurn) words.push(turnLine());
      if (words.length) announce(words.join(' '));
    } else if (live.error && live.error.n !== was.error) {
      was.error = live.error.n;
      announce(status.main);
    } else if (advice === 2 && live.hint?.done && live.hint.candidates[0] && was.hint !== live.hint.id) {
      was.hint = live.hint.id;
      announce(t('say.hint', { move: playWords(live.hint.candidates[0].action, rules) }));
    }
  }

  const turnLine = () => (!view.trick ? t(view.must_include ? 'pdk.turn.first' : 'pdk.turn.lead') : t(forced ? 'pdk.turn.pass' : 'pdk.turn.beat', { trick: playText(view.trick.play) }));
  const resultLine = () => {
    const o = state.outcome;
    if (!o) return t('st.over');
    if (o.how === 'score' && o.winners.length === players) return evenWords(view, who);
    if (o.how !== 'score') return t(o.how === 'timeout' ? 'pdk.timeout' : 'pdk.gaveup', { who: who(o.by ?? 0) });
    const mine = me === null ? null : o.returns[me];
    const won = o.winners.map(who).join(t('pdk.list'));
    if (mine === null) return t('pdk.over.other', { who: won });
    return t(o.winners.includes(me ?? -1) ? 'pdk.over.won' : 'pdk.over.lost', { who: won, x: points(mine) });
  };

  const play = () => {
    if (!myTurn || busy || turn === null) { announce(noteText); return; }
    if (!verdict.ok) { announce(noteText); flash(note.current); return; }
    picks.current[`${deals.length - 1}:${deal?.plays.length ?? 0}`] = picked;
    save(`picks.${id}`, picks.current);
    sent.current = picked;
    table.play(verdict.at, turn);
  };
  function pass() {
    if (myTurn && !busy && state.legal.includes('pass')) table.play('pass', /** @type {number} */ (turn));
    else if (myTurn) { announce(t(view.trick ? 'pdk.why.must' : 'pdk.why.nolead', { trick: playText(view.trick?.play ?? '') })); flash(note.current); }
  }
  const askHint = () => {
    if (!state.hints || !myTurn || busy) return;
    if (!advice) table.hint();
    setAdvice(advice === 0 ? 1 : advice === 1 ? 2 : 0);
  };
  const take = (/** @type {string} */ action) => {
    const rest = [...hand].sort((a, b) => Number(b === rules.lead_card) - Number(a === rules.lead_card));
    setChosen(new Set(action === 'pass' ? [] : dressText(action, rest)));
  };
  const undo = () => { if (state.can_undo) table.act('undo'); };
  const redo = () => { if (state.can_redo) table.act('redo'); };
  const review = () => go(`#/review/${id}`);
  const escape = () => {
    if (cli) setCli(false);
    else if (picked.length) setChosen(new Set());
    else if (advice) setAdvice(0);
  };
  useKeys({ h: askHint, u: undo, r: redo, p: pass, s: () => changeCardPrefs({ byGroup: !cp.byGroup }), '/': () => setCli(true), '?': () => setDialog('keys'), Escape: escape }, prefs.keys);
  useKeys({ Escape: escape }, !prefs.keys);

  const base = statusOf(live, now, { retry: () => table.connect(), moveNow: () => table.ask('move_now'), what: null, hintStep: 0, review, aim: null });
  /** @type {import('../../screens/status.js').Status} */
  let status = base;
  if (live.conn === 'open' && !live.error) {
    if (over) status = { kind: 'done', main: resultLine() };
    else if (base.kind === 'turn') status = { kind: 'turn', main: myTurn ? turnLine() : t('st.to_move', { who: who(turn ?? 0) }), after: timed && state.clock.running === null ? t('clock.first.play') : '' };
    else if (base.main === t('st.thinking') && turn !== null) status = { ...base, main: t('pdk.thinking', { who: who(turn) }), action: base.action && { ...base.action, label: t('pdk.movenow') } };
    else if (base.kind === 'wait' && turn !== null && seats[turn].taken) status = { ...base, main: t('st.waiting', { who: who(turn) }), more: base.more?.startsWith('·') ? base.more : undefined };
  }
  const noteText = over || me === null ? '' : !myTurn ? t(picked.length ? 'pdk.why.wait' : 'pdk.why.idle', { words: picked.length ? playWords(textOf(picked), rules) : '' })
    : forced && cp.autoPass && !picked.length ? t('pdk.why.auto', { trick: playText(view.trick?.play ?? '') }) : judgement(verdict, rules);

  const others = seatOrder(players, me).filter((s) => s !== me);
  const opponent = (/** @type {number} */ s) => {
    const last = [...current].reverse().find((p) => p.by === s);
    const top = !!view.trick && view.trick.by === s;
    const n = view.counts[s];
    const bubble = !last ? '' : last.action === 'pass' ? t(rules.must_beat ? 'pdk.passed.must' : 'pdk.passed')
      : t(last === current[0] ? 'pdk.led' : 'pdk.played', { x: last.action.length > (lang() === 'en' ? 1 : 2) ? playText(last.action) : playWords(last.action, rules) });
    const level = seats[s].level;
    const thinking = state.phase === 'playing' && turn === s;
    return html`<div key=${s} class=${`o ${top ? 'led' : ''} ${thinking ? 'turn' : ''}`} role="group" aria-label=${t('pdk.opponent', { who: who(s), n, x: num(n) })}>
      <${SeatSign} seat=${s} /><span class="nm"><b>${who(s)}</b></span>
      <span class="cards" aria-hidden="true"><${Back} /><span class="cnt">${countText(n, rules)}</span></span>
      <span class="bub">${thinking ? html`<span class="say think"><span class="arc" aria-hidden="true"></span><span class="sr">${t('pdk.acts')}</span></span>` : bubble ? html`<span class=${`say ${top ? 'pl' : ''}`}>${bubble}</span>` : ''}
        <span class="sp"></span>${timed ? html`<${Clock} clock=${state.clock} seat=${s} heard=${live.heard} now=${now} />`
        : html`<span class="sm mut">${level ? t('pdk.level', { level }) : !seats[s].online && seats[s].taken && seats[s].kind !== 'computer' ? t('seat.away') : ''}</span>`}</span>
      ${n === 1 && !over && html`<span class="bao">${t('pdk.baodan')}</span>`}</div>`;
  };

  const top = [...current].reverse().find((p) => p.action !== 'pass');
  const topCards = way.length ? way : top?.cards.length ? top.cards : view.trick ? dressText(view.trick.play, deckOf(rules)) : [];
  const topBy = way.length ? me : view.trick?.by ?? null;
  const topText = way.length ? textOf(way) : view.trick?.play ?? '';
  const first = !top || top === current[0];
  const earlier = top && !first ? current.slice(0, current.indexOf(top)) : tricks[tricks.length - (view.trick ? 2 : 1)] ?? [];
  const line = (/** @type {import('./rules.js').Play} */ p) => t('pdk.line', { who: p.by === me ? t('pdk.you') : who(p.by), play: p.action === 'pass' ? t('pdk.passed') : playText(p.action) });
  const middle = html`<div class="mid" aria-label=${t('pdk.trick')} role="region">
    ${over ? others.concat(me === null ? [] : [me]).filter((s) => view.counts[s] > 0).map((s) => html`<div key=${s} class="had"><span class="sm mut">${t('pdk.had', { who: who(s), n: view.counts[s], x: num(view.counts[s]) })}</span>
        <${Fan} cards=${deal?.left[s] ?? dressText(String(view.hands[s]), deckOf(rules))} label=${ranksText(String(view.hands[s]))} size=${40} strip=${22} /></div>`)
    : topCards.length ? html`<div class=${`played ${way.length ? 'way' : ''}`} key=${`${topText}${topBy}`}><${Fan} cards=${inOrder(topCards, topText)} label=${inOrder(topCards, topText).map(cardName).join(', ')} /></div>
        <p class="sm mut">${t(topBy === me ? (!first || (way.length && view.trick) ? 'pdk.you.play' : 'pdk.you.lead') : first ? 'pdk.they.lead' : 'pdk.they.play', { who: topBy === null ? '' : who(topBy), words: playWords(topText, rules) })}</p>`
    : html`<p class="mut">${state.curtain ? '' : turn === null ? '' : turn === me ? t('pdk.lead.you') : t('pdk.lead.they', { who: who(turn) })}</p>`}
    ${!over && earlier.length > 0 && html`<p class="last mut">${first ? `${t('pdk.before')} ` : ''}${earlier.map(line).join(' · ')}</p>`}</div>`;

  const names = seats.map((_, s) => who(s));
  const unseen = unseenOf(view, handText, rules);
  const order = me === null ? seats.map((_, s) => s) : [me, ...[...others].reverse()];
  return html`<main id="main" tabindex="-1" class="tablewrap cardtable"><h1 class="sr">${t('pdk.name')}</h1>
    <div class=${`pdk n${players} ${live.conn === 'lost' ? 'lost' : ''} ${advice ? 'advising' : ''} ${over ? 'isover' : ''}`} data-v=${state.v}>
    <section class="opps" aria-label=${t('pdk.opponents')}>${others.map(opponent)}</section>
    ${middle}
    <section class="side" aria-label=${t('panel.section')}>
      <div class="scores"><ul>${order.map((s) => html`<li key=${s} class=${turn === s ? 'turn' : ''}><${SeatSign} seat=${s} size=${22} /><span class="nm">${who(s)}</span> <b>${points(view.totals[s])}</b></li>`)}</ul>
        ${(view.deals > 1 || view.target) && html`<button class="ic quiet" aria-haspopup="dialog" onClick=${() => setDialog('sheet')}>${t('pdk.sheet.short')}</button>`}
        <button class="ic quiet more" aria-haspopup="dialog" aria-label=${t('more')} onClick=${() => setDialog('menu')}>${Icon('more', 'dots')}</button></div>
      ${cp.counter && me !== null && !over && !state.curtain && html`<div class="counter">${html`<${Counter} unseen=${unseen} />`}</div>`}
      ${over ? html`<${CardResult} table=${table} state=${state} yours=${yours} title=${resultLine()} names=${names} rows=${scoreRows(deals, state)} onReview=${review} />`
      : html`<${Advice} step=${advice} hint=${live.hint} idle=${state.hints && myTurn} sel=${sel} onSel=${(/** @type {string} */ a) => { setSel(a); take(a); }} seat=${me ?? 0} rules=${rules} who=${who} unseen=${unseen} order=${others} />`}
      ${deal && html`<${Moves} game="paodekuai" moves=${deal.plays.map((p, i) => ({ by: p.by, action: p.action, no: i + 1 }))} at=${deal.plays.length} />`}
    </section>
    <${StatusLine} status=${status} />
    <section class="ownhand" aria-label=${t('pdk.hand.section')}>
      ${state.curtain ? html`<div class="curtain"><div><p class="b">${t('pdk.curtain', { who: t('seat.n', { x: (turn ?? 0) + 1 }) })}</p>
        <button class="pri" onClick=${() => table.raw({ type: 'look', seat: turn ?? 0 })}>${t('curtain.draw')}</button></div></div>`
      : me === null || over ? null : html`<${CardHand} cards=${hand} chosen=${chosen} onChosen=${setChosen} onPlay=${play} label=${t('pdk.hand', { n: hand.length, x: num(hand.length) })} described="pdk-why" />
        <div class="handbar">${view.counts[me] === 1 ? html`<span class="bao">${t('pdk.baodan')}</span>` : null}
          <p class=${`why ${verdict.ok && myTurn ? 'ok' : ''}`} id="pdk-why" ref=${note}>${noteText}</p>
          ${timed && html`<${Clock} clock=${state.clock} seat=${me} heard=${live.heard} now=${now} />`}
          <button class="ic tog" aria-pressed=${cp.byGroup ? 'true' : 'false'} onClick=${() => changeCardPrefs({ byGroup: !cp.byGroup })}>${t('pdk.sort')}</button></div>`}
    </section>
    <div class="act">${me === null || over ? html`<a class="btn" href="#/">${t('nav.lobby')}</a>` : html`
      <button class=${`passb ${forced && cp.autoPass && !busy && !ended && !dialog ? 'auto' : ''}`} key=${`p${forced ? state.v : ''}`} aria-disabled=${myTurn && state.legal.includes('pass') && !busy ? 'false' : 'true'} onClick=${pass}>
        <span>${t(rules.must_beat ? 'pdk.pass.must' : 'pdk.pass.may')}</span></button>
      <button class=${advice ? 'on' : ''} aria-pressed=${advice ? 'true' : 'false'} disabled=${!state.hints || !myTurn || live.conn !== 'open'} onClick=${askHint}>${t(advice === 1 ? 'pdk.hint.plays' : 'hint')} <kbd class="wideonly" aria-hidden="true">H</kbd></button>
      <button class="wideonly" disabled=${!state.can_undo || live.conn !== 'open'} onClick=${undo}>${t('pdk.undo')}</button>
      <button class="pri playb" aria-disabled=${verdict.ok && myTurn && !busy ? 'false' : 'true'} onClick=${play}>${picked.length ? t('pdk.play', { x: playText(textOf(picked)) }) : t('pdk.play.none')}</button>`}</div>
    </div>
    ${cli && html`<${CommandLine} table=${table} live=${live} game="paodekuai" yours=${yours} id=${id} who=${who} onClose=${() => setCli(false)} />`}
    ${dialog === 'menu' && html`<${CardMenu} state=${state} yours=${yours} id=${id} onClose=${() => setDialog(null)}
      run=${{ undo, redo, cli: () => setCli(true), review, share: () => setDialog('share'), keys: () => setDialog('keys'), resign: () => setDialog('resign'), askHints: () => table.raw({ type: 'ask_hints' }) }} />`}
    ${dialog === 'keys' && html`<${CardKeys} onClose=${() => setDialog(null)} />`}
    ${dialog === 'resign' && html`<${ResignDialog} onClose=${() => setDialog(null)} onYes=${() => { setDialog(null); table.act('resign', yours.length === 1 ? { seat: yours[0] } : {}); }} />`}
    ${dialog === 'share' && html`<${ShareDialog} id=${id} seats=${seats} game="paodekuai" onClose=${() => setDialog(null)} />`}
    ${(ended > 0 || dialog === 'sheet') && html`<${DealOver} ended=${ended} deals=${deals} state=${state} names=${names} who=${who} onClose=${() => { setEnded(0); setDialog(null); }} />`}
    ${state.asked && html`<${Asked} table=${table} asked=${state.asked} yours=${yours} who=${who} />`}
  </main>`;
}

/** The sentence blinks once when it is asked for again. @param {HTMLElement | null} el */
function flash(el) {
  if (!el) return;
  el.classList.remove('flash');
  void el.offsetWidth;
  el.classList.add('flash');
}

/** @param {{ table: import('../../lib/ws.js').Table, asked: import('../../types').Asked, yours: number[], who: (s: number) => string }} props */
function Asked({ table, asked, yours, who }) {
  const seat = asked.waiting_for.find((s) => yours.includes(s));
  if (seat === undefined) return html`<div class="ask floating"><p>${t(`ask.${asked.what}.wait`)}</p></div>`;
  return html`<div class="ask floating" role="group" aria-label=${t('ask.label')}><p>${t(`ask.${asked.what}`, { who: who(asked.by) })}</p>
    <button class="ic" onClick=${() => table.raw({ type: 'answer', id: asked.id, yes: false, seat })}>${t('no')}</button>
    <button class="ic" onClick=${() => table.raw({ type: 'answer', id: asked.id, yes: true, seat })}>${t('yes')}</button></div>`;
}
