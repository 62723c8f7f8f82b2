// Measures what the acceptance list names, on this machine: node measure.mjs. Not a test: times depend on what else runs.
import { open, launch } from './lib/page.mjs';
import { answered, free, lastChoice, moves, myTurn } from './lib/play.mjs';
import { ask, level, startServer, storageOf } from './lib/server.mjs';
import { cpus, loadavg } from 'node:os';

const server = await startServer();
const browser = await launch();
const owner = { 'kiebitz.owner': JSON.stringify(server.key) };
const seconds = async (what) => { const from = performance.now(); await what(); return (performance.now() - from) / 1000; };
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const say = (what, value, wanted) => console.log(`${what.padEnd(58)} ${String(value).padStart(22)}   ${wanted}`);
const load = () => `load ${loadavg()[0].toFixed(1)}`;
console.log(`${cpus().length} processors (${cpus()[0].model}), ${load()}\n`);

// What a first visit costs, and how many clicks a game needs.
{
  const { context, page } = await open(browser, {});
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  cdp.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength; });
  const idle = await seconds(() => page.goto(`${server.base}/#/owner/${server.key}`, { waitUntil: 'networkidle' }));
  say('first visit, cold cache, compressed', `${(bytes / 1000).toFixed(1)} kB`, 'at most 150 kB');
  say('first visit until nothing is loaded any more', `${idle.toFixed(2)} s`, '');
  let clicks = 0;
  await page.locator('[data-game=go] .play').click();
  clicks += 1;
  await myTurn(page);
  const opponent = await page.locator('.right .seat').first().innerText();
  say('clicks to a game against level 5', /level 5/.test(opponent) ? clicks : `not level 5: ${opponent}`, 'at most 2');
  await context.close();
}

// How long a person waits for the answer, from the click to the stone on the board.
for (const size of [9, 19]) {
  for (const n of [1, 2, 3, 4, 5]) {
    const { context, page } = await open(browser, { storage: { ...owner, ...lastChoice(size, [{ kind: 'here', name: '' }, level(n)]) } });
    await page.goto(server.base);
    await page.locator('[data-game=go] .play').click();
    await myTurn(page);
    const times = [];
    for (const wished of size === 9 ? ['E5', 'C3', 'G7', 'G3', 'C7', 'E3', 'E7'] : ['Q16', 'D4', 'Q4', 'D16', 'K10', 'O17', 'R9']) {
      const made = await moves(page);
      const at = await free(page, [wished]);
      times.push(await seconds(async () => { await page.locator(`[data-at="${at}"]`).click(); await answered(page, made); }));
    }
    say(`level ${n} answers on ${size}x${size}, median and longest of ${times.length}`, `${median(times).toFixed(2)} s, ${Math.max(...times).toFixed(2)} s`, `about 1 s; ${load()}`);
    // The first hint after some moves: where to look, the moves, the reasons.
    if (n === 5) {
      const area = await seconds(async () => { await page.keyboard.press('h'); await page.locator('.look').first().waitFor({ state: 'attached' }); });
      const cands = await seconds(async () => { await page.keyboard.press('h'); await page.locator('.cand').first().waitFor(); });
      const why = await seconds(() => page.locator('.rs').first().waitFor({ timeout: 60000 }));
      say(`first hint on ${size}x${size}: where to look, moves, reasons`, `${area.toFixed(2)}, ${(area + cands).toFixed(2)}, ${(area + cands + why).toFixed(2)} s`, 'the first at most 1 s');
    }
    await context.close();
  }
}

// A game of 200 moves between two computers, then the coarse pass over it.
{
  const made = await ask(server, 'POST', '/api/games', { game: 'go', seats: [level(1), level(1)], rules: {}, clock: { kind: 'none' }, hints: true });
  const { context, page } = await open(browser, { storage: storageOf(server, [made]) });
  await page.goto(`${server.base}/#/game/${made.id}`);
  const ply = async () => (await ask(server, 'GET', '/api/games')).games.find((g) => g.id === made.id);
  for (let g = await ply(); g.ply < 200 && g.phase === 'playing'; g = await ply()) await new Promise((r) => setTimeout(r, 500));
  const text = await (await fetch(`${server.base}/api/games/${made.id}/record?format=sgf`, { headers: { authorization: `Bearer ${server.key}` } })).text();
  await ask(server, 'PATCH', `/api/games/${made.id}`, { deleted: true });
  const [head, ...nodes] = text.trim().replace(/\)\s*$/, '').split(/(?=;[BW]\[)/);
  const sgf = `${head.replace(/RE\[[^\]]*\]/, '')}${nodes.slice(0, 200).join('')})`;
  const imported = await (await fetch(`${server.base}/api/import`, { method: 'POST', headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${server.key}` }, body: sgf })).json();
  await page.evaluate((hash) => { location.hash = hash; }, '#/');
  await page.locator('.mine').waitFor({ state: 'attached' });
  const from = performance.now();
  await page.evaluate((hash) => { location.hash = hash; }, `#/review/${imported.id}`);
  let first = 0;
  await page.locator('.chart .ln').waitFor({ state: 'attached', timeout: 120000 });
  first = (performance.now() - from) / 1000;
  for (;;) {
    const r = await ask(server, 'GET', `/api/games/${imported.id}/review`);
    if (r.pass !== 'coarse') { say(`coarse graph of ${r.total} moves on 19x19: begun, whole`, `${first.toFixed(1)}, ${((performance.now() - from) / 1000).toFixed(1)} s`, `at most 15 s; ${load()}`); break; }
    await new Promise((r) => setTimeout(r, 100));
  }
  await context.close();
}
await browser.close();
await server.end();
