// The choices of a new game: what follows what, and that they are kept.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open } from '../lib/page.mjs';
import { ask, startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

const choose = async (page, game) => {
  await page.goto(`${server.base}/#/`);
  await page.locator(`[data-game=${game}] button`, { hasText: 'Change' }).click();
  await page.locator('dialog .form').waitFor();
};

test('komi follows the board, the rules and the handicap until it is chosen', async () => {
  const { page, errors, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
  await choose(page, 'go');
  const komi = page.getByLabel('Komi (points)');
  const becomes = (wanted) => page.waitForFunction((x) => document.querySelector('dialog input[type=number]').value === x, wanted);
  await becomes('7.5');
  await page.getByRole('button', { name: '9×9' }).click();
  await becomes('7');
  await page.getByLabel('Rules').selectOption('japanese');
  const japanese = (await ask(server, 'POST', '/api/defaults', { game: 'go', rules: { size: 9, ruleset: 'japanese' } })).view.komi;
  await becomes(String(japanese));
  await page.getByLabel('Handicap').selectOption('2');
  await page.waitForFunction((x) => document.querySelector('dialog input[type=number]').value !== x, String(japanese));
  await komi.fill('3.5');
  await komi.press('Tab');
  await page.getByRole('button', { name: 'Exchange colours' }).click();
  await page.getByRole('button', { name: 'Other' }).click();
  await page.getByLabel('Size, such as').fill('9x7');
  await page.getByLabel('Size, such as').press('Tab');
  await komi.fill('4.5');
  await komi.press('Tab');
  await page.locator('dialog button.pri').click();
  await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 63);
  await page.locator('.about', { hasText: /9×7 · Japanese rules · komi 4\.5/ }).waitFor();
  assert.match(await page.locator('.right .seat').last().innerText(), /You\s*, White/);
  // The lobby offers the same again.
  await page.goto(`${server.base}/#/`);
  await page.locator('[data-game=go] dd', { hasText: 'White' }).waitFor();
  assert.match(await page.locator('[data-game=go] dl').innerText(), /9×7[\s\S]*White[\s\S]*level 5[\s\S]*Japanese rules/);
  assert.deepEqual(errors, []);
  await context.close();
});

test('what is being typed stays while the server answers', async () => {
  const { page, errors, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
  await page.route('**/api/defaults', async (route) => { await new Promise((done) => { setTimeout(done, 300); }); await route.continue(); });
  await choose(page, 'go');
  await page.getByLabel('Clock').selectOption('fischer');
  // Another opponent, by its specification.
  await page.locator('dialog .seatrow select').nth(1).selectOption('spec');
  await page.getByRole('button', { name: 'Other' }).click();
  // Each field is typed in while the answer to the one before is under way.
  for (const [label, text] of [['Size, such as', '11x8'], ['Komi (points)', '5.25'], ['Minutes', '12.5'], ['Seconds added per move', '17'], ['Player spec', 'uct:visits=20']]) {
    const field = page.getByLabel(label);
    await field.selectText();
    await field.pressSequentially(text, { delay: 60 });
    assert.equal(await field.inputValue(), text, label);
    await field.press('Tab');
  }
  await page.locator('dialog button.pri').click();
  await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 88);
  await page.locator('.about', { hasText: /11×8 · .* · komi 5\.25/ }).waitFor();
  assert.deepEqual(JSON.parse(await page.evaluate(() => localStorage.getItem('kiebitz.last.go'))).clock, { kind: 'fischer', main_ms: 750000, increment_ms: 17000 });
  assert.deepEqual(errors, []);
  await context.close();
});

test('the rules of Pao De Kuai and the number of seats follow each other', async () => {
  const { page, errors, context } = await open(browser, { storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
  await choose(page, 'paodekuai');
  const rows = page.locator('dialog .seatrow');
  const rules = page.getByLabel('Rules');
  assert.equal(await rows.count(), 3);
  await rules.selectOption('four13');
  await page.waitForFunction(() => document.querySelectorAll('dialog .seatrow').length === 4);
  assert.ok(await page.getByRole('button', { name: 'One more' }).isDisabled());
  await page.getByRole('button', { name: 'One fewer' }).click();
  assert.equal(await rules.inputValue(), 'classic16');
  await page.getByRole('button', { name: 'One fewer' }).click();
  assert.equal(await rules.inputValue(), 'duel16');
  assert.equal(await rows.count(), 2);
  await page.getByLabel('Deals in a match').selectOption('2');
  await page.locator('dialog button.pri').click();
  await page.waitForFunction(() => location.hash.startsWith('#/game/'));
  const { games } = await ask(server, 'GET', '/api/games');
  assert.equal(games[0].seats.length, 2);
  assert.equal(games[0].view.deals, 2);
  await page.goto(`${server.base}/#/`);
  // It was played last, so it comes first, with the one primary button.
  assert.equal(await page.locator('.card.lead').getAttribute('data-game'), 'paodekuai');
  assert.equal(await page.locator('.card .pri').count(), 1);
  assert.match(await page.locator('.card.lead dl').innerText(), /2[\s\S]*level 5[\s\S]*Duel/);
  assert.deepEqual(errors, []);
  await context.close();
});
