// @ts-check
/** How to play: short sections with diagrams drawn by the board's own code. */
import { html, useEffect, useState } from '../lib/html.js';
import { t } from '../lib/i18n.js';
import { errorText } from '../lib/api.js';
import { arrive, useAsked } from '../lib/asked.js';
import { say, server, title } from '../lib/frame.js';
import { useStore } from '../lib/store.js';
import { drawingOf } from '../lib/games.js';
import { lastChoice, start } from './newgame.js';

/** @param {{ game: string }} props */
export function HowTo({ game }) {
  const { info } = useStore(server);
  const heading = t(`howto.${game}.title`);
  useEffect(() => title(heading), [heading]);
  const asked = useAsked();
  const [busy, setBusy] = useState(false);
  const play = async () => {
    const kind = info?.games.find((k) => k.id === game);
    if (!kind || busy) return;
    const still = asked();
    setBusy(true);
    try { arrive(still, `#/game/${(await start(kind, { ...lastChoice(kind), ...(game === 'go' ? { rules: { size: 9 } } : {}) })).id}`); } catch (e) { say(errorText(e)); }
    setBusy(false);
  };
  return html`<main id="main" tabindex="-1" class="page howto"><div class="hello"><h1>${heading}</h1><p class="mut">${t(`howto.${game}.lead`)}</p></div>
    ${(drawingOf(game).howto ?? []).map((draw, i) => html`<section key=${i} class="panel">${draw(t(`howto.${game}.${i}.picture`))}<div><h2>${t(`howto.${game}.${i}.title`)}</h2>
      <p>${t(`howto.${game}.${i}.a`)}</p><p>${t(`howto.${game}.${i}.b`)}</p></div></section>`)}
    <p><button class="pri" onClick=${play}>${t(`howto.${game}.play`)}</button></p></main>`;
}
