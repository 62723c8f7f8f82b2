// The small pictures of Pao De Kuai in the lobby: every card of them is seen whole, or at least its corner.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open } from '../lib/page.mjs';
import { ask, level, startServer, storageOf, HERE } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

/** Tricks from one card to many, to be beaten by seat 0. */
const TRICKS = ['9', '99', '55566', '9TJQK', '5566778899'];

test('no card of a picture is cut off, at three widths', async () => {
  const games = [];
  for (const play of TRICKS) {
    const setup = { hands: ['3446678TTJJQQKK2', '5', '33557788AA'], to_move: 0, trick: { play, by: 2 }, plays_made: [0, 3, 2], leader: 2 };
    games.push(await ask(server, 'POST', '/api/games', { game: 'paodekuai', seats: [HERE, level(1), level(1)], setup }));
  }
  for (const width of [1280, 390, 320]) {
    const { page, errors, context } = await open(browser, { width, height: 844, storage: storageOf(server, games) });
    await page.goto(`${server.base}/#/`);
    await page.waitForFunction((n) => document.querySelectorAll('.mine .cardpic').length === n, TRICKS.length);
    const pictures = await page.locator('.cardpic').evaluateAll((all) => all.map((picture) => {
      const box = picture.getBoundingClientRect();
      return {
        mine: picture.closest('.mine') !== null, box: [box.left, box.right],
        cards: [...picture.querySelectorAll('.face .paper')].map((e) => e.getBoundingClientRect()).filter((b) => b.width > 0).map((b) => [b.left, b.right]),
      };
    }));
    for (const { mine, box, cards } of pictures) {
      assert.ok(cards.length > 0);
      for (const [left, right] of cards) assert.ok(left >= box[0] - 0.5 && right <= box[1] + 0.5, `${width} px: a card from ${left} to ${right} in a picture from ${box}`);
      // A corner is a third of a card at least.
      if (mine) cards.slice(1).forEach(([left], i) => assert.ok(left - cards[i][0] >= (cards[i][1] - cards[i][0]) / 3, `${width} px: ${cards}`));
    }
    assert.deepEqual(pictures.filter((p) => p.mine).map((p) => p.cards.length).sort(), [1, 2, 5, 5, 5], 'at most five cards are shown');
    assert.deepEqual(errors, []);
    await context.close();
  }
});
