// @ts-check
/** Looking at a game again: step, scrub, the graph, the worst moves, other moves tried out. */
import { html, useEffect, useMemo, useRef, useState } from '../lib/html.js';
import { num, pct, t } from '../lib/i18n.js';
import { announce, Dialog, useKeys } from '../lib/a11y.js';
import { api, errorText } from '../lib/api.js';
import { AimBar } from '../lib/board.js';
import { Chart } from '../lib/chart.js';
import { drawingOf } from '../lib/games.js';
import { arrive, useAsked } from '../lib/asked.js';
import { frame, go, say, title } from '../lib/frame.js';
import { settings, useStore } from '../lib/store.js';
import { chip, leadText, measured, moveText, opponents, pointsText, resultText, rulesLine, seatColor, seatName, seeksPoints, wordsOf } from '../lib/reasons.js';
import { Candidates, IconButton, LETTERS, MoveTree, Moves, Reasons, SeatRow, lossText, slipSign } from './panel.js';
import { StatusLine } from './status.js';
import { Preferences, download } from './menu.js';
import { Branches, useBranches, withLine } from './branches.js';

/** @typedef {import('../types').Positions} Positions */
/** @typedef {import('../types').ReviewState} ReviewState */
/** @typedef {import('../types').ReviewedMove} Reviewed */
/** @typedef {import('../types').Analysed} Analysed */

/**
 * The review as it gets further: started here, asked for while it runs; it goes on when this page is left.
 * @param {string} id
 */
function useReview(id) {
  const [state, setState] = useState(/** @type {ReviewState | null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let timer = 0;
    let live = true;
    const ask = async (/** @type {boolean} */ first) => {
      let wait = 1000;
      try {
        const answer = await (first ? api.startReview(id) : api.review(id));
        if (!live) return;
        setState(answer);
        setError(null);
        if (answer.status === 'complete' || answer.status === 'failed') return;
      } catch (e) {
        if (!live) return;
        setError(e);
        wait = 3000;
        if (/** @type {any} */ (e).code !== 'offline') return;
      }
      timer = window.setTimeout(() => ask(false), wait);
    };
    ask(true);
    return () => { live = false; clearTimeout(timer); };
  }, [id]);
  return { review: state, reviewError: error };
}

/**
 * Asks again while the computer has too much to do, until it is no longer wanted.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
async function patiently(ask, signal) {
  for (;;) {
    try {
      return await ask();
    } catch (e) {
      if (signal.aborted || !/^busy/.test(String(/** @type {any} */ (e).code))) throw e;
      await new Promise((done) => setTimeout(done, 1000));
      if (signal.aborted) throw e;
    }
  }
}

/** The first seat's value after each move; of three seats or more the others' values say nothing about it. @param {Reviewed[]} moves @param {'rate' | 'points'} unit @param {number} [seats] */
export function graphPoints(moves, unit, seats = 2) {
  const points = [];
  for (const m of moves) {
    const v = unit === 'rate' ? m.win_rate : m.points;
    if (!v || (unit === 'rate' && v.error >= 0.5) || (seats > 2 && m.seat !== 0)) continue;
    points.push({ x: m.number - 1, y: m.seat === 0 ? v.mean : unit === 'rate' ? 1 - v.mean : -v.mean, error: v.error });
  }
  const last = moves[moves.length - 1];
  const end = last && (unit === 'rate' ? last.win_rate : last.points);
  if (last?.loss && end && (seats === 2 || last.seat === 0) && (unit === 'points') === last.loss_in_points) {
    const after = end.mean - last.loss.mean;
    points.push({ x: last.number, y: last.seat === 0 ? after : unit === 'rate' ? 1 - after : -after, error: end.error });
  }
  return points;
}

/** The loss of a move in words. @param {Reviewed} m */
const lostText = (m) => (m.loss ? (m.loss_in_points ? pointsText(measured(m.loss).replace('+', ''), 1) : t('review.rate', { x: `${num(100 * m.loss.mean, 1)} ± ${num(100 * m.loss.error, 1)}` })) : '');

/** @param {{ id: string }} props */
export function ReviewScreen({ id }) {
  const [game, setGame] = useState(/** @type {Positions | null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const { review, reviewError } = useReview(id);
  const prefs = useStore(settings);
  const [at, setAt] = useState(0);
  const [chosen, setUnit] = useState(/** @type {'rate' | 'points' | null} */ (null));
  const unit = chosen ?? (game && drawingOf(game.game).points ? 'points' : 'rate');
  const [shade, setShade] = useState(false);
  const [best, setBest] = useState(0);
  const [why, setWhy] = useState(0);
  const [all, setAll] = useState(false);
  const [branch, setBranch] = useState(/** @type {string[]} */ ([]));
  const [seen, setSeen] = useState(/** @type {Record<string, Analysed | 'asked'>} */ ({}));
  const [sel, setSel] = useState(0);
  const [aim, setAim] = useState(/** @type {string | null} */ (null));
  const [look, setLook] = useState(/** @type {number | null} */ (null));
  const [menu, setMenu] = useState(false);
  const [full, setFull] = useState(false);
  // A game of people at one screen, or an imported one, is nobody's in particular.
  const mine = useMemo(() => (game?.seats.every((s) => s.kind === 'here') ? game.seats.map((s) => s.seat) : game?.yours ?? []), [game]);
  const asking = useRef(/** @type {AbortController | null} */ (null));
  const asked = useAsked();
  const making = useRef(false);
  const branches = useBranches(id);
  useEffect(() => () => asking.current?.abort(), []);

  useEffect(() => {
    // It opens at the last position on the board: who resigns or runs out of time changes nothing there.
    api.positions(id).then((p) => { setGame(p); setAt(p.positions.reduce((last, x, i) => (x.kind === 'resign' || x.kind === 'timeout' ? last : i), 0)); }, setError);
  }, [id]);
  useEffect(() => {
    if (!game) return;
    const view = game.positions[game.positions.length - 1].view;
    frame.set({ about: rulesLine(game.game, view), back: `#/game/${id}`, name: t('review'), short: Array.isArray(view?.size) ? view.size.join('×') : '' });
    title(t('review.of', { what: game.title || opponents(game.seats, mine, game.game) }));
  }, [game]);

  // Numbers of moves and steps of the record differ where stones were set up or events happened.
  const numbers = useMemo(() => {
    let n = 0;
    return (game?.positions ?? []).map((p) => (p.kind === 'action' && p.by !== null ? ++n : n));
  }, [game]);
  const last = numbers[numbers.length - 1] ?? 0;
  const record = useMemo(() => game && { rules: game.rules, moves: game.positions.slice(1, at + 1) }, [game, at]);
  const key = [at, ...branch].join(',');
  const looked = useRef('');
  looked.current = shade || branch.length ? key : '';
  const found = seen[key];
  const analysed = found && found !== 'asked' ? found : null;
  // Only the newest question matters: an older one that is still open is given up.
  const ask = async (/** @type {number} */ step, /** @type {string[]} */ actions) => {
    const k = [step, ...actions].join(',');
    if (seen[k]) return;
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    setSeen((s) => ({ ...s, [k]: 'asked' }));
    try {
      const answer = await patiently(() => api.analyse(id, { step, actions }, mine.signal), mine.signal);
      setSeen((s) => ({ ...s, [k]: answer }));
    } catch (e) {
      setSeen(({ [k]: _, ...rest }) => rest);
      // What was asked of a position that is no longer looked at need not be told.
      if (mine.signal.aborted || looked.current !== k) return;
      say(errorText(e));
      setBranch((now) => (now.join() === actions.join() ? now.slice(0, -1) : now));
      setShade(false);
    }
  };
  const to = (/** @type {number} */ step) => {
    setAt(Math.max(0, Math.min((game?.positions.length ?? 1) - 1, step)));
    setAim(null); setBranch([]); setWhy(0); setAll(false); setSel(0); setLook(null); setBest(0);
  };
  const toMove = (/** @type {number} */ n) => to(Math.max(0, numbers.indexOf(n)));
  const tryMove = (/** @type {string} */ a) => { setAim(null); setBranch([...branch, a]); setSel(0); setLook(null); setBest(0); };
  const back = () => (branch.length ? setBranch(branch.slice(0, -1)) : to(at - 1));
  const playOn = async () => {
    if (making.current) return;
    making.current = true;
    const still = asked();
    try {
      const made = await api.branch(id, { step: at, actions: branch });
      // The new game tells in every list where it came from.
      const name = t('branch.name', { what: game?.title || opponents(game?.seats ?? [], mine, game?.game ?? ''), n: num(numbers[at] + branch.length) });
      await api.change(made.id, { title: name.slice(0, 40) }).catch(() => {});
      arrive(still, `#/game/${made.id}`);
    } catch (e) { say(errorText(e)); }
    making.current = false;
  };
  const keepLine = () => { branches.keep((now) => withLine(now, { at, number: numbers[at], actions: branch, name: '' })); say(t('branch.kept')); };
  const openLine = (/** @type {import('./branches.js').Line} */ l) => { to(l.at); setBranch(l.actions); };
  useEffect(() => { if (shade || branch.length) ask(at, branch); }, [shade, key]);
  const toggleShade = () => setShade(!shade);
  useKeys({ '[': back, ']': () => to(at + 1), Home: () => to(0), End: () => to(numbers.length - 1), t: toggleShade, b: () => setBest(best ? 0 : 99), Escape: () => { if (aim) setAim(null); else if (branch.length) setBranch([]); else if (full) setFull(false); else setBest(0); } }, prefs.keys);

  if (!game) return html`<main id="main" tabindex="-1" class="page">${error ? html`<p class="err" role="alert">
    ${errorText(error)}</p>` : html`<div class="panel"><${StatusLine} status=${{ kind: 'think', main: t('st.connecting') }} /></div>`}</main>`;

  const position = game.positions[at];
  const drawing = drawingOf(game.game);
  wordsOf(drawing);
  const view = branch.length ? analysed?.view ?? position.view : position.view;
  const turn = branch.length ? analysed?.turn ?? null : position.turn;
  const byNumber = new Map((review?.moves ?? []).map((m) => [m.number, m]));
  const played = !branch.length && position.kind === 'action' ? byNumber.get(numbers[at]) ?? null : null;
  const next = !branch.length ? byNumber.get(numbers[at] + 1) ?? null : null;
  const bestLine = best && next ? next.pv.slice(0, Math.min(best, 10)) : [];
  const cands = branch.length || shade ? analysed?.candidates.slice(0, 3) ?? [] : [];
  const line = look !== null && cands[look] ? cands[look].pv.slice(0, 8) : bestLine;
  const reasons = played?.reasons ?? [];
  const reason = reasons[why] ?? null;
  const marks = line.length ? [] : cands.length ? cands.map((c, i) => ({ at: c.action, letter: LETTERS[i], text: lossText(c), best: i === 0, on: i === sel }))
    : next && next.best && game.game === 'go' ? [{ at: next.best, letter: 'A', text: '', best: true }] : [];
  const pending = branch.length && !analysed && drawing.places ? { at: branch[branch.length - 1], seat: (position.turn ?? 0) ^ ((branch.length - 1) % 2), state: 'way' } : null;
  const me = mine.length === 1 ? mine[0] : null;
  const order = drawing.order ? drawing.order(game.seats.length, me) : game.seats.map((s) => s.seat).reverse();
  const who = (/** @type {number} */ s) => (drawing.seat ? drawing.seat(game.seats, s, me) : mine.length === 1 && mine[0] === s ? t('seat.you') : seatColor(game.game, s));
  /** Who sits there; two of one name are told apart by their numbers. @param {import('../types').SeatInfo} s */
  const label = (s) => {
    if (drawing.seat) return who(s.seat) + (s.kind === 'computer' ? ` · ${seatName(s, mine, game.game)}` : '');
    const name = seatName(s, mine, game.game);
    return game.seats.some((o) => o.seat !== s.seat && seatName(o, mine, game.game) === name) ? `${seatColor(game.game, s.seat)} · ${name}` : name;
  };
  const board = html`<${drawing.Board} view=${view} legal=${branch.length ? analysed?.legal ?? [] : next || turn === null ? [] : []} seat=${turn ?? 0} busy=${turn === null && !branch.length} free=${true}
    confirm=${prefs.confirm} aim=${aim} onAim=${setAim} onAct=${tryMove} ownership=${shade ? analysed?.details?.ownership ?? null : null}
    dead=${view.dead ?? []} marks=${marks} pending=${pending} line=${line.map((a, i) => ({ at: a, n: i + 1, seat: turn === null ? 0 : (turn + i) % game.seats.length }))}
    subject=${reason && drawing.places && !line.length ? { points: reason.subject, chip: chip(reason) } : null}
    order=${order} record=${record} name=${(/** @type {number} */ s) => game.seats[s].name || who(s)} details=${shade || branch.length ? analysed?.details : null} />`;

  const worst = (review?.worst ?? []).map((i) => review?.moves[i]).filter((m) => m !== undefined);
  const slip = (/** @type {Reviewed | undefined} */ m) => /** @type {import('./panel.js').Slip} */ (!m?.mistake ? '' : mine.length && !mine.includes(m.seat) ? 'theirs' : 'mine');
  const slips = worst.map((m) => ({ x: m.number, mine: slip(m) === 'mine' }));
  const moves = game.positions.map((p, i) => ({ p, no: numbers[i], i })).filter(({ p }) => p.kind === 'action' && p.by !== null)
    .map(({ p, no }) => ({ by: p.by, action: p.action, no, mistake: slip(byNumber.get(no)) }));
  const own = drawing.seat ? order[order.length - 1] : 0;
  const caps = Array.isArray(view?.captures) ? view.captures : null;
  const points = graphPoints(review?.moves ?? [], unit, game.seats.length);
  const sayMove = (/** @type {number} */ n, lost = true) => {
    const m = lost ? byNumber.get(n) : null;
    const a = moves.find((x) => x.no === n);
    if (!a) return t('review.start');
    const words = t(drawing.typed ? 'pdk.review.say' : 'review.say', { n: num(n), who: who(a.by ?? 0), move: moveText(a.action) });
    return m?.mistake ? `${words}${t('review.say.lost', { lost: lostText(m) })}` : words;
  };
  const lead = shade && analysed ? leadText(analysed.details) : '';
  /** @type {import('./status.js').Status} */
  const status = shade && !branch.length && found === 'asked' && game.game === 'go' ? { kind: 'think', main: t('shade.wait') }
    : lead && !branch.length ? { kind: 'plain', main: lead } : reviewStatus(review, reviewError, branch.length, branch.length > 0 && !analysed, game, drawing.seat ? who : undefined, me);

  return html`<main id="main" tabindex="-1" class="tablewrap"><h1 class="sr">${t('review')}</h1>
    <div class=${`table withtree review ${full ? 'sheet-full' : ''}`}>
    <${MoveTree} moves=${moves} at=${numbers[at]} onAt=${toMove} />
    ${html`<${SeatRow} cls="strip opp" game=${game.game} seat=${drawing.seat ? order[0] : 1} name=${drawing.seat ? order.slice(0, -1).map(who).join(t('pdk.list')) : seatName(game.seats[1] ?? game.seats[0], mine, game.game)} captured=${caps ? caps[1] : null} turn=${turn !== null && turn !== own} />`}
    <section class="left" aria-label=${t('board.section')}><div class="bd">${board}</div>
      <div class="ctl">${aim ? html`<${AimBar} at=${aim} allowed=${true} onPlace=${() => tryMove(aim)} onCancel=${() => setAim(null)} />` : html`<${IconButton} icon="first" label=${t('nav.first')} onClick=${() => to(0)} disabled=${at === 0} />
        <${IconButton} icon="prev" label=${t('nav.prev')} onClick=${back} disabled=${at === 0 && !branch.length} />
        <${IconButton} icon="next" label=${t('nav.next')} onClick=${() => to(at + 1)} disabled=${at === numbers.length - 1} />
        <${IconButton} icon="last" label=${t('nav.last')} onClick=${() => to(numbers.length - 1)} disabled=${at === numbers.length - 1} />
        <button class="tog wideonly" aria-pressed=${best ? 'true' : 'false'} disabled=${!next || next.pv.length === 0} onClick=${() => setBest(best ? 0 : 99)}>
          ${t('review.best')}</button>
        <button class="tog wideonly" aria-pressed=${shade ? 'true' : 'false'} onClick=${toggleShade}>${t(drawing.shade ?? 'territory')}</button>
        <span class="sp"></span>${branch.length ? html`<button class="wideonly" onClick=${() => setBranch([])}>${t('review.back')}</button>` : null}
        <button class=${branch.length ? 'pri' : ''} disabled=${turn === null} onClick=${playOn}>${t('review.playon')}</button>
        <button aria-haspopup="dialog" onClick=${() => setMenu(true)}>${t('more')}</button>`}</div></section>
    ${html`<${SeatRow} cls="strip own" game=${game.game} seat=${own} name=${drawing.seat ? who(own) : seatName(game.seats[0], mine, game.game)} captured=${caps ? caps[0] : null} turn=${turn === own} note=${sayMove(numbers[at])} />`}
    <section class="right panel" aria-label=${t('panel.section')}>
      <button class="grab" aria-label=${t(full ? 'sheet.less' : 'sheet.more')} aria-expanded=${full ? 'true' : 'false'} onClick=${() => setFull(!full)}></button>
      ${order.map((i) => game.seats[i]).map((s) => html`<${SeatRow} key=${s.seat} cls="seat" game=${game.game} seat=${s.seat} name=${label(s)} captured=${caps ? caps[s.seat] : null} turn=${turn === s.seat} />`)}
      <${StatusLine} status=${status} /><div class="mid">
      ${branch.length || (shade && analysed) ? html`<div class="advice">${branch.length > 0 && html`<div class="hd"><h2>
        ${t('review.line', { line: branch.map(moveText).join(' ') })}</h2><span class="sp"></span>
        <button class="ic" onClick=${keepLine}>${t('branch.keep')}</button></div>`}
        ${cands.length ? html`<${Candidates} list=${cands} sel=${sel} onSel=${setSel} onLook=${setLook} />` : html`<div class="cands"></div>`}
        ${branch.length > 0 && html`<p class="ph">${t('review.tryhelp')}</p>`}</div>`
      : html`<div class="facts"><${MoveFacts} m=${played} slip=${slip(played ?? undefined)} words=${sayMove(numbers[at], false)} comment=${position.comment} /></div>
        ${reasons.length > 0 && played && html`<div class="hd"><h2>${t('why.title', { move: moveText(played.best) })}</h2></div>
          <${Reasons} c=${{ action: played.best, reasons }} seat=${played.seat} focus=${why} onFocus=${setWhy} all=${all} onAll=${() => setAll(true)} />`}`}
      ${worst.length > 0 && html`<div class="hd"><h2>${t('review.worst')}</h2></div><ul class="worst">${worst.slice(0, 8).map((m) => html`<li key=${m.number}>
        <button aria-current=${m.number === numbers[at] ? 'step' : undefined} onClick=${() => toMove(m.number)}>
          <span>${slipSign(slip(m))}</span>
          <span>${m.number} ${who(m.seat)}</span><span class="mut">${moveText(m.action)}${m.best && m.best !== m.action ? ` → ${moveText(m.best)}` : ''}</span>
            <span>${lostText(m)}</span></button></li>`)}</ul>`}
      <${Branches} branches=${branches} shown=${branch.length ? { at, actions: branch } : null} onLine=${openLine} /></div>
      <${Moves} shown=${full} game=${game.game} moves=${moves} at=${numbers[at]} onAt=${toMove} />
      <div class="graph"><div class="hd"><button class="ic tog" aria-pressed=${unit === 'rate' ? 'true' : 'false'} onClick=${() => setUnit('rate')}>
        ${t('graph.rate')}</button>
        <button class="ic tog" aria-pressed=${unit === 'points' ? 'true' : 'false'} onClick=${() => setUnit('points')}>${t(game.game === 'go' ? 'graph.points' : 'pdk.graph.points')}</button>
          <span class="sp"></span>${valueText(points, numbers[at], unit, game.game)}</div>
        <${Chart} points=${points} last=${Math.max(last, 1)} at=${numbers[at]} onAt=${toMove} unit=${unit} slips=${slips} label=${t('graph.label', { who: drawing.seat ? who(0) : seatColor(game.game, 0) })} base=${unit === 'rate' ? 1 / game.seats.length : 0} say=${sayMove} />
        <div class="leg">${worst.slice(0, 2).map((m, i) => html`<button key=${m.number} onClick=${() => toMove(m.number)}>
          <span class=${slips[i].mine ? 'mk' : ''} aria-hidden="true">
          ${slips[i].mine ? '▲' : '○'}</span> ${t('review.leg', { n: m.number, who: who(m.seat), lost: shortLoss(m) })}</button>`)}${worst.length > 2 ? html`<span class="mut">${t('review.leg.more', { n: worst.length - 2 })}</span>` : null}</div></div>
    </section></div>
    ${menu && html`<${ReviewMenu} id=${id} game=${game.game} onClose=${() => setMenu(false)} best=${() => setBest(best ? 0 : 99)} shade=${toggleShade} />`}</main>`;
}

/** @param {{ id: string, game: string, onClose: () => void, best: () => void, shade: () => void }} props */
function ReviewMenu({ id, game, onClose, best, shade }) {
  return html`<${Dialog} title=${t('more')} kind="menu" onClose=${onClose}>
    <button onClick=${() => { onClose(); best(); }}>${t('review.best')}</button>
    <button onClick=${() => { onClose(); shade(); }}>${t(drawingOf(game).shade ?? 'territory')}</button>
    ${game === 'go' && html`<button onClick=${() => { onClose(); download(id, 'analysis'); }}>${t('menu.sgf.review')}</button>`}
    <button onClick=${() => { onClose(); download(id, 'jsonl'); }}>${t('menu.record')}</button>
    <button onClick=${() => go(`#/game/${id}`)}>${t('lobby.open')}</button><hr /><${Preferences} /><//>`;
}

/** @param {{ m: Reviewed | null, slip: import('./panel.js').Slip, words: string, comment: string | null }} props */
function MoveFacts({ m, slip, words, comment }) {
  useEffect(() => announce(words), [words]);
  const loss = m ? lostText(m) : '';
  const judged = !m ? '' : m.action === m.best ? t('review.isbest') : !m.loss ? t('st.checking')
    : m.mistake ? t('review.lost', { lost: loss }) : m.pass === 'coarse' ? t('review.checking', { lost: loss }) : t('review.fine', { lost: loss });
  return html`<p class="b">${words}</p>${m && html`<p class=${`loss ${slip === 'mine' ? 'bad' : m.action === m.best ? '' : 'mut'}`}>
    ${slip && html`<span aria-hidden="true">${slip === 'mine' ? '▲' : '○'} </span>`}${judged}</p>
    ${m.best && m.best !== m.action && html`<p class="mut">${t('review.better', { line: m.pv.slice(0, 6).map(moveText).join(' ') })}</p>`}
    <p class="mut sm">${seeksPoints() && m.points ? t('review.worth', { x: pointsText(measured(m.points), 1) }) : t('review.chance', { who: '', rate: pct(m.win_rate.mean, 1), error: num(100 * m.win_rate.error, 1) })}</p>`}
    ${comment && html`<p class="sm">${comment}</p>`}`;
}

/** @param {Reviewed} m */
const shortLoss = (m) => (m.loss ? (m.loss_in_points ? pointsText(num(m.loss.mean, m.loss.mean < 3 ? 1 : 0), 1) : `${num(100 * m.loss.mean)} %`) : '');

/** @param {{ x: number, y: number, error: number }[]} points @param {number} at @param {'rate' | 'points'} unit @param {string} game */
function valueText(points, at, unit, game) {
  const p = points.find((q) => q.x === at);
  if (!p) return null;
  return unit === 'rate' ? html`<b>${pct(p.y, 0)}</b> <span class="mut sm">±${num(100 * p.error, 1)}</span>` : html`<b>
    ${game === 'go' ? t('lead.black', { x: measured({ mean: p.y, error: p.error }) }) : measured({ mean: p.y, error: p.error })}</b>`;
}

/** @param {ReviewState | null} r @param {any} error @param {number} branch @param {boolean} asking @param {Positions} game @param {((seat: number) => string) | undefined} who @param {number | null} me @returns {import('./status.js').Status} */
function reviewStatus(r, error, branch, asking, game, who, me) {
  if (asking) return { kind: 'think', main: t('st.checking') };
  if (branch) return { kind: 'plain', main: t('review.branch') };
  if (error) return { kind: 'bad', main: errorText(error) };
  if (!r || r.status === 'queued' || r.status === 'none') return { kind: 'think', main: t('review.queued') };
  if (r.status === 'failed') return { kind: 'bad', main: t('review.failed') };
  if (r.status === 'running') return { kind: 'think', main: t(`review.pass.${r.pass === 'coarse' ? 'coarse' : 'fine'}`), more: t('review.progress', { done: r.done, total: r.total }) };
  return { kind: 'done', main: resultText(game.result, game.game, game.positions[game.positions.length - 1].view, who, me) || t('review.done'), after: r.worst.length ? t('review.count', { n: r.worst.length }) : t('review.clean') };
}
