// The owner's link: a good key is kept, another one neither takes its place nor goes by without a word.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { HERE, ask, startServer } from '../lib/server.mjs';
import { launch, open } from '../lib/page.mjs';

let browser, server;
before(async () => {
  browser = await launch();
  server = await startServer();
  await ask(server, 'POST', '/api/games', { game: 'go', title: 'Kept', seats: [HERE, HERE] });
});
after(async () => { await browser?.close(); await server?.end(); });

const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('kiebitz.owner') ?? 'null'));
const mine = (page) => page.getByText('Kept').first().waitFor();
const told = (page, words) => page.locator('.toast').getByText(words).waitFor();

test('a wrong owner link is told and leaves the good key', async () => {
  const { page, context, errors } = await open(browser);
  await page.goto(`${server.base}/#/owner/${server.key}`);
  await mine(page);
  assert.equal(await kept(page), server.key);
  // In the page that is open, and from a fresh one.
  for (const bad of ['badbadbad', '%zz', `${server.key}x`]) {
    await page.evaluate((key) => { location.hash = `#/owner/${key}`; }, bad);
    await told(page, /owner link is not good/);
    assert.equal(await kept(page), server.key, bad);
    await mine(page);
    await page.locator('.toast button').click();
  }
  const other = await context.newPage();
  await other.goto(`${server.base}/#/owner/badbadbad`);
  await told(other, /owner link is not good/);
  await mine(other);
  assert.equal(await kept(other), server.key);
  assert.doesNotMatch(other.url(), /badbadbad/, 'the key leaves the address');
  assert.deepEqual(errors, []);
  await context.close();
});

test('a browser without a key keeps no wrong one, and a good one takes the place of an old one', async () => {
  const fresh = await open(browser, { lang: 'zh-CN' });
  await fresh.page.goto(`${server.base}/#/owner/badbadbad`);
  await told(fresh.page, /链接无效/);
  assert.equal(await kept(fresh.page), null);
  await fresh.context.close();
  const old = await open(browser, { storage: { 'kiebitz.owner': '"the-key-of-another-folder"' } });
  await old.page.goto(`${server.base}/#/owner/${server.key}`);
  await mine(old.page);
  assert.equal(await kept(old.page), server.key);
  await old.context.close();
});
