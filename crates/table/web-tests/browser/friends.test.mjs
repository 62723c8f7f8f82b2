// Two browsers as two seats and one spectator: links, questions between people, a game to its end, a rematch; and what each
// of them was sent.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { leaks, tap } from '../lib/leaks.mjs';
import { launch, open } from '../lib/page.mjs';
import { cells, myTurn, statusText } from '../lib/play.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

/** The tokens a page keeps. */
const tokens = (page) => page.evaluate(() => Object.values(JSON.parse(localStorage.getItem('kiebitz.tokens') ?? '{}')).flatMap((h) => [...h.seats.map((s) => s.token), h.watch].filter(Boolean)));

test('a game between two browsers, watched by a third', async () => {
  const choice = { seats: [{ kind: 'here', name: 'Ada' }, { kind: 'link', name: '' }], rules: { size: 5 }, clock: { kind: 'none' }, hints: false };
  const a = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key), 'kiebitz.last.go': JSON.stringify(choice) } });
  const heardA = await tap(a.page);
  await a.page.goto(server.base);
  await a.page.locator('[data-game=go] .play').click();
  const links = a.page.locator('dialog input[readonly]');
  await links.nth(1).waitFor();
  const [join, watch] = [await links.nth(0).inputValue(), await links.nth(1).inputValue()];
  assert.match(join, /#\/join\//);
  assert.match(watch, /#\/watch\//);
  await a.page.keyboard.press('Escape');
  await myTurn(a.page);

  const b = await open(browser, { width: 390, height: 844 });
  const heardB = await tap(b.page);
  await b.page.goto(join);
  await b.page.locator('input').fill('Bo');
  await b.page.getByRole('button', { name: 'Sit down' }).click();
  await b.page.locator('svg.grid').waitFor();
  assert.doesNotMatch(b.page.url(), /join/, 'the code leaves the address');
  const c = await open(browser, {});
  const heardC = await tap(c.page);
  await c.page.goto(watch);
  await c.page.locator('svg.grid').waitFor();
  assert.match(await statusText(c.page), /Ada to move/);
  assert.equal(await c.page.locator('.cell.ok').count(), 0, 'a spectator cannot move');
  assert.ok(await a.page.locator('.ctl button[aria-pressed]').first().isDisabled(), 'no hints where another person plays');

  // All three see it before anybody goes on: what one is sent, another may be sent a little later.
  const shown = (at, there = true) => Promise.all([a, b, c].map((w) => w.page.waitForFunction(([p, yes]) => /empty/.test(document.querySelector(`[data-at="${p}"]`).getAttribute('aria-label')) !== yes, [at, there])));
  const play = async (w, at) => { await myTurn(w.page); await w.page.locator(`[data-at="${at}"]`).click(); await shown(at); };
  for (const [w, at] of [[a, 'C3'], [b, 'C4'], [a, 'D4'], [b, 'B3'], [a, 'B2']]) await play(w, at);
  // Bo asks for nothing while it is his turn; Ada takes her move back with his leave.
  await a.page.keyboard.press('u');
  await b.page.getByRole('button', { name: 'Yes' }).click();
  await shown('B2', false);
  await play(a, 'C2');
  await play(b, 'D5');
  assert.deepEqual(await cells(c.page), await cells(a.page), 'the spectator sees the same');
  for (const w of [a, b]) { await myTurn(w.page); await w.page.keyboard.press('p'); }
  for (const w of [a, b]) { await w.page.locator('.accept:not([disabled]):visible').waitFor({ timeout: 60000 }); await w.page.locator('.accept:visible').click(); }
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
  for (const [heard, seat, foreign] of [[heardA, 0, secrets.b], [heardB, 1, secrets.a], [heardC, null, [...secrets.a, ...secrets.b]]]) {
    assert.ok(heard.frames.findIndex((f) => f.includes('"phase":"over"')) > 5);
    assert.deepEqual(leaks(heard.frames, { game: 'go', seat, secrets: [server.key, ...foreign] }), []);
  }
  for (const w of [a, b, c]) { assert.deepEqual(w.errors, []); await w.context.close(); }
});
