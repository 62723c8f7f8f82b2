// Two browsers as two seats and a spectator: none is sent what it may not know before the end, and a planted leak is found.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { lastState, leaks, tap } from '../lib/leaks.mjs';
import { launch, open } from '../lib/page.mjs';
import { ask, level, startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

const LINK = { kind: 'link', name: '' };
const until = async (what, ok, limit = 120000) => {
  for (const from = Date.now(); !ok();) {
    assert.ok(Date.now() - from < limit, `no ${what}`);
    await new Promise((r) => setTimeout(r, 25));
  }
};

/** A game of two links (and a computer), joined by two browsers and watched by a third, which are closed after the test. */
async function table(t, game, rules = {}) {
  const seats = game === 'paodekuai' ? [LINK, LINK, level(1)] : [LINK, LINK];
  const made = await ask(server, 'POST', '/api/games', { game, seats, rules, clock: { kind: 'none' }, hints: game !== 'go' });
  const windows = [];
  for (const [seat, link] of [...made.invites.map((i) => [i.seat, `#/join/${i.code}`]), [null, `#/watch/${made.watch}`]]) {
    // No seat passes by itself: whose turn it is stays as the test finds it.
    const w = await open(browser, { width: 900, storage: { 'kiebitz.cards': JSON.stringify({ autoPass: false }) } });
    t.after(() => w.context.close());
    const heard = await tap(w.page);
    await w.page.goto(`${server.base}/${link}`);
    if (seat !== null) await w.page.getByRole('button', { name: 'Sit down' }).click();
    await until('state', () => lastState(heard) !== null);
    windows.push({ ...w, heard, seat });
  }
  const keep = (w) => w.page.evaluate(() => Object.values(JSON.parse(localStorage.getItem('kiebitz.tokens'))).flatMap((h) => h.seats.map((s) => s.token)));
  const tokens = [];
  for (const w of windows) tokens.push(await keep(w));
  const codes = made.invites.map((i) => i.code);
  // A watcher's code may be known to all who watch, an invitation that was used is worth nothing but is still nobody else's.
  windows.forEach((w, i) => { w.who = { game, seat: w.seat, secrets: [server.key, ...tokens.flatMap((t, j) => (i === j ? [] : t)), ...codes] }; });
  return windows;
}

for (const [game, rules] of [['kuhn', {}], ['paodekuai', {}], ['go', { size: 3 }]]) {
  test(`${game} between two browsers and a spectator tells nobody too much`, async (t) => {
    const windows = await table(t, game, rules);
    const over = () => lastState(windows[0].heard).phase === 'over';
    let hinted = false;
    for (let i = 0; i < 400 && !over(); i++) {
      const { phase, turn, v } = lastState(windows[0].heard);
      if (phase === 'scoring') {
        for (const w of windows.slice(0, 2)) await w.page.locator('.accept:not([disabled]):visible').click({ timeout: 60000 });
        await until('end', over);
        break;
      }
      const w = windows[turn];
      if (w?.seat !== null && w !== undefined && turn === w.seat) {
        await until('legal moves', () => lastState(w.heard).v === v);
        const { legal, hints } = lastState(w.heard);
        if (hints && !hinted) {
          // A hint goes only to who asked for it.
          hinted = true;
          w.heard.send({ type: 'hint', v, id: 1 });
          await until('hint', () => w.heard.frames.some((f) => f.includes('"type":"hint"') && f.includes('"done":true')));
        }
        const action = game === 'go' ? (i < 4 ? legal[0] : 'pass') : legal[legal.length - 1];
        w.heard.send({ type: 'play', v, cid: `test-${v}`, action });
      }
      await until('move', () => lastState(windows[0].heard).v !== v || over());
    }
    assert.ok(over(), 'the game ended');
    for (const w of windows) {
      await until('end', () => lastState(w.heard).phase === 'over');
      assert.ok(w.heard.frames.filter((f) => f.includes('"phase":"playing"')).length >= 2, 'it saw the game');
      assert.deepEqual(leaks(w.heard.frames, w.who), []);
      assert.deepEqual(w.errors, []);
      await w.context.close();
    }
    assert.equal(hinted, game !== 'go');
  });

  test(`${game}: a planted leak is found, by whatever way it comes`, async (t) => {
    const windows = await table(t, game, rules);
    const [a, b, watcher] = windows;
    const foreign = (w) => w.who.secrets.find((s) => s !== server.key);
    const change = (how) => (text) => { const m = JSON.parse(text); return m.type === 'state' ? JSON.stringify(how(m) ?? m) : text; };
    const cards = { kuhn: { cards: [2, 1] }, paodekuai: { hands: ['3344', '5566', '77'] } }[game];
    const deal = game === 'kuhn' ? 'deal 2,1' : 'deal S3H3/S4H4/S5H5';
    // Seat 0 is to move in Go and Kuhn poker; elsewhere whoever is not.
    const idle = [b, a].find((w) => lastState(w.heard).turn !== w.seat);
    const plants = [
      ['a token of somebody else', (m, w) => { m.seats[0].name = foreign(w); }],
      ['a token of somebody else', (m) => { m.note = server.key; }],
      ['the seed', (m) => { m.outcome = { seed: '1234' }; }],
      ['the seed_salt', (m) => { m.view.seed_salt = 'x'; }],
      ['legal moves of another seat', (m) => { m.legal = ['pass']; }],
      ['legal moves of another seat', (m) => { m.view.legal = ['pass']; }],
      ['candidates of another seat', (m, w) => ({ type: 'hint', id: 1, v: m.v, seat: 1 - (w.seat ?? 0), queued: null, area: null, candidates: [{ action: 'pass' }], visits: 1, details: {}, done: false })],
      ['more than the time a computer thinks', (m) => ({ type: 'thinking', seat: 0, ms: 5, queued: null, best: 'pass' })],
      ['the view of another seat', (m, w) => { m.view_of = 1 - (w.seat ?? 0); }],
      ...(cards ? [['hidden cards', (m) => { Object.assign(m.view, cards); }], ['the deal', (m) => { m.moves = [{ by: null, kind: 'action', action: deal, ms: null }]; }]] : []),
    ];
    for (const w of [idle, watcher]) {
      assert.deepEqual(leaks(w.heard.frames, w.who), [], 'nothing is found before');
      for (const [what, how] of plants) {
        w.heard.frames.length = 0;
        const doctor = change((m) => how(m, w));
        let planted = false;
        w.heard.doctor = (text) => { const told = doctor(text); planted ||= told !== text; return told; };
        await w.page.reload();
        await until('frame', () => planted);
        const found = leaks(w.heard.frames, w.who);
        assert.ok(found.some((f) => f.endsWith(what)), `${what} is not found: ${found.join('; ')}`);
      }
    }
    for (const w of windows) await w.context.close();
  });
}
