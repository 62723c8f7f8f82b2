// States of the card table and of its games in the lobby, with made-up answers: nothing happens by itself here.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { overflow, violations } from '../lib/axe.mjs';
import * as cx from '../lib/card_fixtures.mjs';
import { chosen, hand } from '../lib/cards.mjs';
import { mock } from '../lib/mock.mjs';
import { launch, open, serveFiles } from '../lib/page.mjs';

let site, browser;
before(async () => { site = await serveFiles(); browser = await launch(); });
after(async () => { await browser?.close(); await site?.close(); });

const PHONE = { width: 390, height: 844, touch: true };

/** The card table in a state; `answer` may answer what the page asks. */
async function tableIn(state, { window = {}, welcome = cx.welcome, answer } = {}) {
  const w = await open(browser, window);
  const { sent } = await mock(w.page, { state, welcome, info: cx.info, onMessage: answer });
  await w.page.goto(`${site.base}/#/game/mock`);
  await w.page.locator('.pdk').waitFor();
  return { ...w, sent };
}

/** The lobby with some games of cards. */
async function lobbyWith(games, window = {}) {
  const w = await open(browser, window);
  await mock(w.page, { games, info: cx.info });
  await w.page.goto(`${site.base}/#/`);
  await w.page.locator('.mine li').nth(games.length - 1).waitFor();
  return w;
}
const clean = async ({ page, errors, context }) => {
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(errors, []);
  await context.close();
};

test('an opponent with one card has the mark and the clock', async () => {
  for (const window of [{}, PHONE, { ...PHONE, width: 360, height: 640, lang: 'zh-CN' }]) {
    for (const players of [3, 4]) {
      const extra = players === 4 ? { seats: [...cx.seats, { ...cx.seats[2], seat: 3 }], view: { ...cx.view, hands: [...cx.view.hands, '?1'], counts: [16, 1, 10, 1], played: ['', '', '', ''], totals: [0, 0, 0, 0], plays_made: [0, 3, 2, 1] }, clock: { ...cx.clock, left_ms: [...cx.clock.left_ms, 65000] } } : { clock: cx.clock };
      const w = await tableIn({ ...cx.state, ...extra }, { window });
      const { page } = w;
      const seat = page.locator('.o').last();
      assert.equal(await seat.locator('.bao').innerText(), window.lang ? '报单' : 'Last card');
      assert.match(await seat.locator('.clk').innerText(), /^3:0\d$/);
      assert.equal(await page.locator('.o .clk').count(), players - 1);
      // Neither covers the other, the name or the number of cards.
      const boxes = await seat.evaluate((o) => ['.bao', '.clk', '.nm', '.cnt'].map((q) => o.querySelector(q).getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom]));
      const [bao, ...others] = boxes;
      for (const b of others) assert.ok(b[0] >= bao[2] - 1 || b[2] <= bao[0] + 1 || b[1] >= bao[3] - 4 || b[3] <= bao[1], `${players} at ${window.width ?? 1280}: ${JSON.stringify(boxes)}`);
      assert.ok(bao[1] >= 0 && boxes.every((b) => b[2] <= (window.width ?? 1280)));
      await clean(w);
    }
  }
});

test('on a small phone every button is in sight and every name whole', async () => {
  const computers = [1, 2, 3].map((seat) => ({ ...cx.seats[1], seat }));
  for (const lang of ['en', 'zh-CN']) {
    for (const players of [2, 3, 4]) {
      const counts = [16, 14, 14, 13].slice(0, players);
      const view = { ...cx.view, hands: ['3446678TTJJQQKK2', ...counts.slice(1).map((n) => `?${n}`)], counts, played: counts.map(() => ''), totals: counts.map(() => 0), plays_made: counts.map(() => 1), trick: { ...cx.view.trick, by: 1 } };
      const moves = [{ by: 1, kind: 'action', action: '99', ms: null }];
      const w = await tableIn({ ...cx.state, view, moves, seats: [cx.seats[0], ...computers.slice(0, players - 1)] }, { window: { ...PHONE, width: 360, height: 640, lang } });
      const lost = await w.page.evaluate(() => [
        ...[...document.querySelectorAll('.act button, .hc, .scores, .o, .counter, .mid .face, .mid p')].filter((e) => { const b = e.getBoundingClientRect(); return b.width > 0 && (b.top < 0 || b.bottom > innerHeight + 0.5); }),
        ...[...document.querySelectorAll('.o .nm, .o .say')].filter((e) => e.scrollWidth > e.clientWidth + 1),
      ].map((e) => e.outerHTML.slice(0, 120)));
      assert.deepEqual(lost, [], `${players} in ${lang}`);
      await clean(w);
    }
  }
});

test('where everybody ends even, who was first out is told, and no draw', async () => {
  for (const [state, window, words] of [
    [cx.over(), {}, 'You went out first; nobody\u00a0pays'],
    [cx.over({ hands: ['4', '', '3'] }), {}, 'Right went out first; nobody\u00a0pays'],
    [cx.over({ hands: ['4', '5', ''] }), { lang: 'zh-CN' }, '上家先出完，各家不输不赢'],
    [cx.over({ deals: 2 }), {}, 'A draw: equal points'],
    [cx.over({ returns: [3, -1, -2] }), {}, 'You win: +3'],
  ]) {
    const w = await tableIn(state, { window });
    await w.page.locator('.result h2').waitFor();
    assert.equal(await w.page.locator('.result h2').innerText(), words);
    assert.equal(await w.page.locator('.st .words').innerText(), words);
    await clean(w);
  }
  const even = { phase: 'over', turn: null, result: '+0,+0,+0' };
  const w = await lobbyWith([cx.summary('a', { ...even, view: cx.over({ hands: ['4', '', '3'] }).view }), cx.summary('b', { ...even, view: cx.over({ deals: 4 }).view })]);
  assert.deepEqual(await w.page.locator('.mine .done').allInnerTexts(), ['Player 2 went out first; nobody\u00a0pays', 'A draw: equal points']);
  await clean(w);
});

test('the lobby tells how a game was lost, and counts players from 1', async () => {
  const over = (result, more = {}) => cx.summary(result, { phase: 'over', turn: null, result, ...more });
  const small = (game, result) => ({ ...cx.summary(result), game, phase: 'over', turn: null, result, view: { board: ['X..', '.O.', '...'] } });
  const games = [over('seat 1 ran out of time'), over('seat 0 gave up'), over('+7,-5,-2'), small('kuhn', 'player 2 gave up'), small('kuhn', '-1,+1'), small('tictactoe', 'X wins'), small('tictactoe', 'draw'), small('countdown', '-2'), small('countdown', 'player 2 wins')];
  const w = await lobbyWith(games);
  assert.deepEqual(await w.page.locator('.mine .done').allInnerTexts(), [
    'Player 2 ran out of time', 'Player 1 gave up', 'Player 1 wins: +7\u00a0/\u00a0−5\u00a0/\u00a0−2', 'Player 2 gave up', 'Player 2 wins: −1\u00a0/\u00a0+1', 'X wins', 'A draw', 'Player 2 wins: +2', 'Player 2 wins']);
  await clean(w);
  const zh = await lobbyWith(games, { lang: 'zh-CN' });
  for (const words of await zh.page.locator('.mine .done').allInnerTexts()) assert.match(words, /^(玩家 \d(超时|认输|赢.*)|X ?胜|玩家 2 ?胜|和棋)$/);
  await clean(zh);
});

test('the small picture shows what lies there: a trick, or how many cards each seat has', async () => {
  const bare = { ...cx.summary('x').view, trick: null };
  const w = await lobbyWith([cx.summary('a'), cx.summary('b', { view: bare }), cx.summary('c', { view: { ...bare, counts: [0, 5, 3], hands: ['', '45679', '335'] }, phase: 'over', turn: null, result: '+4,-2,-2' })]);
  const ranks = (box) => box.locator('.rank').evaluateAll((all) => all.map((e) => e.textContent));
  const row = (i) => w.page.locator('.mine li').nth(i);
  assert.deepEqual(await ranks(row(0)), ['9', '9']);
  const inside = (i, what) => row(i).locator(what).evaluateAll((all) => all.every((e) => { const [a, b] = [e.getBoundingClientRect(), e.closest('.cardpic').getBoundingClientRect()]; return a.top >= b.top && a.bottom <= b.bottom; }));
  assert.ok(await inside(0, '.paper'), 'the trick is seen whole');
  assert.ok(!await row(0).locator('.counts').isVisible(), 'there is no room for both');
  for (const [i, counts] of [[1, '16 1 10'], [2, '0 5 3']]) {
    assert.deepEqual(await ranks(row(i)), [], 'no card is made up');
    assert.equal((await row(i).locator('.counts').innerText()).replace(/\s+/g, ' ').trim(), counts);
    assert.ok(await inside(i, '.counts span'));
  }
  // The large one of the game's card shows the newest game, whose hands are hidden.
  const large = w.page.locator('[data-game=paodekuai] .cardpic');
  assert.deepEqual(await ranks(large), ['9', '9']);
  await clean(w);
  // Before the first game it shows an example.
  const none = await open(browser, {});
  await mock(none.page, { games: [], info: cx.info });
  await none.page.goto(`${site.base}/#/`);
  await none.page.locator('[data-game=paodekuai] .rank').first().waitFor();
  assert.deepEqual((await ranks(none.page.locator('[data-game=paodekuai]'))).slice(0, 2), ['9', '9']);
  await clean(none);
});

test('the advice tells the model and the effective sample size of its chances, where they are weighted', async () => {
  const evidence = { model: 'rule', beta: 1, ess: 41.6 };
  const reasons = [{ code: 'paodekuai.proven_win', subject: ['TT'], numbers: { worlds: 12 } }, { code: 'paodekuai.beaten', subject: ['TT'], numbers: { chance: 0.31, worlds: 100, ess: 41.6 } }];
  for (const [told, window, words] of [
    [{ evidence, reasons }, {}, [/model “rule”\): effective sample size 42 of 100 deals/, /can be first out in all 12 deals/, /31\s% of the deals, weighted .*effective sample size 42/]],
    [{ evidence, reasons }, { ...PHONE, lang: 'zh-CN' }, [/模型“rule”）：100 副可能的牌，有效样本 42/, /全部 12 副/, /31%\s?有人管得上 10\s10（有效样本 42）/]],
    [{}, {}, null],
  ]) {
    const answer = (m, say) => { if (m.type !== 'hint') return false; say(cx.hint(m.id, told)); return true; };
    const w = await tableIn(cx.state, { window, answer });
    const { page } = w;
    await page.locator('.act button[aria-pressed]').click();
    await page.locator('.belief td').first().waitFor();
    await page.locator('.act button[aria-pressed]').click();
    await page.locator('.adv .cand').first().waitFor();
    const text = await page.locator('.adv').innerText();
    for (const part of words ?? []) assert.match(text, part);
    if (!words) { assert.doesNotMatch(text, /sample size/); assert.equal(await page.locator('.ess').count(), 0); }
    await clean(w);
  }
});

test('a finger flung over cards swallows no tap that follows', async () => {
  const w = await tableIn(cx.state, { window: PHONE });
  const { page } = w;
  const cards = await hand(page);
  const box = async (card) => { const b = await page.locator(`[data-card="${card}"]`).boundingBox(); return { x: b.x + 14, y: b.y + 24 }; };
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const sort = page.locator('.handbar .tog');
  const grouped = (was) => page.waitForFunction((yes) => document.querySelector('.handbar .tog').getAttribute('aria-pressed') === yes, was, { timeout: 10000 });
  const button = await sort.boundingBox();
  // As a screen tells a fast finger that still moves when it leaves: a place every sixtieth of a second. A browser takes that for a fling.
  for (let round = 0; round < 3; round++) {
    const [from, to] = [await box(cards[0]), await box(cards[4])];
    await touch('touchStart', [from]);
    for (let i = 1; i <= 6; i++) {
      touch('touchMove', [{ x: from.x + ((to.x - from.x) * i) / 6, y: from.y }]);
      await page.waitForTimeout(16);
    }
    await touch('touchEnd', []);
    await touch('touchStart', [{ x: button.x + button.width / 2, y: button.y + button.height / 2 }]);
    await touch('touchEnd', []);
    await grouped('true');
    assert.deepEqual((await chosen(page)).sort(), cards.slice(0, 5).sort(), 'the cards it went over are chosen');
    await sort.tap();
    await grouped('false');
    await page.locator('.hand [tabindex="0"]').focus();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('.hand [aria-selected=true]'));
  }
  await clean(w);
});
