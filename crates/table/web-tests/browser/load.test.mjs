// What a first visit costs.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open } from '../lib/page.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

test('a first visit takes at most 150 kB and asks no other host', async () => {
  const { page, context, errors } = await open(browser, {});
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  const hosts = new Set();
  cdp.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength; });
  cdp.on('Network.requestWillBeSent', (e) => { if (!/^(data|blob):/.test(e.request.url)) hosts.add(new URL(e.request.url).host); });
  await page.goto(server.base, { waitUntil: 'networkidle' });
  await page.locator('[data-game=go] .play').waitFor();
  assert.ok(bytes > 10_000 && bytes <= 150_000, `${bytes} bytes`);
  console.log(`first visit: ${bytes} bytes`);
  assert.deepEqual([...hosts], [new URL(server.base).host]);
  assert.deepEqual(errors, []);
  await context.close();
});
