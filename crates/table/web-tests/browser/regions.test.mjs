// The first step of a hint names the part of the board that the marked area is in, on every size.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { launch, open } from '../lib/page.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;
before(async () => { server = await startServer(); browser = await launch(); });
after(async () => { await browser?.close(); await server?.end(); });

test('corners, sides and the centre have their names', async () => {
  const { page, context, errors } = await open(browser);
  await page.goto(server.base);
  const named = (places, size) => page.evaluate(async ([p, s]) => (await import('/games/go.js')).regionOf(p, s), [places, size]);
  await page.getByRole('button', { name: /Play Go/ }).waitFor();
  for (const [places, size, words] of [
    [['A1', 'B2', 'C3'], [9, 9], 'in the lower left corner'], [['J9'], [9, 9], 'in the upper right corner'], [['G7', 'H8'], [9, 9], 'in the upper right corner'],
    [['E5'], [9, 9], 'in the centre'], [['E1', 'E2'], [9, 9], 'at the lower side'], [['A5'], [9, 9], 'at the left side'],
    [['K10', 'L11'], [19, 19], 'in the centre'], [['C17', 'D16'], [19, 19], 'in the upper left corner'], [['R3', 'S4'], [19, 19], 'in the lower right corner'],
    [['K17'], [19, 19], 'at the upper side'], [['T10'], [19, 19], 'at the right side'], [[], [19, 19], ''],
  ]) assert.equal(await named(places, size), words, places.join(' '));
  assert.deepEqual(errors, []);
  await context.close();
});
