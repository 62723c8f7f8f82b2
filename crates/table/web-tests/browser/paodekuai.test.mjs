// Pao De Kuai in the browser: whole games of two, three and four by keyboard and by touch, in both languages; choosing cards,
// and the sentence that says why they may not be played.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { overflow, violations } from '../lib/axe.mjs';
import { choice, chooseByKeys, choosing, chosen, hand, playOut, ready, seatAt, tapCard, textOf, turn } from '../lib/cards.mjs';
import { launch } from '../lib/page.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

const PHONE = { width: 390, height: 844, touch: true };
const clean = async ({ page, errors, context }) => {
  assert.deepEqual(await page.evaluate(() => window.policyBreaches), []);
  assert.deepEqual(errors, []);
  await context.close();
};
const why = (page) => page.locator('#pdk-why').innerText();

const games = [
  { players: 2, rules: { preset: 'duel16' }, how: 'keys', lang: 'en' }, { players: 2, rules: { preset: 'duel15', deals: 2 }, how: 'touch', lang: 'zh-CN' },
  { players: 3, rules: { deals: 3 }, how: 'keys', lang: 'zh-CN' }, { players: 3, rules: { preset: 'hunan', deals: 2 }, how: 'touch', lang: 'en' },
  { players: 4, rules: { preset: 'four13' }, how: 'touch', lang: 'zh-CN' }, { players: 4, rules: { preset: 'zsy', deals: 2 }, how: 'keys', lang: 'en' },
];
for (const { players, rules, how, lang } of games) {
  test(`${players} players, ${rules.preset ?? 'classic16'}, ${rules.deals ?? 1} deals, to the end by ${how}, ${lang}`, async () => {
    const w = await seatAt(browser, server, { players, rules, window: { ...(how === 'touch' ? PHONE : {}), lang }, autoPass: how === 'touch' });
    assert.equal(await w.page.locator('.o').count(), players - 1);
    const told = await playOut(w, how);
    assert.equal(told, (rules.deals ?? 1) - 1, 'each deal but the last is told to be over');
    const end = w.state();
    assert.equal(end.phase, 'over');
    const heading = await w.page.locator('.result h2').innerText();
    assert.match(heading, lang === 'en' ? /^(You win: \+\d+|(Left|Right|Across).* wins; you: (0|[+−]\d+)|\S+ went out first; nobody\spays|A draw: .*)$/ : /^(你赢了：\+\d+ 分|(上家|下家|对家).*赢；你：(0|[+−]\d+) 分|.+先出完，各家不输不赢|平局：.*)$/);
    // The sheet adds up to what the server says.
    const rows = await w.page.locator('.result .sheet tbody tr').evaluateAll((all) => all.map((r) => [...r.querySelectorAll('td')].map((c) => Number(c.textContent.replace('−', '-')))));
    assert.equal(rows.length, (rules.deals ?? 1) + 1);
    assert.deepEqual(rows[rows.length - 1], end.view.totals);
    end.view.totals.forEach((total, s) => assert.equal(rows.slice(0, -1).reduce((sum, r) => sum + r[s], 0), total));
    assert.deepEqual(await overflow(w.page), []);
    assert.deepEqual(await violations(w.page), []);
    await clean(w);
  });
}

/** A position in which seat 0 has to beat a pair of nines. */
const NINES = { hands: ['3446678TTJJQQKK2', '5', '33557788AA'], to_move: 0, trick: { play: '99', by: 2 }, plays_made: [0, 3, 2], leader: 2 };
const OPEN = { hands: ['34455679TTTJKKKK', '3366778899JJQQAA', '3445567889TJQQA2'], to_move: 0, leader: 0 };

test('only legal plays are accepted, and a sentence says why others are not', async () => {
  const w = await seatAt(browser, server, { setup: NINES });
  const { page } = w;
  await ready(page);
  assert.match(await page.locator('.st').innerText(), /Your turn: beat 9\s9/);
  assert.match(await why(page), /You may not pass: you can beat 9\s9/);
  const cases = [['34', /3\s4 is no combination/], ['44', /4\s4 is not higher than 9\s9/], ['2', /2 is of another kind than 9\s9/], ['3446', /no combination/], ['TTJJ', /another kind/], ['TT', /^Pair of 10s beats 9\s9/]];
  for (const [text, words] of cases) {
    const cards = await hand(page);
    const take = [];
    for (const r of text) take.push(cards.find((c) => c[1] === r && !take.includes(c)));
    await chooseByKeys(page, take);
    assert.equal(textOf(await chosen(page)), text);
    assert.match(await why(page), words, text);
    const legal = text === 'TT';
    assert.equal(await page.locator('.playb').getAttribute('aria-disabled'), String(!legal));
    const v = w.state().v;
    if (!legal) {
      await page.keyboard.press('Enter');
      await page.locator('.playb').click({ force: true });
      await page.waitForTimeout(150);
      assert.equal(w.state().v, v, 'nothing is played');
      assert.equal(textOf(await chosen(page)), text, 'the cards stay chosen');
      await page.keyboard.press('Escape');
      await page.locator('.hand [tabindex="0"]').focus();
      if ((await chosen(page)).length) await page.keyboard.press('Escape');
      assert.deepEqual(await chosen(page), []);
    }
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await page.waitForTimeout(150);
  assert.match(await why(page), /You may not pass/);
  assert.equal(await page.locator('.passb').getAttribute('aria-disabled'), 'true');
  assert.equal(w.state().turn, 0, 'passing is not possible');
  await clean(w);
});

test('the next player has one card: only the highest single is accepted', async () => {
  const w = await seatAt(browser, server, { setup: { ...NINES, trick: null }, window: { lang: 'zh-CN' } });
  const { page } = w;
  await ready(page);
  assert.equal(await page.locator('.bao').innerText(), '报单');
  await chooseByKeys(page, [(await hand(page)).find((c) => c[1] === 'Q')]);
  assert.match(await why(page), /下家报单：单张必须出最大的 2/);
  assert.equal(await page.locator('.playb').getAttribute('aria-disabled'), 'true');
  await clean(w);
});

test('sorting, four colours, arrows between the rows, a finger drawn over cards', async () => {
  const w = await seatAt(browser, server, { setup: OPEN, window: PHONE });
  const { page } = w;
  await ready(page);
  assert.equal(textOf(await hand(page)), (await hand(page)).map((c) => c[1]).join(''), 'by rank at first');
  assert.equal(await page.locator('.hrow').count(), 2);
  for (const strip of await page.locator('.hc').evaluateAll((all) => all.map((e) => [e.getBoundingClientRect().width, e.getBoundingClientRect().height]))) assert.ok(strip[0] >= 35 && strip[1] >= 54, String(strip));
  const lies = (begin) => page.waitForFunction((ranks) => [...document.querySelectorAll('.hand [role=option]')].map((e) => e.getAttribute('data-card')[1]).join('').startsWith(ranks), begin);
  await page.getByRole('button', { name: 'Group' }).tap();
  await lies('KKKKTTT4455');
  await page.getByRole('button', { name: 'Group' }).tap();
  await lies('344556');
  // Arrows move, up and down change the row, only one card is a tab stop.
  assert.equal(await page.locator('.hand [tabindex="0"]').count(), 1);
  await page.locator('.hand [tabindex="0"]').focus();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-card'));
  const cards = await hand(page);
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), cards[1]);
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.hrow')?.previousElementSibling !== null), true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  assert.equal(await focused(), cards[cards.length - 1]);
  // Drawn over the four kings and back over one of them.
  const box = async (card) => { const b = await page.locator(`[data-card="${card}"]`).boundingBox(); return { x: b.x + 14, y: b.y + 24 }; };
  const kings = cards.filter((c) => c[1] === 'K');
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [await box(kings[0])]);
  await touch('touchMove', [await box(kings[2])]);
  await touch('touchMove', [await box(kings[3])]);
  await choosing(page, kings, 'cards that were skipped are chosen too');
  await touch('touchMove', [await box(kings[2])]);
  await touch('touchEnd', []);
  await choosing(page, kings.slice(0, 3));
  await tapCard(page, kings[0]);
  await choosing(page, kings.slice(1, 3));
  const ink = (card) => page.locator(`[data-card="${card}"] .face path`).first().evaluate((e) => getComputedStyle(e).fill);
  const diamond = cards.find((c) => c[0] === 'D') ?? cards.find((c) => c[0] === 'C');
  const plain = await ink(diamond);
  await page.locator('.more').tap();
  await page.getByLabel('Four colours').check();
  await page.keyboard.press('Escape');
  await page.waitForFunction(([card, old]) => getComputedStyle(document.querySelector(`[data-card="${card}"] .face path`)).fill !== old, [diamond, plain]);
  await clean(w);
});

test('a click without a pointer takes a card up, whatever a mouse or a finger drew before', async () => {
  for (const window of [{}, PHONE]) {
    const w = await seatAt(browser, server, { setup: OPEN, window });
    const { page } = w;
    await ready(page);
    const cards = await hand(page);
    const box = async (card) => { const b = await page.locator(`[data-card="${card}"]`).boundingBox(); return { x: b.x + 14, y: b.y + 24 }; };
    const cdp = await page.context().newCDPSession(page);
    const draw = async (places) => {
      const [first, ...rest] = places;
      if (window.touch) {
        const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
        await touch('touchStart', [first]);
        for (const at of rest) await touch('touchMove', [at]);
        await touch('touchEnd', []);
      } else {
        await page.mouse.move(first.x, first.y);
        await page.mouse.down();
        for (const at of rest) await page.mouse.move(at.x, at.y, { steps: 4 });
        await page.mouse.up();
      }
    };
    // As a screen reader does it: with no pointer before; some tell a count of one.
    const click = (card, detail) => page.evaluate(([c, n]) => document.querySelector(`[data-card="${c}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: n })), [card, detail]);
    const places = [await box(cards[0]), await box(cards[2])];
    const outside = { x: places[1].x, y: (await page.locator('.hand').boundingBox()).y - 30 };
    const ways = { 'over cards': [places, cards.slice(0, 3)], 'off the hand': [[...places, outside], cards.slice(0, 3)], 'back to where it began': [[...places, places[0]], cards.slice(0, 1)] };
    for (const [way, [path, taken]] of Object.entries(ways)) {
      for (const detail of [0, 1]) {
        const before = await chosen(page);
        assert.deepEqual(before, []);
        await draw(path);
        await choosing(page, taken, `${way}: drawn`);
        await click(taken[0], detail);
        await page.waitForFunction((c) => document.querySelector(`[data-card="${c}"]`).getAttribute('aria-selected') === 'false', taken[0], { timeout: 15000 });
        await page.locator('.hand [tabindex="0"]').focus();
        if (taken.length > 1) await page.keyboard.press('Escape');
        await page.waitForFunction(() => !document.querySelector('.hand [aria-selected=true]'));
      }
    }
    // An ordinary click and an ordinary tap count once.
    if (window.touch) await tapCard(page, cards[1]); else await page.mouse.click((await box(cards[1])).x, (await box(cards[1])).y);
    await choosing(page, [cards[1]]);
    await clean(w);
  }
});

test('a pass that is forced is made by itself after a while, and not where one may choose', async () => {
  const w = await seatAt(browser, server, { setup: { ...NINES, hands: ['3446678', '55', '33557788AA'], trick: { play: '22', by: 2 } }, rules: { deck: 'd52' } });
  const { page } = w;
  await ready(page);
  assert.match(await why(page), /Nothing of yours beats 2\s2: you pass/);
  const v = w.state().v;
  // Passing by itself is turned on in the menu and begins when that is closed; the page itself looks out for its short time.
  await page.locator('.more').click();
  await page.getByLabel('Pass by itself').check();
  assert.equal(w.state().v, v, 'nothing passes under an open menu');
  const seen = page.waitForFunction(() => {
    window.looking = true;
    return document.querySelector('.passb.auto') !== null && /passing by itself/.test(document.querySelector('#pdk-why').textContent);
  });
  await page.waitForFunction(() => window.looking);
  await page.keyboard.press('Escape');
  await seen;
  await page.waitForFunction((old) => document.querySelector('.pdk').getAttribute('data-v') !== String(old), v, { timeout: 30000 });
  assert.deepEqual(w.state().moves.filter((m) => m.by === 0).map((m) => m.action)[0], 'pass');
  await clean(w);

  const free = await seatAt(browser, server, { setup: NINES, rules: { must_beat: false }, autoPass: true });
  await ready(free.page);
  assert.match(await why(free.page), /You may beat 9\s9, or pass/);
  await free.page.waitForTimeout(2500);
  assert.equal(free.state().turn, 0, 'nothing passes where one may play');
  await turn(free, 'keys', () => 'pass');
  await clean(free);
});

test('what is unseen, the last trick, the hint with what the passes prove, and the play it takes up', async () => {
  const w = await seatAt(browser, server, { rules: { deals: 10 }, level: 2 });
  const { page } = w;
  let checked = 0;
  for (let i = 0; i < 200 && checked < 2; i++) {
    const s = await choice(w);
    const unseen = [...'3456789TJQKA2'].map((r) => (r === '2' ? 1 : r === 'A' ? 3 : 4) - [...s.view.hands[0], ...s.view.played.join('')].filter((c) => c === r).length);
    assert.deepEqual(await page.locator('.counter td').allInnerTexts(), unseen.map(String));
    const own = s.moves.filter((m) => m.by === null).pop().action.slice(5).split('/')[0].match(/../g);
    for (const c of await hand(page)) assert.ok(own.includes(c), 'the cards one was dealt, with their suits');
    const before = s.moves.filter((m) => m.kind === 'action' && m.by !== null);
    if (before.length > 2) {
      if (s.view.trick) assert.equal(await page.locator('.o.led').count(), s.view.trick.by === 0 ? 0 : 1);
      for (const seat of [1, 2]) assert.match(await page.locator('.o').nth(seat === 1 ? 1 : 0).getAttribute('aria-label'), new RegExp(`${s.view.counts[seat]} cards?`));
    }
    if (before.some((m) => m.action === 'pass' && m.by !== 0)) {
      checked += 1;
      await page.keyboard.press('h');
      await page.locator('.belief td').first().waitFor({ timeout: 60000 });
      assert.equal(await page.locator('.adv .cand').count(), 0, 'first only what may be known');
      await page.keyboard.press('h');
      await page.locator('.adv .cand').first().waitFor({ timeout: 60000 });
      assert.equal(await page.locator('.belief tbody tr').count(), 2);
      assert.match(await page.locator('.know').innerText(), /passed on .*|bomb/);
      await page.locator('.adv .cand').first().click();
      assert.equal(await page.locator('.playb').getAttribute('aria-disabled'), s.legal.includes(textOf(await chosen(page))) ? 'false' : 'true');
      await page.locator('.playb').click();
      // The turn may be back before anybody looks: only a new state tells.
      for (let n = 0; w.state().v === s.v; n++) { assert.ok(n < 1500, 'it was played'); await page.waitForTimeout(20); }
    } else await turn(w, 'keys');
  }
  assert.equal(checked, 2);
  await clean(w);
});

test('two at one screen: a curtain until the player to move takes it', async () => {
  const seats = [{ kind: 'here', name: 'Ada' }, { kind: 'here', name: 'Bo' }];
  const w = await seatAt(browser, server, { seats, rules: { preset: 'duel16' } });
  const { page } = w;
  for (let i = 0; i < 4; i++) {
    await page.locator('.curtain .pri').waitFor();
    const s = w.state();
    assert.equal(await page.locator('.hand').count(), 0);
    for (const h of s.view.hands) assert.match(h, /^\?\d+$/, 'nobody’s cards are sent behind the curtain');
    assert.deepEqual(s.legal, []);
    await page.locator('.curtain .pri').click();
    await page.locator('.hand').waitFor();
    const now = w.state();
    assert.equal(now.view_of, now.turn);
    assert.match(now.view.hands[1 - now.turn], /^\?/);
    assert.match(await page.locator('.o .nm').innerText(), new RegExp(['Ada', 'Bo'][1 - now.turn]));
    await turn(w, 'keys');
  }
  await clean(w);
});
