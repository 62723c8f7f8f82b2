// How the card table looks: both languages, both themes, wide and narrow, two to four seats; a picture of each state, nothing
// that keeps somebody out.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { overflow, violations } from '../lib/axe.mjs';
import { choice, playOut, ready, seatAt, tapCard, turn } from '../lib/cards.mjs';
import { launch, open } from '../lib/page.mjs';
import { startServer, storageOf } from '../lib/server.mjs';

const shots = new URL('../shots/', import.meta.url).pathname;
let server, browser, over;
before(async () => {
  server = await startServer();
  browser = await launch();
  mkdirSync(shots, { recursive: true });
  const w = await seatAt(browser, server, { rules: { deals: 2 } });
  await playOut(w, 'keys');
  over = w.game;
  await w.context.close();
});
after(async () => { await browser?.close(); await server?.end(); });

const sound = async (page, name) => {
  await page.waitForTimeout(250);
  await page.screenshot({ path: `${shots}${name}.png` });
  assert.deepEqual(await violations(page), [], `${name}: axe`);
  assert.deepEqual(await overflow(page), [], `${name}: scrolls sideways`);
  // Nothing lies over a control that can be pressed.
  const covered = await page.evaluate(() => document.querySelector('dialog[open]') ? [] : [...document.querySelectorAll('.act button, .act a, .scores button, .hc')].filter((e) => {
    const b = e.getBoundingClientRect();
    const hit = document.elementFromPoint(b.left + Math.min(14, b.width / 2), b.top + Math.min(20, b.height / 2));
    return b.width > 0 && !(hit && (e.contains(hit) || hit.contains(e)));
  }).map((e) => e.outerHTML.slice(0, 100)));
  assert.deepEqual(covered, [], name);
};

for (const lang of ['en', 'zh-CN']) for (const theme of ['light', 'dark']) for (const width of [1280, 390]) {
  test(`the card table in ${lang}, ${theme}, ${width} px`, async () => {
    const window = { lang, theme, width, height: width === 390 ? 844 : 800, touch: width === 390 };
    const tag = `${lang}-${theme}-${width}`;
    const w = await seatAt(browser, server, { rules: { deals: 10 }, window, level: 2 });
    const { page } = w;
    await choice(w);
    await sound(page, `pdk-first-${tag}`);
    for (let i = 0; i < 8; i++) {
      const s = await choice(w);
      if (s.moves.filter((m) => m.action === 'pass').length > 1 && s.view.trick) break;
      await turn(w, 'keys');
    }
    await choice(w);
    await sound(page, `pdk-turn-${tag}`);
    await page.keyboard.press('h');
    await page.locator('.belief td').first().waitFor({ timeout: 30000 });
    await page.keyboard.press('h');
    await page.locator('.adv .cand').first().click();
    await sound(page, `pdk-hint-${tag}`);
    await page.locator('.more').click();
    await sound(page, `pdk-menu-${tag}`);
    await page.keyboard.press('Escape');
    await page.evaluate((id) => { location.hash = `#/game/${id}`; }, over.id);
    assert.deepEqual(w.errors, []);
    await w.context.close();

    const o = await open(browser, { ...window, storage: storageOf(server, [over]) });
    for (const [name, hash, seen] of [['over', `#/game/${over.id}`, '.result .sheet'], ['review', `#/review/${over.id}`, '.cardboard .fan'], ['howto', '#/howto/paodekuai', '.plays'], ['lobby', '#/', '.mine .cardpic']]) {
      await o.page.goto(`${server.base}/${hash}`);
      await o.page.locator(seen).first().waitFor({ timeout: 20000 });
      await sound(o.page, `pdk-${name}-${tag}`);
    }
    if (lang === 'zh-CN') assert.doesNotMatch(await o.page.locator('main').innerText(), /\b(the|your|cards)\b/i);
    assert.deepEqual(o.errors, []);
    await o.context.close();
  });
}

for (const [players, rules] of [[2, { preset: 'duel16' }], [3, {}], [4, { preset: 'four13' }]]) {
  test(`${players} seats at 360 px: no card, name or button is lost`, async () => {
    const w = await seatAt(browser, server, { players, rules, window: { width: 360, height: 640, touch: true } });
    const { page } = w;
    await ready(page);
    await sound(page, `pdk-360-${players}`);
    for (const strip of await page.locator('.hc').evaluateAll((all) => all.map((e) => e.getBoundingClientRect()).map((b) => [b.left, b.right, b.width]))) {
      assert.ok(strip[0] >= 0 && strip[1] <= 360.5 && strip[2] >= 35, String(strip));
    }
    assert.equal(await page.locator('.o').count(), players - 1);
    // The picture of the last state: with a chosen card.
    const card = (await page.locator('.hc').first().getAttribute('data-card'));
    await tapCard(page, card);
    assert.equal(await page.locator(`[data-card="${card}"]`).getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Escape');
    assert.deepEqual(w.errors, []);
    await w.context.close();
  });
}

test('reduced motion: nothing moves for long', async () => {
  const w = await seatAt(browser, server, {});
  await w.page.emulateMedia({ reducedMotion: 'reduce' });
  await ready(w.page);
  const long = await w.page.evaluate(() => document.getAnimations().filter((a) => Number(a.effect?.getComputedTiming().endTime) > 100).length);
  assert.equal(long, 0);
  await w.context.close();
});
