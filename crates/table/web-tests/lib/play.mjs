// Small steps that several tests of the table share.
import assert from 'node:assert/strict';

/** A game of 9x9 against the weakest computer as the last choice, so that one button starts it. */
export const lastChoice = (size, seats = [{ kind: 'here', name: '' }, { kind: 'computer', player: 'best:level=1' }]) => ({
  'kiebitz.last.go': JSON.stringify({ seats, rules: size === 19 ? {} : { size }, clock: { kind: 'none' }, hints: false }),
});

export const myTurn = (page, timeout = 60000) => page.waitForFunction(() => document.title.startsWith('●'), null, { timeout });

/** How many moves the page shows. */
export const moves = (page) => page.evaluate(() => Number(document.querySelector('.mvs .cur .mut')?.textContent ?? 0));

/** The turn came back after a move made when `before` were shown, or the phase of moves ended. */
export async function answered(page, before) {
  await page.waitForFunction((n) => document.querySelector('.score, .result')
    || (document.title.startsWith('●') && Number(document.querySelector('.mvs .cur .mut')?.textContent ?? 0) >= n + 2), before, { timeout: 120000 });
}

export const statusText = (page) => page.locator('.st .words').innerText();
export const cells = (page) => page.evaluate(() => [...document.querySelectorAll('[role=gridcell]')].map((c) => c.getAttribute('aria-label')));

/** Presses Tab until the focus is on what the selector names. */
export async function tabTo(page, selector, most = 40) {
  for (let i = 0; i < most; i++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** Moves the focus on the board with arrow keys to a place and acts there. */
export async function keyMove(page, at) {
  const where = (label) => { const m = /^([A-HJ-T])(\d+)/.exec(label); return ['ABCDEFGHJKLMNOPQRST'.indexOf(m[1]), Number(m[2])]; };
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('data-at') ?? '');
  assert.notEqual(focused, '', 'the focus stays on the board');
  const [x, y] = where(focused);
  const [tx, ty] = where(at);
  for (let i = 0; i < Math.abs(tx - x); i++) await page.keyboard.press(tx > x ? 'ArrowRight' : 'ArrowLeft');
  for (let i = 0; i < Math.abs(ty - y); i++) await page.keyboard.press(ty > y ? 'ArrowUp' : 'ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-at')), at);
  await page.keyboard.press('Enter');
}

/** A place that may be played now, from those wished for, else any. */
export const free = (page, wished) => page.evaluate((list) => {
  const ok = [...document.querySelectorAll('.cell.ok')].map((c) => c.getAttribute('data-at'));
  return list.find((a) => ok.includes(a)) ?? ok[Math.floor(ok.length / 2)] ?? null;
}, wished);
