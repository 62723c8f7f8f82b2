// Playing Pao De Kuai as a person does: by keyboard or by touch, told only what the page was sent.
import assert from 'node:assert/strict';
import { open } from './page.mjs';
import { ask, storageOf } from './server.mjs';

const RANKS = '3456789TJQKA2';
export const textOf = (cards) => cards.map((c) => c[1]).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)).join('');

/**
 * Makes a game and opens its table; `frames` gathers what the page is sent. A forced pass waits for the person, so that nothing
 * happens by itself while it is their turn, unless `autoPass` leaves it to the table.
 */
export async function seatAt(browser, server, { players = 3, rules = {}, window = {}, seats, level = 1, setup, clock, autoPass = false } = {}) {
  const computers = Array.from({ length: players - 1 }, () => ({ kind: 'computer', player: `best:level=${level}` }));
  const game = await ask(server, 'POST', '/api/games', { game: 'paodekuai', seats: seats ?? [{ kind: 'here', name: '' }, ...computers], rules, ...(setup ? { setup } : {}), ...(clock ? { clock } : {}) });
  const w = await open(browser, { ...window, storage: { ...storageOf(server, [game]), 'kiebitz.cards': JSON.stringify({ autoPass }), ...window.storage } });
  const frames = listen(w.page);
  await w.page.goto(`${server.base}/#/game/${game.id}`);
  await w.page.locator('.hand, .ownhand .curtain').first().waitFor();
  return { ...w, game, frames, autoPass, state: () => lastState(frames) };
}

/** What each page was sent. */
const heard = new WeakMap();

/** Every frame a page is sent from now on. */
export function listen(page) {
  const frames = [];
  heard.set(page, frames);
  page.on('websocket', (ws) => ws.on('framereceived', ({ payload }) => frames.push(String(payload))));
  return frames;
}

export function lastState(frames) {
  for (let i = frames.length - 1; i >= 0; i--) {
    if (frames[i].startsWith('{"type":"state"')) return JSON.parse(frames[i]);
  }
  return null;
}

/**
 * Until it is the person's turn, a deal or the game is over; and until the page shows the last state it was sent, which may be
 * ahead of what is seen.
 */
export async function ready(page, timeout = 120000) {
  const frames = heard.get(page) ?? [];
  const told = () => lastState(frames)?.v ?? null;
  for (const from = Date.now(); Date.now() - from < timeout;) {
    const v = told();
    const there = await page.evaluate((last) => {
      const shown = document.querySelector('.pdk')?.getAttribute('data-v');
      if (last !== null && shown !== String(last)) return false;
      return document.querySelector('.result, dialog[open]') !== null || (document.title.startsWith('●') && !document.querySelector('.pdk .played.way'));
    }, v);
    if (there && told() === v) return;
    await page.waitForTimeout(25);
  }
  assert.fail(`after ${timeout} ms it is nobody's turn here: ${await page.locator('.st').innerText({ timeout: 1000 }).catch(() => '')}`);
}

export const hand = (page) => page.locator('.hand [role=option]').evaluateAll((all) => all.map((e) => e.getAttribute('data-card')));
/** Until the chosen cards are these, in the order of the hand: a finger's events arrive a frame later. */
export async function choosing(page, cards, what = '') {
  await page.waitForFunction((wanted) => [...document.querySelectorAll('.hand [aria-selected=true]')].map((e) => e.getAttribute('data-card')).join() === wanted, cards.join(), { timeout: 10000 })
    .catch(async () => assert.deepEqual(await chosen(page), cards, what));
}

export const chosen = (page) => page.locator('.hand [aria-selected=true]').evaluateAll((all) => all.map((e) => e.getAttribute('data-card')));

/** Cards of a hand that make a play; the lead card is taken where it may be. */
export function cardsFor(action, cards, lead = 'S3') {
  const rest = [...cards].sort((a, b) => Number(b === lead) - Number(a === lead));
  return [...action].map((rank) => {
    const i = rest.findIndex((c) => c[1] === rank);
    assert.ok(i >= 0, `${action} is not in ${cards}`);
    return rest.splice(i, 1)[0];
  });
}

/** The longest legal play: games end soon. */
export const longest = (legal) => [...legal].sort((a, b) => (b === 'pass' ? 0 : b.length) - (a === 'pass' ? 0 : a.length))[0];

/** Takes cards up by arrow keys, rank keys and space, wherever the focus is inside the hand. */
export async function chooseByKeys(page, cards) {
  await page.locator('.hand [tabindex="0"]').focus();
  for (const card of cards) {
    for (let i = 0; i < 5 && (await page.evaluate(() => document.activeElement?.getAttribute('data-card'))) !== card; i++) await page.keyboard.press(card[1] === 'T' ? '1' : card[1].toLowerCase());
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-card')), card);
    await page.keyboard.press(' ');
  }
}

/** Taps the corner of a card, which no other card covers. */
export const tapCard = (page, card) => page.locator(`.hand [data-card="${card}"]`).tap({ position: { x: 14, y: 22 }, timeout: 30000 });

/** One turn, after `ready`; `how` is `keys` or `touch`. Returns what was played. */
export async function turn(w, how, choose = longest) {
  const { page } = w;
  const state = w.state();
  const before = state.v;
  const action = choose(state.legal);
  if (action === 'pass') {
    // A forced pass may be made by the table at any moment.
    if (how === 'keys') await page.keyboard.press('p');
    else if (!w.autoPass || state.legal.length > 1) await page.locator('.passb').tap();
  } else {
    const cards = cardsFor(action, await hand(page));
    if (how === 'keys') { await chooseByKeys(page, cards); await page.keyboard.press('Enter'); } else { for (const c of cards) await tapCard(page, c); await page.locator('.playb').tap(); }
  }
  for (let i = 0; w.state().v === before; i++) {
    // Words are looked for only then: where there are none, looking takes half a minute.
    if (i >= 1500) assert.fail(`${action} was not played: ${await page.locator('.why').innerText({ timeout: 1000 }).catch(() => '')}`);
    await page.waitForTimeout(20);
  }
  return action;
}

/**
 * Until the person has a choice, past the score sheets of deals that end and through what leaves no choice: then nothing
 * happens before the person acts, neither a pass by itself nor the end of a deal.
 */
export async function choice(w, seat = 0) {
  for (let i = 0; i < 400; i++) {
    await ready(w.page);
    assert.equal(await w.page.locator('.result').count(), 0, 'the match is over');
    if (await w.page.locator('dialog[open]').count()) {
      await w.page.keyboard.press('Enter');
      await w.page.locator('dialog[open]').waitFor({ state: 'detached' });
      continue;
    }
    const s = w.state();
    if (s.phase === 'playing' && s.turn === seat && s.legal.length > 1) return s;
    if (s.phase === 'playing' && s.turn === seat && s.legal.length === 1) await turn(w, 'keys');
    else await w.page.waitForTimeout(60);
  }
  return assert.fail('there is no choice');
}

/** Plays until the match is over; returns how many deals were told to be over on the way. */
export async function playOut(w, how, seat = 0) {
  let told = 0;
  for (let i = 0; i < 1000; i++) {
    await ready(w.page);
    if (await w.page.locator('dialog[open]').count()) {
      told += 1;
      if (how === 'keys') await w.page.keyboard.press('Enter'); else await w.page.locator('dialog[open] .pri').tap();
      await w.page.locator('dialog[open]').waitFor({ state: 'detached' });
      continue;
    }
    if (await w.page.locator('.result').count()) return told;
    const s = w.state();
    if (s.phase === 'playing' && s.turn === seat && s.legal.length) await turn(w, how); else await w.page.waitForTimeout(30);
  }
  return assert.fail('the game does not end');
}
