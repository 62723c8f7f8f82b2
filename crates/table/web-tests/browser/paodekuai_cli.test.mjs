// The text command line at the card table: it speaks of cards and plays, and the whole game can be typed.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { ready, seatAt } from '../lib/cards.mjs';
import { launch } from '../lib/page.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

/** A position in which seat 0 has to beat a pair of nines. */
const NINES = { hands: ['3446678TTJJQQKK2', '5', '33557788AA'], to_move: 0, trick: { play: '99', by: 2 }, plays_made: [0, 3, 2], leader: 2 };
const log = (page) => page.locator('.cli .log').innerText();

/** Opens the command line; the function types a line and resolves to what was answered. */
async function commandLine(page) {
  await page.keyboard.press('/');
  await page.locator('.cli input').waitFor();
  return async (line, answer) => {
    const before = (await log(page)).length;
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
    await page.waitForFunction(([n, source]) => new RegExp(source).test(document.querySelector('.cli .log').innerText.slice(n)), [before, answer.source], { timeout: 60000 });
    return (await log(page)).slice(before);
  };
}

test('help, questions and plays are those of cards', async () => {
  const w = await seatAt(browser, server, { setup: NINES });
  const { page } = w;
  await ready(page);
  const say = await commandLine(page);
  assert.match(await log(page), /Type a play by its ranks/);
  assert.match(await page.locator('.cli input').getAttribute('placeholder'), /33344/);
  assert.match(await page.locator('.cli input').getAttribute('aria-label'), /Play/);
  assert.match(await say('help', /plays/), /33344[\s\S]*cards[\s\S]*hint/);
  for (const words of [await log(page), await page.locator('.cli input').getAttribute('placeholder')]) assert.doesNotMatch(words, /D4|dead|groups|stone|board/i);
  // The table: who holds how many, one's own cards, the trick.
  const table = await say('cards', /plays/);
  assert.match(table, /16 cards: 3\s4\s4\s6\s6\s7\s8\s10\s10\sJ\sJ\sQ\sQ\sK\sK\s2/);
  assert.match(table, /Right, 1 card\n[\s\S]*Left, 10 cards\n[\s\S]*Left plays: pair of 9s/);
  assert.match(await say('score', /0/), /You 0, Right 0, Left 0/);
  assert.match(await say('plays', /10/), /10\s10, J\sJ/);
  // Words of Go mean nothing here.
  for (const word of ['groups', 'dead D4', 'accept', 'resume', 'xyz']) assert.match(await say(word, /no play/), /is no play and no question here/);
  // Why a play is refused is said as at the table.
  assert.match(await say('pass', /\./), /You can beat the trick/);
  assert.match(await say('44', /\./), /does not beat/);
  assert.match(await say('99', /\./), /You do not hold these cards/);
  assert.equal(w.state().turn, 0);
  const hint = await say('hint', /points/);
  assert.match(hint, /10\s10: [+−]\d/);
  assert.doesNotMatch(hint, / %/);
  assert.deepEqual(await violations(page), []);
  const { v } = w.state();
  assert.match(await say('10 10', /You: /), /You: 10\s10/);
  assert.ok(w.state().v > v);
  assert.match(await say('last', /: /), /(You|Right|Left): /);
  assert.deepEqual(w.errors, []);
  await w.context.close();
});

test('in Chinese too, and ranks in any order', async () => {
  const w = await seatAt(browser, server, { setup: { hands: ['34455679TTTJKKKK', '3366778899JJQQAA', '3445567889TJQQA2'], to_move: 0, leader: 0 }, window: { lang: 'zh-CN' } });
  const { page } = w;
  await ready(page);
  const say = await commandLine(page);
  assert.match(await log(page), /输入要出的牌/);
  assert.match(await say('帮助', /比分/), /33344[\s\S]*不要[\s\S]*悔牌/);
  assert.doesNotMatch(await log(page), /D4|死子|棋块|形势|停一手|落子|着法/);
  assert.match(await say('牌', /先出/), /下家，16 张牌/);
  assert.match(await say('比分', /0/), /你 0、下家 0、上家 0/);
  assert.match(await say('棋块', /不是/), /“棋块”不是能出的牌，也不是提问/);
  assert.match(await say('34', /。/), /不成牌型/);
  assert.match(await say('7 5 6 4 3', /你：/), /你：3\s4\s5\s6\s7/);
  assert.equal(w.state().moves.find((m) => m.by === 0).action, '34567');
  assert.match(await say('悔牌', /轮到你了/), /轮到你了/);
  assert.deepEqual(w.errors, []);
  await w.context.close();
});
