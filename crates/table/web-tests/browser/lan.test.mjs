// A table of the local network: a phone opens the link that was printed, or the picture of it, and a friend joins from another one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import jsqr from 'jsqr';
import { overflow, violations } from '../lib/axe.mjs';
import { launch, open } from '../lib/page.mjs';
import { free, myTurn } from '../lib/play.mjs';
import { BINARY, PAGE, freePort } from '../lib/server.mjs';

const outside = Object.values(networkInterfaces()).flat().find((a) => a.family === 'IPv4' && !a.internal);
const phone = { width: 390, height: 844, touch: true };
const data = mkdtempSync(join(tmpdir(), 'kiebitz-lan-'));
let child, said = '', browser;

/** A QR code as a terminal shows it, two rows a line, light modules as blocks. */
function read(text) {
  const lines = text.split(/\r?\n/).filter((l) => /^[█▀▄ ]{21,}$/.test(l));
  const rows = lines.flatMap((l) => [[...l].map((c) => '█▀'.includes(c)), [...l].map((c) => '█▄'.includes(c))]);
  const [scale, width] = [4, rows[0].length];
  const image = new Uint8ClampedArray(width * scale * rows.length * scale * 4);
  for (let y = 0; y < rows.length * scale; y++) {
    for (let x = 0; x < width * scale; x++) {
      const light = rows[Math.floor(y / scale)][Math.floor(x / scale)] ? 255 : 0;
      image.set([light, light, light, 255], (y * width * scale + x) * 4);
    }
  }
  return (jsqr.default ?? jsqr)(image, width * scale, rows.length * scale)?.data ?? null;
}

before(async () => {
  if (!outside) return;
  const port = await freePort();
  // The picture is only drawn on a terminal, which `script` makes.
  const words = [BINARY, 'serve', '--lan', '--addr', `:${port}`, '--data', data, '--lang', 'en', ...PAGE].map((w) => `'${w}'`).join(' ');
  child = spawn('script', ['-qec', words, '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (d) => { said += d; });
  child.stderr.on('data', (d) => { said += d; });
  for (let i = 0; i < 600 && !/Ctrl-C/.test(said); i++) await new Promise((r) => setTimeout(r, 50));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (child) { const ended = new Promise((done) => child.once('exit', done)); child.kill('SIGTERM'); await ended; }
  rmSync(data, { recursive: true, force: true });
});

test('a phone opens the printed link and a friend joins from another one', { skip: !outside && 'this machine has no network' }, async () => {
  const link = /http:\/\/\S+\/#\/owner\/[\w-]+/.exec(said)?.[0];
  assert.ok(link, said);
  assert.equal(read(said), link, 'the picture is the link');
  const { origin, hostname } = new URL(link);
  assert.ok(Object.values(networkInterfaces()).flat().some((a) => !a.internal && a.address === hostname), `${hostname} is an address of this machine`);

  const owner = await open(browser, phone);
  await owner.page.goto(link);
  await owner.page.locator('[data-game=go] .play').waitFor();
  assert.doesNotMatch(owner.page.url(), /owner/, 'the key leaves the address');
  await owner.page.locator('[data-game=go] button', { hasText: 'Change' }).tap();
  await owner.page.locator('dialog .seatrow').nth(1).locator('select').first().selectOption('link');
  await owner.page.getByRole('button', { name: '9×9' }).tap();
  await owner.page.locator('dialog button.pri').tap();
  const links = owner.page.locator('dialog input[readonly]');
  await links.nth(1).waitFor();
  const invite = await links.first().inputValue();
  assert.ok(invite.startsWith(`${origin}/#/join/`), invite);
  assert.equal(await owner.page.getByText('this machine only').count(), 0, 'no warning that links work here only');
  // Plain http has no clipboard of its own; copying works or says what to do, and nothing breaks.
  await owner.page.getByRole('button', { name: 'Copy' }).first().tap();
  await owner.page.locator('.toast', { hasText: /Copied|Ctrl\+C/ }).waitFor();
  assert.deepEqual(await violations(owner.page), []);
  assert.deepEqual(await overflow(owner.page), []);
  await owner.page.getByRole('button', { name: 'Close' }).first().tap();

  const friend = await open(browser, phone);
  await friend.page.goto(invite);
  await friend.page.locator('input').fill('Bo');
  await friend.page.getByRole('button', { name: 'Sit down' }).tap();
  await friend.page.locator('[role=grid]').waitFor();
  await owner.page.locator('.strip.opp', { hasText: 'Bo' }).waitFor();
  for (const [w, wished] of [[owner, 'E5'], [friend, 'E4'], [owner, 'D4']]) {
    await myTurn(w.page);
    const at = await free(w.page, [wished]);
    const box = await w.page.locator(`[data-at="${at}"] .hit`).boundingBox();
    await w.page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await w.page.getByRole('button', { name: `Place ${at}` }).tap();
    for (const o of [owner, friend]) await o.page.waitForFunction((p) => !/empty/.test(document.querySelector(`[data-at="${p}"]`).getAttribute('aria-label')), at);
  }
  // A used link is explained, to whoever tries it.
  const third = await open(browser, phone);
  await third.page.goto(invite);
  await third.page.getByRole('button', { name: 'Sit down' }).tap();
  await third.page.locator('.err', { hasText: 'used already' }).waitFor();
  // The browser remarks that a header for secure connections means nothing without one.
  for (const w of [owner, friend]) assert.deepEqual(w.errors.filter((e) => !/Cross-Origin-Opener-Policy/.test(e)), []);
  for (const w of [owner, friend, third]) await w.context.close();
});
