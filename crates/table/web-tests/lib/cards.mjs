// Playing Pao De Kuai as a person does: by keyboard or by touch, told only what the page was sent.
import assert from 'node:assert/strict';
import { open } from './page.mjs';
import { ask, storageOf } from './server.mjs';

const RANKS = '3456789TJQKA2';
export const textOf = (cards) => cards.map((c) => c[1]).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)).join('');

/** Makes a game and opens its table; `frames` gathers what the page is sent. */
export async function seatAt(browser, server, { players = 3, rules = {}, window = {}, seats, level = 1, setup, clock } = {}) {
  const computers = Array.from({ length: players - 1 }, () => ({ kind: 'computer', player: `best:level=${level}` }));
  const game = await ask(server, 'POST', '/api/games', { game: 'paodekuai', seats: seats ?? [{ kind: 'here', name: '' }, ...computers], rules, ...(setup ? { setup } : {}), ...(clock ? { clock } : {}) });
  const w = await open(browser, { ...window, storage: { ...storageOf(server, [game]), ...window.storage } });
  const frames = listen(w.page);
  await w.page.goto(`${server.base}/#/game/${game.id}`);
  await w.page.locator('.hand, .ownhand .curtain').first().waitFor();
  return { ...w, game, frames, state: () => lastState(frames) };
}

/** Every frame a page is sent from now on. */
export function listen(page) {
  const frames = [];
  page.on('websocket', (ws) => ws.on('framereceived', ({ payload }) => frames.push(String(payload))));
  return frames;
}

export function lastState(frames) {
  for (let i = frames.length - 1; i >= 0; i--) {
    if (frames[i].startsWith('{"type":"state"')) return JSON.parse(frames[i]);
  }
  return null;
}

/** Until it is the person's turn, a deal or the game is over. */
export const ready = (page, timeout = 60000) => page.waitForFunction(() => document.querySelector('.result') || document.querySelector('dialog[open]')
  || (document.title.startsWith('●') && !document.querySelector('.pdk .played.way')), null, { timeout });

export const hand = (page) => page.locator('.hand [role=option]').evaluateAll((all) => all.map((e) => e.getAttribute('data-card')));
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
export const tapCard = (page, card) => page.locator(`.hand [data-card="${card}"]`).tap({ position: { x: 14, y: 22 }, timeout: 8000 });

/** One turn; `how` is `keys` or `touch`. Returns what was played; nothing when the deal was over before the hand was there. */
export async function turn(w, how, choose = longest) {
  try {
    return await take(w, how, choose);
  } catch (e) {
    await w.page.waitForTimeout(500);
    // What the page is sent is ahead of what it shows: the turn was that of the next deal.
    if (await w.page.locator('dialog[open], .result').count()) return null;
    throw e;
  }
}

async function take(w, how, choose) {
  const { page } = w;
  const state = w.state();
  const before = state.v;
  const action = choose(state.legal);
  if (action === 'pass') {
    // A forced pass may also be left to the table.
    if (how === 'keys') await page.keyboard.press('p');
    else if (state.legal.length > 1) await page.locator('.passb').tap();
  } else {
    const cards = cardsFor(action, await hand(page));
    if (how === 'keys') { await chooseByKeys(page, cards); await page.keyboard.press('Enter'); } else { for (const c of cards) await tapCard(page, c); await page.locator('.playb').tap(); }
  }
  for (let i = 0; w.state().v === before; i++) {
    assert.ok(i < 300, `${action} was not played: ${await page.locator('.why').innerText().catch(() => '')}`);
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
    if (s.phase === 'playing' && s.turn === seat && s.legal.length === 1 && s.legal[0] !== 'pass') await turn(w, 'keys');
    else await w.page.waitForTimeout(60);
  }
  return assert.fail('there is no choice');
}

/** Plays until the match is over; returns how many deals were told to be over on the way. */
export async function playOut(w, how, seat = 0) {
  let told = 0;
  for (let i = 0; i < 400; i++) {
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
