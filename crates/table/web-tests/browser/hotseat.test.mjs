// Two people at one screen with hidden cards: a curtain between their turns.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { lastState, leaks, tap } from '../lib/leaks.mjs';
import { launch, open } from '../lib/page.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

for (const options of [{}, { width: 390, height: 844, touch: true, lang: 'zh-CN', theme: 'dark' }]) {
  const zh = options.lang === 'zh-CN';
  test(`Kuhn poker at one screen, ${options.width ?? 1280} px: nobody sees the other's card`, async () => {
    const { page, context, errors } = await open(browser, { ...options, storage: { 'kiebitz.owner': JSON.stringify(server.key) } });
    const heard = await tap(page);
    await page.goto(server.base);
    await page.locator('[data-game=kuhn] button', { hasText: zh ? '更改设置' : 'Change' }).click();
    for (const i of [0, 1]) await page.locator('dialog .seatrow').nth(i).locator('select').first().selectOption('here');
    await page.locator('dialog button.pri').click();
    // The card in the other's hand is in no frame and not on the page before it is shown.
    const shown = () => page.locator('.gen dd').allInnerTexts();
    let turns = 0;
    for (; turns < 4; turns++) {
      await page.locator('.curtain button, .result h2').first().waitFor();
      if (await page.locator('.result').count()) break;
      const { turn, view, legal } = lastState(heard);
      assert.deepEqual(view.cards, [null, null], 'nothing is told behind the curtain');
      assert.deepEqual(legal, []);
      assert.match(await page.locator('.curtain').innerText(), zh ? new RegExp(`请玩家 ${turn + 1}`) : new RegExp(`Player ${turn + 1}: take the device`));
      await page.waitForFunction(() => document.activeElement?.closest('.curtain'), null, { timeout: 15000 }).catch(() => assert.fail('the focus is not on the curtain'));
      assert.equal(await page.locator('.gen .acts button').count(), 0);
      assert.deepEqual(await violations(page), []);
      if (turns === 0) {
        // Neither letters nor a reload look behind it.
        await page.keyboard.press('h');
        await page.reload();
        await page.locator('.curtain button').waitFor();
        assert.deepEqual(lastState(heard).view.cards, [null, null]);
      }
      await page.locator('.curtain button').click();
      await page.locator('.gen .acts button').first().waitFor();
      assert.equal(await page.locator('.curtain').count(), 0);
      const own = lastState(heard);
      assert.equal(own.view_of, turn);
      assert.ok(own.view.cards[turn] > 0);
      assert.equal(own.view.cards[1 - turn], null);
      assert.deepEqual(leaks([JSON.stringify(own)], { game: 'kuhn', seat: turn, secrets: [] }), []);
      assert.ok((await shown()).join(' ').includes(String(own.view.cards[turn])));
      await page.locator('.gen .acts button').last().click();
    }
    assert.ok(turns >= 2, 'both had their turn');
    await page.locator('.result h2').waitFor();
    assert.equal(await page.locator('.curtain').count(), 0);
    assert.ok(lastState(heard).view.cards.every((c) => c > 0), 'all cards lie open at the end');
    // The graph keeps no figure of a hint that one of them may have asked for.
    assert.equal(await page.locator('.chart .knob').count(), 0);
    assert.deepEqual(errors, []);
    await context.close();
  });
}
