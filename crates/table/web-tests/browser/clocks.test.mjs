// Clocks, and what others see of a computer that thinks.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { lastState, leaks, tap } from '../lib/leaks.mjs';
import { launch, open } from '../lib/page.mjs';
import { answered, free, moves, myTurn, statusText } from '../lib/play.mjs';
import { ask, startServer, storageOf } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

/** The clock of a seat of the panel, in seconds; the person sits below. */
const clock = async (page, row) => {
  const parts = (await page.locator('.right .seat .clk').nth(row).innerText()).split(':').map(Number);
  return parts.reduce((sum, x) => 60 * sum + x, 0);
};
/** Opens the choices of Go and starts a game of 9x9 against level 1 with a clock. */
async function sit(kind, minutes, increment) {
  const w = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
  const { page } = w;
  await page.goto(server.base);
  await page.locator('[data-game=go] button', { hasText: 'Change' }).click();
  await page.getByRole('button', { name: '9×9' }).click();
  await page.locator('dialog').getByLabel('Level').selectOption('1');
  await page.getByLabel('Clock').selectOption(kind);
  await page.getByLabel('Minutes').fill(String(minutes));
  await page.getByLabel('Minutes').press('Tab');
  if (increment) { await page.getByLabel('Seconds added per move').fill(String(increment)); await page.getByLabel('Seconds added per move').press('Tab'); }
  assert.deepEqual(await violations(page), []);
  await page.locator('dialog button.pri').click();
  await myTurn(page);
  return w;
}

test('fixed time: the clock of the side to move runs down, and at its end the game is lost', async () => {
  const { page, errors, context } = await sit('absolute', 0.2);
  assert.match(await page.locator('.st').innerText(), /clock starts with the first move/);
  assert.equal(await clock(page, 1), 12);
  const made = await moves(page);
  await page.locator(`[data-at="${await free(page, ['E5'])}"]`).click();
  await answered(page, made);
  await page.waitForFunction(() => Number(document.querySelectorAll('.right .seat .clk')[1].textContent.split(':').at(-1)) < 11);
  const standing = await clock(page, 0);
  assert.ok(standing <= 12);
  await page.waitForTimeout(500);
  assert.equal(await clock(page, 0), standing, 'the other clock stands');
  // Low on time is told by colour and by tenths, not by colour alone.
  await page.waitForFunction(() => /^\d\.\d$/.test(document.querySelectorAll('.right .seat .clk')[1].textContent) && document.querySelectorAll('.right .seat .clk')[1].classList.contains('low'), null, { timeout: 60000 });
  await page.locator('.result h2').waitFor({ timeout: 60000 });
  assert.match(await page.locator('.result h2').innerText(), /White wins on time/);
  assert.match(await statusText(page), /White wins on time/);
  assert.equal(await page.locator('.cell.ok').count(), 0);
  assert.equal((await ask(server, 'GET', '/api/games')).games[0].result, 'W+T');
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(errors, []);
  await context.close();
});

test('Fischer: every move adds its seconds, and a reload shows the same time', async () => {
  const { page, errors, context } = await sit('fischer', 1, 20);
  const made = await moves(page);
  await page.locator(`[data-at="${await free(page, ['E5'])}"]`).click();
  await answered(page, made);
  const after = await clock(page, 1);
  assert.ok(after > 60 && after <= 80, `20 s were added: ${after}`);
  assert.ok(await clock(page, 0) > 60, 'to the computer too');
  await page.reload();
  await myTurn(page);
  const again = await clock(page, 1);
  assert.ok(again <= after && again > 20, `${again} of ${after}`);
  // Undo gives back the time of then at most, never more than there was.
  await page.keyboard.press('u');
  await page.waitForFunction(() => !document.querySelector('.mvs .cur'));
  await myTurn(page);
  assert.ok(await clock(page, 1) <= 80);
  assert.deepEqual(errors, []);
  await context.close();
});

test('others see of a thinking computer only for how long', async () => {
  // It would think for two minutes: until it is told to move, there is time to look.
  const made = await ask(server, 'POST', '/api/games', { game: 'go', seats: [{ kind: 'here', name: 'Ada' }, { kind: 'computer', player: 'uct:time=120s' }], rules: { size: 9 }, clock: { kind: 'none' }, hints: true });
  const ada = await open(browser, { storage: storageOf(server, [made]) });
  const guest = await open(browser, {});
  const heard = await tap(guest.page);
  await ada.page.goto(`${server.base}/#/game/${made.id}`);
  await guest.page.goto(`${server.base}/#/watch/${made.watch}`);
  await myTurn(ada.page);
  await guest.page.locator('svg.grid').waitFor();
  await ada.page.locator('[data-at="E5"]').click();
  for (const w of [ada, guest]) {
    await w.page.waitForFunction(() => /Kiebitz is thinking ([2-9]|\d\d+) s/.test(document.querySelector('.st').textContent.replace(/\s+/g, ' ')), null, { timeout: 60000 });
    assert.equal(await w.page.locator('.cand, .ghost, .mark').count(), 0);
  }
  assert.equal(await guest.page.getByRole('button', { name: 'Move now' }).count(), 0, 'a spectator does not hurry it');
  await ada.page.getByRole('button', { name: 'Move now' }).click();
  await myTurn(ada.page);
  // A hint of one's own is nobody else's.
  await ada.page.keyboard.press('h');
  await ada.page.keyboard.press('h');
  await ada.page.locator('.rs').first().waitFor({ timeout: 90000 });
  assert.ok(heard.frames.some((f) => f.includes('"type":"thinking"')), 'it was told of the thinking');
  assert.deepEqual(leaks(heard.frames, { game: 'go', seat: null, secrets: [server.key, ...made.tokens.map((t) => t.token)] }), []);
  assert.equal(lastState(heard).phase, 'playing');
  for (const w of [ada, guest]) { assert.deepEqual(w.errors, []); await w.context.close(); }
});
