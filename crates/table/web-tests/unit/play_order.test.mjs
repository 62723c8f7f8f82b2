// The cards of a play are said and laid in one order: the body first, then what it carries.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { WEB } from '../lib/page.mjs';

// The page's own module; Node takes a file of that folder for another kind of module.
const { inOrder, readOrder } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(join(WEB, 'games/paodekuai/rules.js'), 'utf8'))}`);

test('a triple, an airplane and a four are read before what they carry', () => {
  for (const [text, read] of [
    ['3444T', '4443T'], ['444', '444'], ['33444', '44433'], ['34445556', '44455536'], ['3345556667', '5556663347'],
    ['3777789', '7777389'], ['3344445', '4444335'], ['3334', '3334'],
  ]) assert.equal(readOrder(text), read);
});

test('all other plays stay as they are', () => {
  for (const text of ['', 'pass', '3', '44', '34567', '334455', 'TJQKA', '2']) assert.equal(readOrder(text), text);
});

test('the cards of a triple lie as they are read', () => {
  const cards = ['S3', 'H4', 'C4', 'D4', 'ST'];
  assert.deepEqual(inOrder(cards, '3444T').map((c) => c[1]).join(''), '4443T');
});
