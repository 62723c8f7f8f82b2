// Pictures of the page with made-up answers, to look at: node lib/look.mjs [name part]
import { mkdirSync } from 'node:fs';
import { launch, open, serveFiles } from './page.mjs';
import { mock } from './mock.mjs';
import { overflow, violations } from './axe.mjs';
import * as fx from './fixtures.mjs';

const out = new URL('../shots/look/', import.meta.url).pathname;
mkdirSync(out, { recursive: true });
const only = process.argv[2] ?? '';
const site = await serveFiles();
const browser = await launch();
const phone = { width: 390, height: 844, touch: true };
const hint = async (page) => { await page.keyboard.press('h'); await page.waitForTimeout(150); await page.keyboard.press('h'); await page.waitForTimeout(250); };
const tapHint = async (page) => { for (let i = 0; i < 2; i++) { await page.locator('.ctl button[aria-pressed]').first().tap(); await page.waitForTimeout(200); } };
const shots = {
  'table-light': [{}, '#/game/mock', hint],
  'table-dark-zh': [{ lang: 'zh-CN', theme: 'dark' }, '#/game/mock', hint],
  'table-idle': [{}, '#/game/mock', async () => {}],
  'table-1600': [{ width: 1700, height: 950 }, '#/review/mock', async () => {}],
  'play-1700': [{ width: 1700, height: 950 }, '#/game/mock', hint],
  'table-768': [{ width: 768, height: 1024 }, '#/game/mock', hint],
  'table-phone': [phone, '#/game/mock', tapHint],
  'phone-aim': [phone, '#/game/mock', async (page) => {
    await tapHint(page);
    const box = await page.locator('svg.grid').boundingBox();
    const session = await page.context().newCDPSession(page);
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: box.x + box.width * 0.29, y: box.y + box.height * 0.447 }] });
    await page.waitForTimeout(200);
  }],
  'phone-full-zh': [{ ...phone, lang: 'zh-CN', theme: 'dark' }, '#/game/mock', async (page) => { await tapHint(page); await page.locator('.grab').tap(); await page.waitForTimeout(400); }],
  'phone-360': [{ width: 360, height: 640, touch: true }, '#/game/mock', tapHint],
  lobby: [{}, '#/', async () => {}],
  'lobby-phone-zh': [{ ...phone, lang: 'zh-CN', theme: 'dark' }, '#/', async () => {}],
  newgame: [{}, '#/', async (page) => { await page.locator('.choices button').first().click(); await page.waitForTimeout(200); }],
  'newgame-phone': [phone, '#/', async (page) => { await page.locator('.choices button').first().click(); await page.waitForTimeout(200); }],
  review: [{}, '#/review/mock', async (page) => { await page.locator('.worst button').first().click(); }],
  'review-shade': [{ theme: 'dark' }, '#/review/mock', async (page) => { await page.keyboard.press('t'); }],
  'review-phone': [phone, '#/review/mock', async (page) => { await page.locator('.grab').tap(); await page.waitForTimeout(400); }],
  scoring: [{}, '#/game/mock', async () => {}, { ...fx.state, phase: 'scoring', turn: null, legal: [], scoring: fx.scoring }],
  'scoring-phone': [phone, '#/game/mock', async () => {}, { ...fx.state, phase: 'scoring', turn: null, legal: [], scoring: fx.scoring }],
  over: [{ lang: 'zh-CN' }, '#/game/mock', async () => {}, { ...fx.state, phase: 'over', turn: null, legal: [], count: fx.count, outcome: { result: 'B+7.5', winners: [0], returns: [7.5, -7.5], how: 'score', by: null, seed: '1', seed_salt: '2' } }],
  'over-phone': [phone, '#/game/mock', async () => {}, { ...fx.state, phase: 'over', turn: null, legal: [], count: fx.count, outcome: { result: 'B+7.5', winners: [0], returns: [7.5, -7.5], how: 'score', by: null, seed: '1', seed_salt: '2' } }],
  'what-phone': [phone, '#/game/mock', async (page) => { await page.keyboard.press('w'); await page.waitForTimeout(200); }],
  menu: [{}, '#/game/mock', async (page) => { await page.locator('.ctl button').last().click(); await page.waitForTimeout(200); }],
  'hint-area': [{}, '#/game/mock', async (page) => { await page.keyboard.press('h'); await page.waitForTimeout(400); }],
  cli: [{}, '#/game/mock', async (page) => { await page.keyboard.press('/'); await page.keyboard.type('hint'); await page.keyboard.press('Enter'); await page.waitForTimeout(300); }],
  study: [{}, '#/study', async () => {}],
  'study-phone': [phone, '#/study', async () => {}],
  howto: [{ height: 1200 }, '#/howto/go', async () => {}],
  'howto-phone': [phone, '#/howto/go', async () => {}],
  generic: [{}, '#/game/mock', async () => {}, { ...fx.state, view: { board: ['X..', '.O.', '...'], to_move: 0 }, legal: ['a1', 'b1', 'c1', 'a2', 'c2', 'b3', 'c3'] }, { ...fx.welcome, game: 'tictactoe' }],
  thinking: [{}, '#/game/mock', async (page) => { await page.waitForTimeout(2500); }, { ...fx.state, turn: 1, legal: [] }],
};
for (const [name, [window, hash, act, state, welcome]] of Object.entries(shots)) {
  if (!name.includes(only)) continue;
  const { context, page, errors } = await open(browser, window);
  await mock(page, { ...(state && { state }), ...(welcome && { welcome }) });
  await page.goto(`${site.base}/${hash}`);
  await page.waitForTimeout(500);
  try { await act(page); } catch (e) { errors.push(String(e).slice(0, 300)); }
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${out}${name}.png` });
  errors.push(...(await page.evaluate(() => window.policyBreaches)), ...(await violations(page)), ...(await overflow(page)));
  if (errors.length) console.log(name, errors);
  await context.close();
}
await browser.close();
await site.close();
