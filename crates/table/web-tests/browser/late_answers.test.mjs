// Answers that come when the person has gone on: they take nobody away, and take back nothing that was done meanwhile.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import * as fx from '../lib/fixtures.mjs';
import { mock } from '../lib/mock.mjs';
import { launch, open, serveFiles } from '../lib/page.mjs';

let site, browser;
before(async () => { site = await serveFiles(); browser = await launch(); });
after(async () => { await browser?.close(); await site?.close(); });

/** A window with made-up answers at a place of the page. */
async function at(hash, seen, answers = {}) {
  const w = await open(browser, {});
  const { sockets } = await mock(w.page, answers);
  await w.page.goto(`${site.base}/${hash}`);
  await w.page.locator(seen).first().waitFor();
  return { ...w, sockets, clean: async () => { assert.deepEqual(w.errors, []); await w.context.close(); } };
}

/** Holds back the next answer of a kind: `came` resolves when it is asked for, `release` lets it go (with another status, as a refusal). */
async function hold(page, pattern, method = 'POST') {
  const [gate, asked] = [Promise.withResolvers?.() ?? later(), Promise.withResolvers?.() ?? later()];
  let used = false;
  await page.route(pattern, async (route) => {
    if (used || route.request().method() !== method) { await route.fallback(); return; }
    used = true;
    asked.resolve();
    const answer = await gate.promise;
    if (answer) await route.fulfill({ status: answer.status, contentType: 'application/json', body: JSON.stringify(answer.body ?? {}) }); else await route.fallback();
  });
  return { came: asked.promise, release: (answer) => gate.resolve(answer) };
}
function later() {
  const it = {};
  it.promise = new Promise((resolve) => { it.resolve = resolve; });
  return it;
}

const hash = (page) => page.evaluate(() => location.hash);
/** The toast tells of the game and leads to it. */
async function toldAndOpened(page, where) {
  await page.locator('.toast', { hasText: 'The game is ready' }).waitFor();
  await page.locator('.toast').getByRole('button', { name: 'Open' }).click();
  await page.waitForFunction((h) => location.hash === h, where);
}

test('a game made in the lobby does not take somebody away from what is being chosen', async () => {
  const w = await at('#/', '[data-game=go] .play');
  const { page } = w;
  const making = await hold(page, '**/api/games');
  await page.locator('[data-game=go] .play').click();
  await making.came;
  await page.locator('[data-game=go] button', { hasText: 'Change' }).click();
  const name = page.locator('dialog .seatrow input').first();
  await name.fill('Ada');
  making.release();
  await page.locator('.toast', { hasText: 'The game is ready' }).waitFor();
  assert.equal(await name.inputValue(), 'Ada');
  assert.equal(await hash(page), '#/');
  await page.keyboard.press('Escape');
  await toldAndOpened(page, '#/game/mock');
  await w.clean();
});

test('two presses on one game make one game', async () => {
  const w = await at('#/', '[data-game=go] .play');
  const { page } = w;
  let made = 0;
  page.on('request', (r) => { if (r.method() === 'POST' && r.url().endsWith('/api/games')) made += 1; });
  const making = await hold(page, '**/api/games');
  await page.locator('[data-game=go] .play').dblclick();
  await making.came;
  making.release();
  await page.waitForFunction(() => location.hash === '#/game/mock');
  assert.equal(made, 1);
  await w.clean();
});

test('a new game whose dialog was closed meanwhile does not open by itself', async () => {
  const w = await at('#/', '[data-game=go] .play');
  const { page } = w;
  const making = await hold(page, '**/api/games');
  await page.locator('[data-game=go] button', { hasText: 'Change' }).click();
  await page.locator('dialog button.pri').click();
  await making.came;
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  making.release();
  await page.locator('.toast').waitFor();
  assert.equal(await hash(page), '#/');
  await toldAndOpened(page, '#/game/mock');
  await w.clean();
});

for (const [what, place, seen, act, pattern, where] of [
  ['how to play', '#/howto/go', '.howto .pri', (page) => page.locator('.howto .pri').click(), '**/api/games', '#/game/mock'],
  ['study', '#/study', '.study', async (page) => { await page.locator('[data-at="D4"]').click({ force: true }); await page.locator('.score .pri').click(); }, '**/api/games', '#/game/mock'],
  ['a review', '#/review/mock', '.worst button', (page) => page.getByRole('button', { name: 'Play on' }).click(), '**/api/games/mock/branch', '#/game/mock'],
  ['a link', '#/join/code', '.card .pri', (page) => page.getByRole('button', { name: 'Sit down' }).click(), '**/api/join', '#/game/mock'],
]) {
  test(`who has left ${what} is not called back by the answer`, async () => {
    const w = await at(place, seen);
    const { page } = w;
    const making = await hold(page, pattern);
    await act(page);
    await making.came;
    await page.evaluate(() => { location.hash = '#/'; });
    await page.locator('[data-game=go] .play').waitFor();
    making.release({ status: 201, body: what === 'a link' ? { id: 'mock', token: { seat: 0, token: 't' }, watch: null } : { id: 'mock', tokens: [], invites: [], watch: 'w', warnings: [] } });
    await page.locator('.toast', { hasText: 'The game is ready' }).waitFor();
    assert.equal(await hash(page), '#/');
    await toldAndOpened(page, where);
    // The name of a branch has no made-up answer; nobody is told.
    await w.context.close();
  });
}

test('an older list of games does not take the place of a newer one', async () => {
  const w = await at('#/', '.mine li');
  const { page } = w;
  assert.equal(await page.locator('.mine li').count(), 3);
  const all = fx.games.map((g) => ({ ...g }));
  await page.route('**/api/games/*', (route) => (route.request().method() === 'PATCH' ? route.fulfill({ status: 204 }) : route.fallback()));
  let lists = 0;
  const old = await hold(page, '**/api/games', 'GET');
  // The first list is asked for by a new name and told late; the second one by a deletion.
  await page.route('**/api/games', async (route) => {
    if (route.request().method() !== 'GET' || lists++ === 0) { await route.fallback(); return; }
    await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ games: all.slice(1) }) });
  });
  const menu = (i) => page.locator('.mine li').nth(i).locator('button').click();
  await menu(1);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.locator('dialog input').fill('Evening');
  await page.keyboard.press('Enter');
  await old.came;
  await menu(0);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.mine li').length === 2);
  const answered = page.waitForResponse((r) => r.url().endsWith('/api/games') && r.request().method() === 'GET');
  old.release({ status: 200, body: { games: all } });
  await answered;
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  assert.equal(await page.locator('.mine li').count(), 2, 'the deleted game is not back');
  await w.clean();
});

test('a deletion that the server refused is not told as done', async () => {
  const w = await at('#/', '.mine li');
  const { page } = w;
  await page.route('**/api/games/*', (route) => (route.request().method() === 'PATCH' ? route.fulfill({ status: 507, contentType: 'application/json', body: JSON.stringify({ code: 'store.full', message: 'full' }) }) : route.fallback()));
  await page.locator('.mine li button').first().click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.locator('.toast', { hasText: 'The disk is full' }).waitFor();
  assert.equal(await page.locator('.toast', { hasText: /deleted/i }).count(), 0);
  await w.context.close();
});

test('an answer about a position that was left says nothing and turns nothing off', async () => {
  const w = await at('#/review/mock', '.worst button');
  const { page } = w;
  const shade = page.getByRole('button', { name: 'Territory' }).first();
  // The last position is known already; the one before is asked about, and left while the answer is under way.
  await page.keyboard.press('t');
  await page.locator('.left .own').first().waitFor({ state: 'attached' });
  const looking = await hold(page, '**/api/games/mock/analyse');
  await page.keyboard.press('[');
  await looking.came;
  await page.keyboard.press(']');
  const answered = page.waitForResponse((r) => r.url().endsWith('/analyse'));
  looking.release({ status: 503, body: { code: 'player.failed', message: 'failed' } });
  await answered;
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  assert.equal(await page.locator('.toast').count(), 0);
  assert.equal(await shade.getAttribute('aria-pressed'), 'true');
  await w.context.close();
});

test('taking back the deletion of a line keeps the lines that came after it', async () => {
  const line = (at, action) => ({ at, number: at, actions: [action], name: '' });
  const w = await open(browser, { storage: { 'kiebitz.lines.mock': JSON.stringify([line(3, 'K10'), line(5, 'L10')]) } });
  const { page } = w;
  await mock(page);
  await page.goto(`${site.base}/#/review/mock`);
  const lines = () => page.evaluate(() => JSON.parse(localStorage.getItem('kiebitz.lines.mock')).map((l) => l.actions.join()));
  await page.locator('.branches li').nth(1).waitFor();
  await page.locator('.branches li').first().getByRole('button').last().click();
  await page.getByRole('button', { name: 'Delete' }).click();
  assert.deepEqual(await lines(), ['L10']);
  // Another line is kept, in another window, while the toast is there.
  await page.evaluate((l) => localStorage.setItem('kiebitz.lines.mock', JSON.stringify([...JSON.parse(localStorage.getItem('kiebitz.lines.mock')), l])), line(7, 'M10'));
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.branches li').length === 3);
  assert.deepEqual(await lines(), ['K10', 'L10', 'M10']);
  assert.deepEqual(w.errors, []);
  await w.context.close();
});

test('the command line tells nothing of a position that has changed meanwhile', async () => {
  const w = await at('#/game/mock', '[role=grid]');
  const { page } = w;
  await page.keyboard.press('/');
  const asking = await hold(page, '**/api/games/mock/text');
  await page.keyboard.type('score');
  await page.keyboard.press('Enter');
  await asking.came;
  w.sockets[0].send(JSON.stringify({ ...fx.state, v: 32, ply: 31, turn: 1, legal: [] }));
  await page.waitForFunction(() => !document.title.startsWith('●'));
  asking.release({ status: 200, body: { board: null, groups: [], count: fx.count, expected: 3.5 } });
  await page.locator('.cli .log', { hasText: 'The game has moved on' }).waitFor();
  assert.doesNotMatch(await page.locator('.cli .log').innerText(), /As it stands/);
  await w.clean();
});

test('an older answer about the server does not undo the owner’s key', async () => {
  const w = await open(browser, {});
  const { page } = w;
  await mock(page);
  const first = await hold(page, '**/api/info', 'GET');
  await page.goto(`${site.base}/#/howto/go`, { waitUntil: 'commit' });
  await first.came;
  // The page waits for the first answer before it shows anything: it is asked again by hand.
  await page.evaluate(async () => { await (await import('/lib/frame.js')).askInfo(); });
  assert.equal(await page.evaluate(async () => (await import('/lib/frame.js')).server.value.info.owner), true);
  first.release({ status: 200, body: { ...fx.info, owner: false } });
  await page.locator('.howto').waitFor();
  assert.equal(await page.evaluate(async () => (await import('/lib/frame.js')).server.value.info.owner), true);
  await w.context.close();
});

test('a language that cannot be fetched is told, and the page stays as it is', async () => {
  const w = await at('#/', '[data-game=go] .play');
  const { page } = w;
  await page.route('**/i18n/zh-CN.json', (route) => route.abort());
  await page.getByRole('button', { name: '中文' }).click();
  await page.locator('.toast', { hasText: 'cannot be reached' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  await w.context.close();
});
