// Looking at a game again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { launch, open } from '../lib/page.mjs';
import { cells } from '../lib/play.mjs';
import { startServer } from '../lib/server.mjs';

const SGF = '(;GM[1]FF[4]SZ[9]RU[chinese]KM[7]PB[Ada]PW[Bo];B[ee];W[cg];B[gg];W[cc];B[gc];W[eg];B[df];W[dg];B[fg];W[ce];B[ff];W[dd];B[ai];W[ed];B[ia];W[fc];B[fd];W[fb];B[gb];W[ec])';
let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

test('import by pasting, graph, steps, worst moves, a branch to play on', async () => {
  const { page, errors, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
  await page.goto(server.base);
  await page.getByRole('button', { name: 'Import' }).click();
  await page.locator('dialog textarea').fill(SGF);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/review/'));
  await page.locator('.chart .ln').waitFor({ state: 'attached', timeout: 60000 });
  await page.locator('.chart .band').waitFor({ state: 'attached' });
  await page.locator('.st.done').waitFor({ timeout: 240000 });
  const slider = page.getByRole('slider');
  assert.equal(await slider.getAttribute('aria-valuemax'), '20');
  await slider.focus();
  await page.keyboard.press('Home');
  assert.equal((await cells(page)).filter((c) => / (black|white)/.test(c)).length, 0);
  await page.keyboard.press('ArrowRight');
  assert.match(await slider.getAttribute('aria-valuetext'), /move 1: Black E5/i);
  await page.keyboard.press('PageUp');
  assert.equal(await slider.getAttribute('aria-valuenow'), '11');
  await page.keyboard.press('End');
  assert.equal((await cells(page)).filter((c) => / (black|white)/.test(c)).length, 20);
  await page.keyboard.press('[');
  assert.equal(await slider.getAttribute('aria-valuenow'), '19');
  // The moves on the first and the last line are so bad that any analysis sees it.
  await page.locator('.worst button').first().click();
  assert.match(await page.locator('.facts').innerText(), /Move (13|15): .*\s+▲ Lost [\d.]+\s±\s[\d.]+ points/);
  assert.equal(await page.locator('.mark.best').count() <= 1, true);
  await page.keyboard.press('t');
  await page.locator('.own').first().waitFor({ state: 'attached', timeout: 60000 });
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as SGF with analysis' }).click()]);
  const saved = readFileSync(await file.path(), 'utf8');
  assert.match(saved, /^\(;/);
  assert.match(saved, /C\[/, 'with what the analysis says');
  // Another move, and on from there.
  await page.locator('[data-at="E1"]').click();
  await page.waitForFunction(() => /black|white/.test(document.querySelector('[data-at="E1"]').getAttribute('aria-label')), null, { timeout: 60000 });
  await page.locator('.cand').first().waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => /empty/.test(document.querySelector('[data-at="E1"]').getAttribute('aria-label')));
  await page.locator('[data-at="E1"]').click();
  await page.waitForFunction(() => /black|white/.test(document.querySelector('[data-at="E1"]').getAttribute('aria-label')), null, { timeout: 60000 });
  await page.getByRole('button', { name: 'Play on' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/game/'));
  await page.waitForFunction(() => /black|white/.test(document.querySelector('[data-at="E1"]')?.getAttribute('aria-label') ?? ''));
  assert.deepEqual(errors, []);
  await context.close();
});

test('branches: a line is kept, named and found again; a game played on knows where it came from', async () => {
  const { page, errors, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
  await page.goto(`${server.base}/#/study`);
  await page.locator('textarea').fill(SGF);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/review/'));
  const main = await page.evaluate(() => location.hash);
  const stone = (at, there = true) => page.waitForFunction(([p, yes]) => /black|white/.test(document.querySelector(`[data-at="${p}"]`)?.getAttribute('aria-label') ?? '') === yes, [at, there], { timeout: 60000 });
  await stone('E5');
  await page.locator('.st.done').waitFor({ timeout: 240000 });
  // A line of two moves from the position after move 12.
  await page.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  for (const at of ['H8', 'H9']) {
    await page.locator(`[data-at="${at}"]`).click();
    await stone(at);
    await page.locator('.cand').first().waitFor({ timeout: 60000 });
  }
  assert.match(await page.locator('.advice h2').innerText(), /Trying H8 H9/);
  await page.getByRole('button', { name: 'Keep line' }).click();
  const list = page.locator('.branches li');
  assert.match(await list.innerText(), /H8 H9\s+after move 12/);
  assert.equal(await list.locator('.bn').getAttribute('aria-current'), 'true');
  await page.keyboard.press('Escape');
  await stone('H8', false);
  await list.getByRole('button', { name: 'Menu of H8 H9' }).click();
  await page.locator('dialog input').fill('the corner');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.reload();
  await list.getByRole('button', { name: /the corner/ }).first().click();
  await stone('H9');
  assert.equal((await cells(page)).filter((c) => / (black|white)/.test(c)).length, 14);
  assert.deepEqual(await violations(page), []);
  // A game goes on from there and is a branch too.
  await page.getByRole('button', { name: 'Play on' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/game/'));
  await stone('H9');
  const branch = await page.evaluate(() => location.hash.replace('game', 'review'));
  await page.waitForFunction(() => /from move 14/.test(document.title));
  await page.evaluate((hash) => { location.hash = hash; }, branch);
  await page.getByRole('link', { name: /Back to: / }).click();
  await page.waitForFunction((hash) => location.hash === hash, main);
  await page.getByRole('link', { name: /from move 14/ }).waitFor();
  assert.equal(await list.count(), 2);
  // Deleted, and back again.
  await list.getByRole('button', { name: 'Menu of the corner' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.branches li').length === 1);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.branches li').length === 2);
  assert.deepEqual(errors, []);
  await context.close();
});

test('a file dropped on the lobby and a text pasted there are opened; nonsense is explained', async () => {
  const { page, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
  await page.goto(server.base);
  await page.locator('.mine').waitFor({ state: 'attached' });
  await page.evaluate((sgf) => {
    const data = new DataTransfer();
    data.items.add(new File([sgf], 'club.sgf', { type: 'application/x-go-sgf' }));
    document.querySelector('main').dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, SGF);
  await page.waitForFunction(() => location.hash.startsWith('#/review/'));
  await page.goto(`${server.base}/#/`);
  await page.locator('.mine li').first().waitFor();
  await page.evaluate((sgf) => {
    const data = new DataTransfer();
    data.setData('text', sgf);
    document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
  }, SGF);
  await page.waitForFunction(() => location.hash.startsWith('#/review/'));
  await page.goto(`${server.base}/#/study`);
  await page.locator('textarea').fill('this is no game');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.locator('.err').waitFor();
  await page.locator('textarea').fill('. . . . .\n. X X . .\n. O O X .\n. . O . .\n. . . . .');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 25);
  assert.equal((await cells(page)).filter((c) => / black/.test(c)).length, 3);
  await page.locator('[data-at="A1"]').click();
  assert.equal((await cells(page)).filter((c) => / black/.test(c)).length, 4);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/review/'));
  await page.waitForFunction(() => /black/.test(document.querySelector('[data-at="A1"]')?.getAttribute('aria-label') ?? ''));
  await context.close();
});
