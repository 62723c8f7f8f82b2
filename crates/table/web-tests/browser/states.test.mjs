// What the page shows when something is slow, refused or lost.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import * as fx from '../lib/fixtures.mjs';
import { overflow, still, violations } from '../lib/axe.mjs';
import { mock } from '../lib/mock.mjs';
import { WEB, launch, open, serveFiles } from '../lib/page.mjs';
import { answered, cells, free, lastChoice, moves, myTurn, statusText } from '../lib/play.mjs';
import { startServer } from '../lib/server.mjs';

let browser, site;
before(async () => { browser = await launch(); site = await serveFiles(); });
after(async () => { await browser?.close(); await site?.close(); });

const seconds = async (what) => { const from = Date.now(); await what; return (Date.now() - from) / 1000; };

test('a lost connection is looked for often enough to be shown within 10 s, and healed within 3 s of return', () => {
  const source = readFileSync(join(WEB, 'lib/ws.js'), 'utf8');
  const ms = (name) => Number(new RegExp(`const ${name} = (\\d+);`).exec(source)[1]);
  const beat = Number(/this\.heartbeat\(\), (\d+)\)/.exec(source)[1]);
  assert.ok(ms('SILENCE') + 2 * beat <= 10000 && ms('PING') + beat < ms('SILENCE'));
  assert.ok(ms('PAUSE') <= 2500);
});

// How long it takes is printed, not judged: a machine that has much else to do takes longer.
test('a lost connection is shown and healed', async () => {
  let server = await startServer();
  const { page, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key), ...lastChoice(9) } });
  await page.goto(server.base);
  await page.locator('[data-game=go] .play').click();
  await myTurn(page);
  const made = await moves(page);
  await page.locator(`[data-at="${await free(page, ['E5'])}"]`).click();
  await answered(page, made);
  const state = await cells(page);
  // A server that no longer answers, although the connection stands.
  process.kill(server.pid, 'SIGSTOP');
  const silent = await seconds(page.locator('.st.warn').waitFor({ timeout: 60000 }));
  process.kill(server.pid, 'SIGCONT');
  const back = await seconds(page.locator('.st.turn').waitFor({ timeout: 60000 }));
  // A server that dies and comes back with the same folder.
  const { port, data } = server;
  await server.kill('SIGKILL');
  const died = await seconds(page.locator('.st.warn').waitFor({ timeout: 60000 }));
  assert.match(await statusText(page), /Connection lost. Your game is saved/);
  assert.equal(await page.locator('.cell.ok').count(), 0, 'the board does not accept moves');
  assert.deepEqual(await cells(page), state, 'the position stays in sight');
  await page.waitForTimeout(4000);
  server = await startServer({ port, data });
  const healed = await seconds(page.locator('.st.turn').waitFor({ timeout: 60000 }));
  console.log(`lost connection: shown after ${silent.toFixed(1)} s and ${died.toFixed(1)} s, healed after ${back.toFixed(1)} s and ${healed.toFixed(1)} s`);
  assert.deepEqual(await cells(page), state);
  await context.close();
  await server.end();
});

test('nothing moves while the computer thinks and a hint comes in', async () => {
  const server = await startServer();
  const { page, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key), ...lastChoice(9, [{ kind: 'here', name: '' }, { kind: 'computer', player: 'uct:time=3s' }]) } });
  await page.goto(server.base);
  await page.locator('[data-game=go] .play').click();
  await myTurn(page);
  await page.waitForFunction(() => document.readyState === 'complete');
  await still(page);
  await page.evaluate(() => { window.shift = 0; });
  const size = await page.locator('.right').boundingBox();
  const made = await moves(page);
  await Promise.all([page.locator('.st.think').waitFor(), page.locator('[data-at="E5"]').click()]);
  await answered(page, made);
  await page.keyboard.press('h');
  await page.locator('.look').first().waitFor({ state: 'attached' });
  await page.keyboard.press('h');
  await page.locator('.rs').first().waitFor({ timeout: 90000 });
  await still(page);
  assert.ok((await page.evaluate(() => window.shift)) <= 0.01, `layout shift ${await page.evaluate(() => window.shift)}`);
  assert.deepEqual(await page.locator('.right').boundingBox(), size);
  await context.close();
  await server.end();
});

test('in review on a phone another move is tried by aiming; a busy computer is waited for', async () => {
  const { page, errors, context } = await open(browser, { width: 390, height: 844, touch: true });
  await mock(page, {});
  let asked = 0;
  await page.route('**/analyse', (route) => {
    asked += 1;
    const { actions } = route.request().postDataJSON();
    if (asked === 1) return route.fulfill({ status: 503, contentType: 'application/json', body: '{"code":"busy","message":"busy"}' });
    const board = fx.rows.map((r, y) => (y === 9 ? `${r.slice(0, 9)}${actions.length ? 'X' : '.'}${r.slice(10)}` : r));
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ view: { ...fx.view, board }, turn: 1, legal: fx.state.legal, visits: 400, candidates: fx.candidates, details: {} }) });
  });
  await page.goto(`${site.base}/#/review/mock`);
  const place = page.locator('[data-at="K10"] .hit');
  await place.waitFor({ state: 'attached' });
  const box = await place.boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.getByRole('button', { name: 'Place K10' }).waitFor();
  assert.equal(asked, 0, 'nothing is tried by aiming');
  await Promise.all([page.locator('.stone.way').waitFor({ state: 'attached' }), page.getByRole('button', { name: 'Place K10' }).tap()]);
  await page.waitForFunction(() => /black/.test(document.querySelector('[data-at="K10"]').getAttribute('aria-label')));
  assert.equal(asked, 2);
  assert.deepEqual(errors.filter((e) => !/503/.test(e)), []);
  await context.close();
});

test('at odd sizes the whole board and every button of its bar are in sight', async () => {
  for (const [width, height] of [[910, 800], [1024, 700], [844, 390], [932, 430], [768, 1024], [600, 900], [390, 844], [360, 640]]) {
    const { page, errors, context } = await open(browser, { width, height, touch: width < 800 || height < 500 });
    await mock(page, {});
    for (const [hash, heading] of [['#/game/mock', 'The table'], ['#/review/mock', 'Review'], ['#/study', 'Study']]) {
      await page.goto(`${site.base}/${hash}`);
      await page.locator('main h1', { hasText: heading }).waitFor({ state: 'attached' });
      await page.locator('.bd [role=grid]').waitFor();
      const hidden = await page.evaluate(() => {
        const out = [];
        const inside = (r) => r.left >= -1 && r.top >= -1 && r.right <= innerWidth + 1 && r.bottom <= innerHeight + 1;
        if (!inside(document.querySelector('.bd [role=grid]').getBoundingClientRect())) out.push('board');
        for (const b of document.querySelectorAll('.ctl button')) {
          const r = b.getBoundingClientRect();
          if (!r.width) continue;
          const seen = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
          if (!inside(r) || !b.contains(seen)) out.push(b.textContent.trim() || b.getAttribute('aria-label'));
        }
        return out;
      });
      assert.deepEqual(hidden, [], `${hash} at ${width}x${height}`);
      assert.deepEqual(await overflow(page), [], `${hash} at ${width}x${height}`);
    }
    assert.deepEqual(errors, []);
    await context.close();
  }
});

test('a stored dark theme paints dark first', async () => {
  const { page, context } = await open(browser, { theme: 'light', storage: { 'kiebitz.theme': 'dark', 'kiebitz.lang': 'zh-CN' } });
  // Without its program the page shows what it paints first.
  await page.route('**/app.js', () => {});
  await page.goto(site.base, { waitUntil: 'commit' });
  await page.locator('#app').waitFor({ state: 'attached' });
  const seen = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.documentElement.lang, getComputedStyle(document.documentElement).colorScheme]);
  assert.deepEqual(seen, ['rgb(19, 24, 26)', 'zh-CN', 'dark']);
  // The picture itself, read back by another page, is of one colour.
  const picture = (await page.screenshot()).toString('base64');
  const { page: reader } = await open(browser, {});
  const colours = await reader.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return [[2, 2], [image.width / 2, image.height / 2], [image.width - 3, image.height - 3]].map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].join());
  }, picture);
  assert.deepEqual(new Set(colours), new Set(['19,24,26,255']));
  await reader.context().close();
  await context.close();
});

test('every state of the guide has its words', async () => {
  const at = async (state, look, options = {}) => {
    const { page, context, errors } = await open(browser, options);
    await mock(page, { state: { ...fx.state, ...state }, onMessage: options.onMessage });
    await page.goto(`${site.base}/#/game/mock`);
    await page.locator('svg.grid').waitFor();
    await look(page);
    assert.deepEqual(errors, []);
    await context.close();
  };
  await at({}, async (page) => {
    assert.match(await statusText(page), /Your turn move 31/);
    assert.match(await page.title(), /^● Kiebitz · level 5/);
  });
  await at({ turn: 1, legal: [] }, async (page) => {
    await page.waitForFunction(() => /Kiebitz is thinking [2-9] s/.test(document.querySelector('.st').textContent.replace(/\s+/g, ' ')));
    await page.getByRole('button', { name: 'Move now' }).waitFor();
    assert.doesNotMatch(await page.title(), /^●/);
  });
  // On a phone the button of the status line is not covered by the handle of the sheet.
  await at({ turn: 1, legal: [] }, async (page) => {
    await page.getByRole('button', { name: 'Move now' }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await overflow(page), []);
  }, { width: 390, height: 844, touch: true });
  const queued = (m, say) => { if (m.type === 'hello') { say(fx.welcome); say({ ...fx.state, turn: 1, legal: [] }); say({ type: 'thinking', seat: 1, ms: 0, queued: 2 }); return true; } return false; };
  await at({}, async (page) => { await page.waitForFunction(() => /Waiting for a free computer\s+2 before you/.test(document.querySelector('.st').textContent)); }, { onMessage: queued });
  const seats = [fx.seats[0], { seat: 1, kind: 'link', name: 'Ada', player: null, level: null, taken: true, online: false, away_ms: 40000 }];
  await at({ turn: 1, legal: [], seats }, async (page) => { assert.match((await statusText(page)).replace(/\s+/g, ' '), /Waiting for Ada · away for [4-9]\d s/); });
  await at({ asked: { id: 3, what: 'undo', by: 1, waiting_for: [0] }, seats }, async (page) => { assert.match(await page.locator('.ask').innerText(), /Ada asks to take back a move/); });
  // Own move on its way: at once, then in words; refused: it goes back with the rule.
  let refuse = () => {};
  const slow = (m, say) => { if (m.type === 'play') { refuse = () => say({ type: 'error', code: 'go.ko', message: 'x', cid: m.cid, id: null, v: null, retry_after: null }); return true; } return false; };
  await at({}, async (page) => {
    await page.locator('[data-at="K10"]').click();
    await page.locator('.stone.way').waitFor({ state: 'attached' });
    await page.waitForFunction(() => /Sending/.test(document.querySelector('.st').textContent));
    refuse();
    await page.waitForFunction(() => /Ko: play somewhere else first/.test(document.querySelector('.st').textContent));
    await page.waitForFunction(() => !document.querySelector('.stone.way, .stone.refused'));
  }, { onMessage: slow });
  const outcome = { result: 'B+7.5', winners: [0], returns: [7.5, -7.5], how: 'score', by: null, seed: '1', seed_salt: '2' };
  await at({ phase: 'over', turn: null, legal: [], count: fx.count, outcome }, async (page) => {
    assert.match(await statusText(page), /Black wins by 7.5 points/);
    await page.getByRole('button', { name: 'Rematch' }).waitFor();
  });
  await at({ phase: 'over', turn: null, legal: [], count: fx.count, outcome }, async (page) => { assert.match(await page.locator('.result h2').innerText(), /黑胜 3¾ 子/); }, { lang: 'zh-CN' });
  await at({ phase: 'scoring', turn: null, legal: [], scoring: fx.scoring }, async (page) => {
    const words = (await page.locator('.groups').innerText()).replace(/\u00a0/g, ' ');
    assert.match(words, /Captured in 97 % of playouts/);
    assert.match(words, /because it cannot make life/, 'a proof says because');
    assert.doesNotMatch(words, /because[^\n]*%/);
  });
  await at({ curtain: true, legal: [], view: { ...fx.view, board: fx.rows.map(() => '.'.repeat(19)) } }, async (page) => { await page.getByRole('button', { name: 'Draw the curtain' }).waitFor(); });
});
