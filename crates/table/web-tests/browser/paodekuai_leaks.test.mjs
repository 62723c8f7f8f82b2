// What is sent to a seat of a game with hidden cards: none of another's before the deal ends. Leaks that are planted are found.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { listen, playOut, seatAt } from '../lib/cards.mjs';
import { cardLeaks, dealsOf } from '../lib/card_leaks.mjs';
import { launch, open } from '../lib/page.mjs';
import { ask, startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

/** A match of two persons and a computer, watched by a fourth: what each was sent, and the truth. */
async function played() {
  const seats = [{ kind: 'here', name: 'Ada' }, { kind: 'link', name: '' }, { kind: 'computer', player: 'best:level=1' }];
  const a = await seatAt(browser, server, { seats, rules: { deals: 2 } });
  const b = await open(browser, { width: 390, height: 844, touch: true });
  const framesB = listen(b.page);
  await b.page.goto(`${server.base}/#/join/${a.game.invites[0].code}`);
  await b.page.locator('input').fill('Bo');
  await b.page.getByRole('button', { name: 'Sit down' }).tap();
  await b.page.locator('.hand').waitFor();
  const c = await open(browser, {});
  const framesC = listen(c.page);
  await c.page.goto(`${server.base}/#/watch/${a.game.watch}`);
  await c.page.locator('.pdk').waitFor();
  assert.equal(await c.page.locator('.hand').count(), 0, 'a spectator has no hand');
  assert.equal(await c.page.locator('.o').count(), 3);
  const wb = { ...b, autoPass: true, state: () => JSON.parse([...framesB].reverse().find((f) => f.startsWith('{"type":"state"'))) };
  await Promise.all([playOut(a, 'keys', 0), playOut(wb, 'touch', 1)]);
  await c.page.waitForFunction(() => document.title && document.querySelector('.result'));
  const end = a.state();
  for (const w of [a, b, c]) { assert.deepEqual(w.errors, []); await w.context.close(); }
  return { a: a.frames, b: framesB, c: framesC, deals: dealsOf(end) };
}

test('no frame to a seat or a spectator holds another’s cards before the deal ends; doctored frames are found', async () => {
  const game = await played();
  assert.equal(game.deals.length, 2);
  for (const [who, frames, seat] of [['Ada', game.a, 0], ['Bo', game.b, 1], ['spectator', game.c, null]]) {
    assert.ok(frames.filter((f) => f.startsWith('{"type":"state"')).length > 20, who);
    assert.deepEqual(cardLeaks(frames, seat, game.deals), [], who);
  }
  // The same frames with one thing more, each in another place.
  const at = game.b.findIndex((f) => f.startsWith('{"type":"state"') && JSON.parse(f).turn === 0);
  assert.ok(at >= 0);
  const doctor = (change) => { const m = JSON.parse(game.b[at]); change(m); return cardLeaks(game.b.with(at, JSON.stringify(m)), 1, game.deals); };
  const ada = game.deals[0][0];
  const ranks = ada.map((c) => c[1]).join('');
  const plants = {
    'a hand in the view': (m) => { m.view.hands[0] = ranks; },
    'the deal in the moves': (m) => { m.moves[0].action = `deal ${game.deals[0].map((h) => h.join('')).join('/')}`; },
    'the legal plays of another': (m) => { m.legal = ['33']; },
    'the legal plays in the view': (m) => { m.view.legal = ['33']; },
    'one card with its suit in a field nobody expects': (m) => { m.view.note = { last: [`picked ${ada[3]}`] }; },
    'a card as a key': (m) => { m.view.marks = { [ada[5]]: 1 }; },
  };
  for (const [what, plant] of Object.entries(plants)) assert.notDeepEqual(doctor(plant), [], what);
  assert.deepEqual(doctor(() => {}), [], 'the frame is clean without');
});

test('a leak on the way to the page is found by the same check', async () => {
  const seats = [{ kind: 'here', name: '' }, { kind: 'computer', player: 'best:level=1' }, { kind: 'computer', player: 'best:level=1' }];
  const clean = await seatAt(browser, server, { seats });
  await playOut(clean, 'keys');
  const deals = dealsOf(clean.state());
  assert.deepEqual(cardLeaks(clean.frames, 0, deals), []);
  // A server that tells everybody the position of the referee, as it does when the game is over.
  const told = await ask(server, 'GET', `/api/games/${clean.game.id}/positions`);
  const leaky = clean.frames.map((f) => {
    const m = JSON.parse(f);
    if (m.type === 'state' && m.phase !== 'over') m.view = told.positions[m.moves.length].view;
    return JSON.stringify(m);
  });
  const found = cardLeaks(leaky, 0, deals);
  assert.ok(found.some((f) => /hand of seat 1/.test(f)) && found.some((f) => /plays of seat/.test(f)), found.slice(0, 3).join());
  await clean.context.close();
});
