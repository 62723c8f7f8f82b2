// The clocks of the card table: one's own beside the hand, the others' beside their names, with fixed time and Fischer's.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { overflow, violations } from '../lib/axe.mjs';
import { ready, seatAt, turn } from '../lib/cards.mjs';
import { launch, open } from '../lib/page.mjs';
import { startServer, storageOf } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

const PHONE = { width: 390, height: 844, touch: true };
/** A position in which seat 0 leads and has plays enough. */
const OPEN = { hands: ['34455679TTTJKKKK', '3366778899JJQQAA', '3445567889TJQQA2'], to_move: 0, leader: 0 };
const own = (page) => page.locator('.handbar .clk');
/** A clock in seconds, `1:05` or `9.3`. */
const seconds = async (clock) => (await clock.innerText()).split(':').map(Number).reduce((sum, x) => 60 * sum + x, 0);
const clean = async ({ page, errors, context }) => {
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(errors, []);
  await context.close();
};

test('fixed time: the own clock is there from the start, runs, grows low, and at its end the game is lost', async () => {
  const w = await seatAt(browser, server, { setup: OPEN, clock: { kind: 'absolute', main_ms: 14000 }, window: PHONE });
  const { page } = w;
  await ready(page);
  assert.equal(await seconds(own(page)), 14);
  assert.equal(await own(page).getAttribute('role'), 'timer');
  assert.match(await own(page).getAttribute('aria-label'), /0:14 left/);
  assert.match(await page.locator('.st').innerText(), /clock starts with the first play/);
  assert.equal(await page.locator('.o .clk').count(), 2, 'the others have theirs');
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(await violations(page), []);
  await turn(w, 'touch', (legal) => legal[0]);
  // With a bomb in hand nothing is passed by itself: the person is to move again, and lets the clock run.
  await page.waitForFunction(() => /^\d\.\d$/.test(document.querySelector('.handbar .clk')?.textContent ?? '') && document.querySelector('.handbar .clk').classList.contains('low'), null, { timeout: 60000 });
  await page.locator('.result h2').waitFor({ timeout: 90000 });
  assert.equal(w.state().outcome.how, 'timeout');
  assert.match(await page.locator('.result h2').innerText(), /You ran out of time/);
  // The lobby says the same of it, for whoever looks later.
  const lobby = await open(browser, { storage: storageOf(server, [w.game]) });
  await lobby.page.goto(`${server.base}/#/`);
  await lobby.page.locator('.mine .done', { hasText: 'Player 1 ran out of time' }).waitFor();
  await lobby.context.close();
  await clean(w);
});

test('Fischer: a play adds its seconds to the own clock, in Chinese too', async () => {
  const w = await seatAt(browser, server, { setup: OPEN, clock: { kind: 'fischer', main_ms: 60000, increment_ms: 20000 }, window: { lang: 'zh-CN' } });
  const { page } = w;
  await ready(page);
  assert.equal(await seconds(own(page)), 60);
  assert.match(await page.locator('.st').innerText(), /第一次出牌之后开始计时/);
  await turn(w, 'keys', (legal) => legal[0]);
  await page.waitForFunction(() => { const [m, s] = (document.querySelector('.handbar .clk')?.textContent ?? '').split(':').map(Number); return 60 * m + s > 60; });
  assert.ok(await seconds(own(page)) <= 80);
  await page.reload();
  await own(page).waitFor();
  const again = await seconds(own(page));
  assert.ok(again > 20 && again <= 80, String(again));
  await clean(w);
});

test('without a clock there is none beside the hand', async () => {
  const w = await seatAt(browser, server, { setup: OPEN });
  await ready(w.page);
  assert.equal(await w.page.locator('.clk').count(), 0);
  await clean(w);
});
