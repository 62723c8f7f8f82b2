// Every screen in both languages, both themes, wide and narrow: nothing in the console, nothing against the policy, nothing
// that keeps somebody out; a picture of each.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { overflow, still, violations } from '../lib/axe.mjs';
import { launch, open } from '../lib/page.mjs';
import { HERE, ask, level, startServer, storageOf } from '../lib/server.mjs';

const shots = new URL('../shots/', import.meta.url).pathname;
const record = ['E5', 'C3', 'G3', 'C7', 'G7', 'E3', 'D4', 'D3', 'F3', 'C5', 'F4', 'D6', 'E6', 'E7', 'F7', 'C4', 'F2', 'E2', 'F1', 'E1'];
const sgf = (moves) => `(;GM[1]FF[4]SZ[9]RU[chinese]KM[7]PB[Ada]PW[Bo]${moves.map((m, i) => `;${'BW'[i % 2]}[${m === 'pass' ? '' : 'abcdefghj'.replace('j', 'i')['ABCDEFGHJ'.indexOf(m[0])] + 'abcdefghi'[9 - Number(m[1])]}]`).join('')})`;
let server, browser, games;

const importGame = async (text) => {
  const answer = await fetch(`${server.base}/api/import`, { method: 'POST', headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${server.key}` }, body: text });
  assert.equal(answer.status, 201, await answer.clone().text());
  return answer.json();
};

before(async () => {
  server = await startServer();
  browser = await launch();
  mkdirSync(shots, { recursive: true });
  const made = await importGame(sgf(record));
  const playing = await ask(server, 'POST', `/api/games/${made.id}/branch`, { step: record.length, seats: [HERE, level(1)] });
  const scoring = await importGame(sgf([...record, 'pass', 'pass']));
  const both = await ask(server, 'POST', `/api/games/${made.id}/branch`, { step: record.length, actions: ['pass', 'pass'], seats: [HERE, HERE] });
  games = { made, playing, scoring, both };
});
after(async () => {
  await browser?.close();
  await server?.end();
});

const screens = {
  lobby: { hash: () => '#/', ready: '.mine li' },
  newgame: { hash: () => '#/', ready: '.choices button', act: async (page) => { await page.locator('.choices button').first().click(); await page.locator('dialog[open] .form').waitFor(); } },
  table: {
    hash: () => `#/game/${games.playing.id}`, ready: 'svg.grid',
    act: async (page) => {
      const hint = page.locator('.ctl button[aria-pressed]').first();
      await page.waitForFunction(() => document.title.startsWith('●'));
      await hint.click();
      await hint.click();
      await page.locator('.cand').first().waitFor();
      await page.locator('.rs').first().waitFor({ state: 'attached', timeout: 90000 });
    },
  },
  scoring: { hash: () => `#/game/${games.both.id}`, ready: '.score h2', act: async (page) => { await page.locator('.accept:not([disabled]):visible').waitFor({ timeout: 60000 }); } },
  review: { hash: () => `#/review/${games.made.id}`, ready: '.chart .ln', act: async () => {} },
  study: { hash: () => '#/study', ready: 'svg.grid' },
  howto: { hash: () => '#/howto/go', ready: 'section svg' },
  join: { hash: () => '#/join/none', ready: 'form' },
};

for (const lang of ['en', 'zh-CN']) for (const theme of ['light', 'dark']) for (const width of [1280, 390]) {
  test(`every screen in ${lang}, ${theme}, ${width} px`, async () => {
    const window = { lang, theme, width, height: width === 390 ? 844 : 800, touch: width === 390, storage: storageOf(server, Object.values(games)) };
    const { context, page, errors } = await open(browser, window);
    await page.goto(server.base);
    for (const [name, s] of Object.entries(screens)) {
      await page.evaluate((hash) => { location.hash = hash; }, s.hash());
      await page.locator(s.ready).first().waitFor({ state: 'attached', timeout: 30000 });
      await s.act?.(page);
      await still(page);
      await page.screenshot({ path: `${shots}${name}-${lang}-${theme}-${width}.png` });
      assert.deepEqual(await violations(page), [], `${name}: axe`);
      assert.deepEqual(await overflow(page), [], `${name}: scrolls sideways`);
      assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
      if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
    }
    // The text shown in the other language would be a sign of a sentence that was forgotten.
    if (lang === 'zh-CN') assert.doesNotMatch(await page.locator('main').innerText(), /\b(the|your|is|are)\b/i);
    assert.deepEqual(await page.evaluate(() => window.policyBreaches), []);
    assert.deepEqual(errors, []);
    await context.close();
  });
}

test('a game that is not there is explained, with a way out', async () => {
  const { context, page } = await open(browser, { lang: 'zh-CN' });
  await page.goto(`${server.base}/#/game/none`);
  await page.getByText('找不到这一局').or(page.getByText('没有这一局的座位')).waitFor();
  await page.locator('main').getByRole('link', { name: '大厅' }).click();
  await page.locator('.card').first().waitFor();
  await page.getByRole('button', { name: '导入' }).click();
  await page.locator('dialog textarea').fill('hello');
  await page.getByRole('button', { name: '打开' }).click();
  await page.locator('.toast', { hasText: '这既不是 SGF' }).waitFor();
  await context.close();
});

test('a small screen of 360 px does not scroll sideways', async () => {
  const { context, page, errors } = await open(browser, { width: 360, height: 640, touch: true, storage: storageOf(server, Object.values(games)) });
  await page.goto(server.base);
  for (const name of ['lobby', 'newgame', 'table', 'scoring', 'review', 'study', 'howto']) {
    const s = screens[name];
    await page.evaluate((hash) => { location.hash = hash; }, s.hash());
    await page.locator(s.ready).first().waitFor({ state: 'attached', timeout: 30000 });
    await s.act?.(page);
    assert.deepEqual(await overflow(page), [], name);
    if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
  }
  assert.deepEqual(errors, []);
  await context.close();
});
