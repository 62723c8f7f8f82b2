// Two browsers as two seats and one spectator: links, questions between people, a game to its end, a rematch; and what each
// of them was sent.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open } from '../lib/page.mjs';
import { cells, myTurn, statusText } from '../lib/play.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

/** Every frame a page was sent, and the tokens it keeps. */
const listen = (page) => {
  const frames = [];
  page.on('websocket', (ws) => ws.on('framereceived', ({ payload }) => frames.push(String(payload))));
  return frames;
};
const tokens = (page) => page.evaluate(() => Object.values(JSON.parse(localStorage.getItem('kiebitz.tokens') ?? '{}')).flatMap((h) => [...h.seats.map((s) => s.token), h.watch].filter(Boolean)));

test('a game between two browsers, watched by a third', async () => {
  const choice = { seats: [{ kind: 'here', name: 'Ada' }, { kind: 'link', name: '' }], rules: { size: 5 }, clock: { kind: 'none' }, hints: false };
  const a = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key), 'kiebitz.last.go': JSON.stringify(choice) } });
  const framesA = listen(a.page);
  await a.page.goto(server.base);
  await a.page.locator('[data-game=go] .play').click();
  const links = a.page.locator('dialog input');
  await links.nth(1).waitFor();
  const [join, watch] = [await links.nth(0).inputValue(), await links.nth(1).inputValue()];
  assert.match(join, /#\/join\//);
  assert.match(watch, /#\/watch\//);
  await a.page.keyboard.press('Escape');
  await myTurn(a.page);

  const b = await open(browser, { width: 390, height: 844 });
  const framesB = listen(b.page);
  await b.page.goto(join);
  await b.page.locator('input').fill('Bo');
  await b.page.getByRole('button', { name: 'Sit down' }).click();
  await b.page.locator('svg.grid').waitFor();
  assert.doesNotMatch(b.page.url(), /join/, 'the code leaves the address');
  const c = await open(browser, {});
  const framesC = listen(c.page);
  await c.page.goto(watch);
  await c.page.locator('svg.grid').waitFor();
  assert.match(await statusText(c.page), /Ada to move/);
  assert.equal(await c.page.locator('.cell.ok').count(), 0, 'a spectator cannot move');
  assert.ok(await a.page.locator('.ctl button[aria-pressed]').first().isDisabled(), 'no hints where another person plays');

  const play = async (w, at) => { await myTurn(w.page); await w.page.locator(`[data-at="${at}"]`).click(); await w.page.waitForFunction((p) => !/empty/.test(document.querySelector(`[data-at="${p}"]`).getAttribute('aria-label')), at); };
  for (const [w, at] of [[a, 'C3'], [b, 'C4'], [a, 'D4'], [b, 'B3'], [a, 'B2']]) await play(w, at);
  // Bo asks for nothing while it is his turn; Ada takes her move back with his leave.
  await a.page.keyboard.press('u');
  await b.page.getByRole('button', { name: 'Yes' }).click();
  await a.page.waitForFunction(() => /empty/.test(document.querySelector('[data-at="B2"]').getAttribute('aria-label')));
  await play(a, 'C2');
  await play(b, 'D5');
  assert.deepEqual(await cells(c.page), await cells(a.page), 'the spectator sees the same');
  for (const w of [a, b]) { await myTurn(w.page); await w.page.keyboard.press('p'); }
  for (const w of [a, b]) { await w.page.locator('.score .pri:not([disabled])').waitFor({ timeout: 20000 }); await w.page.locator('.score .pri').click(); }
  for (const w of [a, b, c]) await w.page.locator('.result h2').waitFor();
  const results = await Promise.all([a, b, c].map((w) => w.page.locator('.result h2').innerText()));
  assert.equal(new Set(results).size, 1);
  assert.equal(await c.page.getByRole('button', { name: 'Rematch' }).count(), 0);
  const old = a.page.url();
  await a.page.getByRole('button', { name: 'Rematch' }).click();
  await b.page.getByRole('button', { name: 'Rematch' }).click();
  await a.page.waitForFunction((url) => location.href !== url, old);
  await myTurn(b.page);
  assert.equal((await cells(b.page)).filter((x) => / black|white/.test(x)).length, 0);

  // What each was sent before the end: no secret of anybody, no legal moves and no candidates but one's own.
  const secrets = { a: await tokens(a.page), b: await tokens(b.page) };
  const beforeEnd = (frames) => frames.slice(0, Math.max(0, frames.findIndex((f) => f.includes('"phase":"over"'))));
  for (const [name, frames, foreign] of [['Ada', framesA, secrets.b], ['Bo', framesB, secrets.a], ['spectator', framesC, [...secrets.a, ...secrets.b]]]) {
    assert.ok(beforeEnd(frames).length > 5, name);
    for (const f of beforeEnd(frames)) {
      for (const token of [server.key, ...foreign]) assert.ok(!f.includes(token), `${name} was sent a foreign token`);
      const m = JSON.parse(f);
      assert.ok(!('seed' in m) && !f.includes('"seed":'), `${name} was sent the seed`);
      if (m.type === 'state' && (name === 'spectator' || m.turn !== (name === 'Ada' ? 0 : 1))) assert.deepEqual(m.legal, [], `${name} was sent another's legal moves`);
      assert.notEqual(m.type, 'hint');
    }
  }
  for (const w of [a, b, c]) { assert.deepEqual(w.errors, []); await w.context.close(); }
});
