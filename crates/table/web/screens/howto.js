// @ts-check
/** How to play: short sections with diagrams drawn by the board's own code. */
import { html, useEffect } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { errorText } from '../lib/api.js';
import { go, say, server, title } from '../lib/frame.js';
import { useStore } from '../lib/store.js';
import { GoPicture, ownerMap } from '../games/go.js';
import { lastChoice, start } from './newgame.js';

/** Each section of Go: a position and what is marked on it. @type {(import('../games/go.js').GoDrawing)[]} */
const GO = [
  { size: [7, 7], rows: ['.......', '..X....', '....O..', '..X....', '...XO..', '.......', '.......'], last: 'E3' },
  { size: [7, 7], rows: ['.......', '...X...', '..XOX..', '.......', '.......', '.......', '.......'], marks: [{ at: 'D4', letter: 'A', text: '', best: true }] },
  { size: [7, 7], rows: ['.......', '..XO...', '.XO.O..', '..XO...', '.......', '.......', '.......'], marks: [{ at: 'D5', letter: 'A', text: '', best: true }] },
  { size: [7, 7], rows: ['.X.XO..', 'XXXXO..', 'OOOOO..', '.......', '.......', '.......', '.......'], marks: [{ at: 'A7', letter: 'A', text: '', best: false }, { at: 'C7', letter: 'B', text: '', best: false }] },
  { size: [7, 7], rows: ['..X.O..', '..XO...', '..XO...', '..XO...', '..XXO..', '...XO..', '...XO..'], ownership: ownerMap(['XX...OO', 'XX..OOO', 'XX..OOO', 'XX..OOO', 'XX...OO', 'XXX..OO', 'XXX..OO']) },
];

/** @param {{ game: string }} props */
export function HowTo({ game }) {
  const { info } = useStore(server);
  useEffect(() => title(t('howto.title')), []);
  const play = async () => {
    const kind = info?.games.find((k) => k.id === game);
    if (!kind) return;
    try { go(`#/game/${(await start(kind, { ...lastChoice(kind), rules: { size: 9 } })).id}`); } catch (e) { say(errorText(e)); }
  };
  return html`<main id="main" tabindex="-1" class="page howto"><div class="hello"><h1>${t('howto.title')}</h1><p class="mut">${t('howto.lead')}</p></div>
    ${GO.map((d, i) => html`<section key=${i} class="panel"><${GoPicture} ...${d} label=${t(`howto.${i}.picture`)} /><div><h2>${t(`howto.${i}.title`)}</h2><p>
      ${t(`howto.${i}.a`)}</p><p>${t(`howto.${i}.b`)}</p></div></section>`)}
    <p><button class="pri" onClick=${play}>${t('howto.play')}</button></p></main>`;
}
