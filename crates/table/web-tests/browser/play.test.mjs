// Playing at the table: by keyboard, by touch, by text alone; hints, what-if, undo, reload.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open } from '../lib/page.mjs';
import { answered, cells, free, keyMove, lastChoice, moves, myTurn, statusText, tabTo } from '../lib/play.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

const storage = (more) => ({ 'kiebitz.owner': JSON.stringify(server.key), ...more });
/** Opens the lobby and starts a game with its one button. */
async function sit(options, more) {
  const w = await open(browser, { ...options, storage: storage(more) });
  await w.page.goto(server.base);
  await w.page.locator('[data-game=go] .play').click();
  await myTurn(w.page);
  return w;
}
const clean = async ({ page, errors, context }) => {
  assert.deepEqual(await page.evaluate(() => window.policyBreaches), []);
  assert.deepEqual(errors, []);
  await context.close();
};

test('a game against level 5 starts with one click', async () => {
  const w = await open(browser, {});
  await w.page.goto(`${server.base}/#/owner/${server.key}`);
  assert.doesNotMatch(await w.page.evaluate(() => location.href), /owner/, 'the key leaves the address');
  await w.page.locator('[data-game=go] .play').click();
  await myTurn(w.page);
  assert.match(await w.page.locator('.right .seat').first().innerText(), /level 5/);
  assert.equal((await cells(w.page)).length, 361);
  await clean(w);
});

test('a whole game by keyboard', async () => {
  const w = await open(browser, { storage: storage(lastChoice(9)) });
  const { page } = w;
  await page.goto(server.base);
  await page.locator('[data-game=go] .play').waitFor();
  await tabTo(page, '[data-game=go] .play');
  await page.keyboard.press('Enter');
  await myTurn(page);
  await tabTo(page, '[role=gridcell]');
  assert.equal(await page.evaluate(() => document.querySelectorAll('[role=gridcell][tabindex="0"]').length), 1, 'one tab stop');
  await page.keyboard.press('Home');
  assert.match(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), /^A5 empty/);
  for (const wished of [['E5', 'D5'], ['C3', 'D3'], ['G7', 'F7'], ['G3', 'F3'], ['C7', 'D7']]) {
    const made = await moves(page);
    await keyMove(page, await free(page, wished));
    await answered(page, made);
  }
  assert.match((await cells(page)).join('\n'), /last move/);
  // A place with a stone is refused in words, nothing is played.
  const taken = await page.evaluate(() => [...document.querySelectorAll('[role=gridcell]')].find((c) => / black/.test(c.getAttribute('aria-label')))?.getAttribute('data-at'));
  const kept = await cells(page);
  await keyMove(page, taken);
  assert.match(await statusText(page), /There is a stone already/);
  assert.deepEqual(await cells(page), kept);
  for (let i = 0; i < 140 && !(await page.locator('.score, .result').count()); i++) {
    const made = await moves(page);
    await page.keyboard.press('p');
    await answered(page, made);
  }
  if (await page.locator('.score').count()) {
    await page.locator('.accept:not([disabled]):visible').waitFor({ timeout: 60000 });
    await tabTo(page, '.score .pri', 140);
    await page.keyboard.press('Enter');
  }
  await page.locator('.result h2').waitFor();
  assert.match(await page.locator('.result h2').innerText(), /(Black|White) wins by [\d.]+ points?|A draw/);
  await clean(w);
});

test('19x19 by touch: aim, adjust, confirm', async () => {
  const w = await sit({ width: 390, height: 844, touch: true }, lastChoice(19));
  const { page } = w;
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const point = async (at) => {
    const box = await page.locator(`[data-at="${at}"] .hit`).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const stones = async () => (await cells(page)).filter((c) => / (black|white)/.test(c)).length;
  assert.ok((await page.locator('[data-at="K10"] .hit').boundingBox()).width < 24, 'cells are too small for a finger');
  await touch('touchStart', [await point('D4')]);
  await page.locator('.loupe').waitFor();
  assert.match(await statusText(page), /Aiming at D4/);
  await touch('touchMove', [await point('E6')]);
  await touch('touchMove', [await point('Q16')]);
  await page.getByRole('button', { name: 'Place Q16' }).waitFor();
  await touch('touchEnd', []);
  await page.locator('.cross').waitFor({ state: 'attached' });
  assert.equal(await stones(), 0, 'nothing is played by aiming');
  // The magnifier goes with the finger.
  await page.locator('.loupe').waitFor({ state: 'detached', timeout: 20000 });
  await page.getByRole('button', { name: 'Cancel' }).tap();
  await page.locator('.cross').waitFor({ state: 'detached', timeout: 20000 });
  for (const at of ['Q16', 'D4', 'Q4', 'D16', 'K10', 'O17']) {
    const place = await free(page, [at]);
    const made = await moves(page);
    const before = await stones();
    await touch('touchStart', [await point(place)]);
    await touch('touchEnd', []);
    await page.getByRole('button', { name: `Place ${place}` }).tap();
    await answered(page, made);
    assert.ok((await stones()) >= before + 1);
  }
  await page.locator('.ctl button').last().tap();
  await page.getByRole('button', { name: 'Resign' }).tap();
  await page.locator('dialog .bad').tap();
  await page.locator('.result h2').waitFor();
  assert.match(await page.locator('.result h2').innerText(), /White wins by resignation/);
  // The review opens at the last move, which can be judged, and one can go on from there.
  await page.getByRole('button', { name: 'Review' }).tap();
  await page.waitForFunction(() => location.hash.startsWith('#/review/') && /Move 12: White/.test(document.querySelector('.facts')?.textContent ?? ''), null, { timeout: 60000 });
  await page.getByRole('button', { name: 'Play on', disabled: false }).waitFor();
  await clean(w);
});

test('a whole 19x19 game by touch alone, to the count', async () => {
  const here = { kind: 'here', name: '' };
  const w = await open(browser, { width: 390, height: 844, touch: true, storage: storage(lastChoice(19, [here, here])) });
  const { page } = w;
  await page.goto(server.base);
  await page.locator('[data-game=go] .play').tap();
  await myTurn(page);
  // White walls off the corner; Black's stone inside stays and is dead.
  const order = ['B2', 'A6', 'Q16', 'B6', 'D16', 'C6', 'Q4', 'D6', 'K10', 'E6', 'R10', 'F6', 'K16', 'F5', 'K4', 'F4', 'D10', 'F3', 'C14', 'F2', 'Q10', 'F1'];
  const label = (at) => page.locator(`[data-at="${at}"]`).getAttribute('aria-label');
  for (const [i, at] of order.entries()) {
    const box = await page.locator(`[data-at="${at}"] .hit`).boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByRole('button', { name: `Place ${at}` }).tap();
    await page.waitForFunction(([p, color, n]) => document.querySelector(`[data-at="${p}"]`).getAttribute('aria-label').includes(color)
      && new RegExp(`(Black|White) to move\\s*move ${n}`).test(document.querySelector('.st').textContent), [at, i % 2 ? 'white' : 'black', i + 2]);
  }
  for (let i = 0; i < 2; i++) {
    const words = await statusText(page);
    await page.getByRole('button', { name: 'Pass' }).tap();
    await page.waitForFunction((old) => document.querySelector('.st .words').innerText !== old, words);
  }
  await page.locator('.accept:not([disabled]):visible').waitFor({ timeout: 60000 });
  // Whatever the computer proposed: the stone in the corner is marked by touch, both ways.
  const dead = async () => /dead/.test(await label('B2'));
  const first = await dead();
  for (const wanted of first ? [false, true] : [true]) {
    const box = await page.locator('[data-at="B2"] .hit').boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction((yes) => /dead/.test(document.querySelector('[data-at="B2"]').getAttribute('aria-label')) === yes, wanted);
  }
  assert.equal(await page.locator('.aimbar').count(), 0, 'marking needs no confirmation');
  await page.locator('.accept:not([disabled]):visible').tap();
  await page.locator('.result h2').waitFor();
  assert.match(await page.locator('.result h2').innerText(), /(Black|White) wins by [\d.]+ points?/);
  await page.locator('.grab').tap();
  await page.waitForFunction(() => /Komi\s+–\s+7\.5/.test(document.querySelector('.result').innerText), null, { timeout: 15000 });
  await clean(w);
});

test('a whole 9x9 game by the text command line alone', async () => {
  const w = await sit({}, lastChoice(9));
  const { page } = w;
  await page.keyboard.press('/');
  const log = () => page.locator('.cli .log').innerText();
  // The log keeps the last lines only, so what counts is what stands after the last thing said.
  const say = async (text, wanted) => {
    const before = await log();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    if (wanted) {
      await page.waitForFunction(([old, said, source]) => {
        const all = document.querySelector('.cli .log').innerText;
        return all !== old && new RegExp(source).test(all.slice(all.lastIndexOf(`> ${said}`)));
      }, [before, text, wanted.source], { timeout: 90000 });
    }
    const all = await log();
    return all.slice(all.lastIndexOf(`> ${text}`));
  };
  const turn = /Your turn|Both passed|wins|draw/;
  await say('nonsense', /no move and no question/);
  await say('E5', turn);
  await say('last', /White: \w+/);
  await say('e5', /stone already/);
  await say('hint', /% ± [\d.]+, points/);
  await say('groups', /Black E5 \(1 stone\)/);
  await say('board', /A B C D E F G H J/);
  await say('score', /As it stands/);
  for (const at of ['C3', 'G7', 'C7', 'G3', 'D4']) {
    const found = await page.evaluate((a) => document.querySelector(`.cell.ok[data-at="${a}"]`) !== null, at);
    if (found) await say(at, turn);
  }
  for (let i = 0; i < 140; i++) {
    const told = await say('pass', turn);
    if (/Both passed|wins|draw/.test(told)) break;
  }
  if (/Both passed/.test(await log())) await say('accept', /wins|draw/);
  assert.match(await log(), /(Black|White) wins by [\d.]+ points?|A draw/);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT', 'the focus never left the line');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.cli').count(), 0);
  await clean(w);
});

test('a hint comes in two steps and says why', async () => {
  const w = await sit({}, lastChoice(9));
  const { page } = w;
  await page.keyboard.press('h');
  await page.locator('.look').first().waitFor({ state: 'attached' });
  assert.equal(await page.locator('.cand').count(), 0, 'first only where to look');
  await page.keyboard.press('h');
  await page.locator('.cand').first().waitFor();
  await page.locator('.rs').first().waitFor({ timeout: 90000 });
  assert.match(await page.locator('.cand').first().innerText(), /[A-J]\d/);
  for (const text of await page.locator('.rs').allInnerTexts()) assert.match(text, /\d/, 'each reason has its number');
  assert.ok((await page.locator('.rs').count()) <= 3);
  assert.equal(await page.locator('.mark.best').count(), 1);
  await page.locator('.cand').first().focus();
  await page.locator('.ghost').first().waitFor({ state: 'attached' });
  await page.locator('.rs').first().focus();
  assert.equal(await page.locator('.ghost').count(), 0, 'the line goes with the focus');
  await page.getByRole('button', { name: /Show moves/ }).click();
  assert.ok((await page.locator('.ghost').count()) >= 1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.cand').count(), 0);
  // Any point shows what it would lose.
  await page.keyboard.press('w');
  assert.match(await statusText(page), /What if\? Choose a point/);
  await page.locator('[data-at="A1"]').click();
  await page.waitForFunction(() => /A1: −[\d.]+|A1 is the best/.test(document.querySelector('.st').textContent), null, { timeout: 60000 });
  assert.equal((await cells(page)).filter((c) => / black/.test(c)).length, 0, 'asking plays nothing');
  await page.getByRole('button', { name: 'Stop' }).click();
  assert.match(await statusText(page), /Your turn/);
  await page.keyboard.press('t');
  await page.locator('.own').first().waitFor({ state: 'attached', timeout: 60000 });
  await clean(w);
});

test('undo and redo, reload, and the same game again from the lobby', async () => {
  const w = await sit({}, lastChoice(9));
  const { page } = w;
  for (const at of ['E5', 'C3']) {
    const made = await moves(page);
    await page.locator(`[data-at="${await free(page, [at, 'G6'])}"]`).click();
    await answered(page, made);
  }
  const state = await cells(page);
  const words = await statusText(page);
  await page.reload();
  await myTurn(page);
  assert.deepEqual(await cells(page), state, 'reload brings the same position back');
  assert.equal(await statusText(page), words);
  await page.keyboard.press('u');
  await page.waitForFunction((n) => [...document.querySelectorAll('[role=gridcell]')].filter((c) => / (black|white)/.test(c.getAttribute('aria-label'))).length < n, state.filter((c) => / (black|white)/.test(c)).length);
  await page.keyboard.press('r');
  await page.waitForFunction((all) => JSON.stringify([...document.querySelectorAll('[role=gridcell]')].map((c) => c.getAttribute('aria-label'))) === all, JSON.stringify(state));
  await page.goto(`${server.base}/#/`);
  const row = page.locator('.mine li').first();
  await row.getByRole('button').click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.locator('dialog input').fill('Sunday game');
  await page.locator('dialog .pri').click();
  await page.getByRole('link', { name: 'Sunday game' }).waitFor();
  await row.getByRole('button').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.waitForFunction(() => !document.querySelector('.mine')?.textContent.includes('Sunday game'));
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Sunday game' }).click();
  await myTurn(page);
  assert.deepEqual(await cells(page), state);
  await clean(w);
});

test('single-letter keys can be turned off, and every move can be confirmed', async () => {
  const w = await sit({}, lastChoice(9));
  const { page } = w;
  await page.locator('.ctl button').last().click();
  await page.getByLabel('Single-letter keys').uncheck();
  await page.getByLabel('Confirm every move').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('h');
  assert.equal(await page.locator('.ctl button[aria-pressed=true]').count(), 0);
  await page.locator('[data-at="E5"]').click();
  await page.getByRole('button', { name: 'Place E5' }).waitFor();
  assert.equal((await cells(page)).filter((c) => / black/.test(c)).length, 0);
  const made = await moves(page);
  await page.getByRole('button', { name: 'Place E5' }).click();
  await answered(page, made);
  await clean(w);
});
