// @ts-check
/** Study: set up a position by hand or by text, then play it out or look at it. */
import { html, useEffect, useRef, useState } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { api, errorText } from '../lib/api.js';
import { arrive, useAsked } from '../lib/asked.js';
import { frame, say, title } from '../lib/frame.js';
import { GoBoard, emptyRows, pointName, pointOf } from '../games/go.js';
import { Pip } from './panel.js';

const TOOLS = ['X', 'O', '.'];

/**
 * A drawn board: rows of `X`/`#`/`●`, `O`/`○` and `.`/`+`, coordinates and blanks left out.
 * @param {string} text
 * @returns {string[] | null}
 */
export function readDiagram(text) {
  /** @type {string[]} */
  const rows = [];
  for (const line of text.split(/\r?\n/)) {
    const cells = line.replace(/[()[\]|]/g, ' ').replace(/^\s*\$*[A-Z]*\s*\d*\s*/i, (m) => (/^[\sXOxo.#+●○]*$/.test(m) ? m : '')).replace(/\s*\d+\s*$/, '').replace(/\s+/g, '');
    if (/^[XOxo.#+*,●○⚫⚪●○┼]+$/u.test(cells) && cells.length >= 2) rows.push(cells.replace(/[x#●⚫]/gu, 'X').replace(/[o○⚪]/gu, 'O').replace(/[+*,┼]/g, '.'));
  }
  return rows.length >= 2 && rows.length <= 25 && rows.every((r) => r.length === rows[0].length && r.length <= 25) ? rows : null;
}

export function Study() {
  const [rows, setRows] = useState(() => emptyRows([19, 19]));
  const [tool, setTool] = useState('X');
  const [toMove, setToMove] = useState(0);
  const [text, setText] = useState('');
  const [aim, setAim] = useState(/** @type {string | null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const size = /** @type {[number, number]} */ ([rows[0].length, rows.length]);
  useEffect(() => { title(t('nav.study')); frame.set({ about: '', back: '#/', name: t('nav.study'), short: '' }); }, []);

  const asked = useAsked();
  const busy = useRef(false);
  /** Makes one game at a time, and goes to it. @param {() => Promise<[string, import('../types').Created]>} make_ */
  const open = async (make_) => {
    if (busy.current) return;
    busy.current = true;
    const still = asked();
    try {
      const [where, created] = await make_();
      if (created.warnings.length) say(created.warnings.join(' '));
      arrive(still, `#/${where}/${created.id}`);
    } catch (e) { if (still()) setError(e); else say(errorText(e)); }
    busy.current = false;
  };

  const put = (/** @type {string} */ at) => {
    const p = pointOf(at, size[1]);
    if (!p) return;
    setAim(null);
    setRows(rows.map((r, y) => (y === p[1] ? r.slice(0, p[0]) + (r[p[0]] === tool ? '.' : tool) + r.slice(p[0] + 1) : r)));
  };
  const stones = (/** @type {string} */ c) => rows.flatMap((r, y) => [...r].map((s, x) => (s === c ? pointName(x, y, size[1]) : '')).filter(Boolean));
  const setup = () => ({ black: stones('X'), white: stones('O'), to_move: toMove === 0 ? 'black' : 'white' });
  const make = (/** @type {boolean} */ play) => open(async () => {
    const me = { kind: /** @type {'here'} */ ('here'), name: '' };
    const computer = { kind: /** @type {'computer'} */ ('computer'), player: 'best:level=5' };
    return [play ? 'game' : 'review', await api.create({ game: 'go', seats: play ? (toMove === 0 ? [me, computer] : [computer, me]) : [me, me], rules: { size: size[0] === size[1] ? size[0] : size }, setup: setup(), hints: true })];
  });
  const read = () => {
    const drawn = readDiagram(text);
    if (drawn) { setRows(drawn); setText(''); setError(null); return; }
    open(async () => ['review', await api.importRecord(text)]);
  };
  const count = stones('X').length + stones('O').length;
  return html`<main id="main" tabindex="-1" class="tablewrap"><h1 class="sr">${t('nav.study')}</h1><div class="table study">
    <section class="left" aria-label=${t('board.section')}><div class="bd">
      <${GoBoard} size=${size} rows=${rows} seat=${tool === 'O' ? 1 : 0} allowed=${() => true} onAct=${put} aim=${aim} onAim=${setAim} confirm=${false} /></div>
      <div class="ctl">${aim ? html`<div class="aimbar" role="group"><button onClick=${() => setAim(null)}>${t('cancel')}</button>
        <button class="pri" onClick=${() => put(aim)}>${t('aim.place', { at: aim })}</button></div>`
        : html`<div class="seg" role="group" aria-label=${t('study.tool')}>
          ${TOOLS.map((s, i) => html`<button key=${s} aria-pressed=${tool === s ? 'true' : 'false'} onClick=${() => setTool(s)}>
          ${i < 2 ? html`<${Pip} game="go" seat=${i} />` : null}${t(`study.tool.${i}`)}</button>`)}</div>`}</div></section>
    <section class="right panel" aria-label=${t('panel.section')}><div class="score">
      <h2>${t('study.title')}</h2><p class="note">${t('study.text')}</p>
      <fieldset><legend>${t('new.size')}</legend><div class="seg">
        ${[9, 13, 19].map((n) => html`<button key=${n} aria-pressed=${size[0] === n && size[1] === n ? 'true' : 'false'} onClick=${() => setRows(emptyRows([n, n]))}>${t('size.square', { n, x: n })}</button>`)}</div></fieldset>
      <fieldset><legend>${t('study.tomove')}</legend><div class="seg">
        ${[0, 1].map((s) => html`<button key=${s} aria-pressed=${toMove === s ? 'true' : 'false'} onClick=${() => setToMove(s)}><${Pip} game="go" seat=${s} />
        ${t(`seat.go.${s}`)}</button>`)}</div></fieldset>
      <div class="acts"><button class="pri" disabled=${count === 0} onClick=${() => make(true)}>${t('study.play')}</button>
        <button disabled=${count === 0} onClick=${() => make(false)}>${t('study.look')}</button>
        <button disabled=${count === 0} onClick=${() => setRows(emptyRows(size))}>${t('study.clear')}</button></div>
      <label class="f">${t('study.paste')}<textarea rows="6" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} spellcheck="false">
        </textarea></label>
      <div class="acts"><button disabled=${!text.trim()} onClick=${read}>${t('import.open')}</button></div>
      ${error && html`<p class="err" role="alert">${errorText(error)}</p>`}</div></section></div></main>`;
}
