// What can be said of the page's files without a browser.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { WEB } from '../lib/page.mjs';

const walk = (dir) => readdirSync(dir).flatMap((name) => {
  const path = join(dir, name);
  return statSync(path).isDirectory() ? walk(path) : [path];
});
const files = walk(WEB).map((path) => ({ path: relative(WEB, path), text: readFileSync(path, 'utf8') }));
const own = files.filter((f) => !f.path.startsWith('vendor/'));
const code = own.filter((f) => f.path.endsWith('.js'));
const texts = { en: JSON.parse(readFileSync(join(WEB, 'i18n/en.json'))), zh: JSON.parse(readFileSync(join(WEB, 'i18n/zh-CN.json'))) };
const base = (key) => key.replace(/#(one|other)$/, '');
const keys = (all) => new Set(Object.keys(all).map(base));

test('both languages have the same keys', () => {
  assert.deepEqual([...keys(texts.en)].sort(), [...keys(texts.zh)].sort());
});

test('both languages fill in the same arguments', () => {
  const names = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].filter((a) => a !== '{n}').sort().join();
  for (const key of Object.keys(texts.zh)) {
    const en = texts.en[key] ?? texts.en[`${base(key)}#other`];
    // A plural may leave the number to the word, and a language the unit to the figure.
    if (!/^(chip|result|go\.|reason\.|review\.chance)/.test(key)) assert.equal(names(texts.zh[key]), names(en), key);
  }
});

test('no text is missing and none is unused', () => {
  const all = code.map((f) => f.text).join('\n');
  const fixed = new Set([...all.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)*)'/g)].map((m) => m[1]));
  const begun = [...new Set([...all.matchAll(/`([a-z][\w.-]*\.)\$\{/g)].map((m) => m[1]))];
  const asked = [...all.matchAll(/\bt\('([^']+)'/g)].map((m) => m[1]);
  for (const key of asked) assert.ok(keys(texts.en).has(key), `${key} has no text`);
  for (const key of keys(texts.en)) {
    assert.ok(fixed.has(key) || begun.some((b) => key.startsWith(b)), `${key} is not used`);
  }
});

test('code of others is what its manifest says', () => {
  const manifest = readFileSync(join(WEB, 'vendor/SHA256SUMS'), 'utf8').trim().split('\n').map((l) => l.split(/\s+/));
  assert.deepEqual(manifest.map(([, name]) => name).sort(), readdirSync(join(WEB, 'vendor')).filter((n) => n.endsWith('.js')).sort());
  const licences = readFileSync(join(WEB, 'vendor/LICENSES.md'), 'utf8');
  for (const [hash, name] of manifest) {
    assert.equal(createHash('sha256').update(readFileSync(join(WEB, 'vendor', name))).digest('hex'), hash, name);
    assert.ok(licences.includes(name), `${name} has no licence`);
  }
});

/** The modules that are fetched before anything is shown. */
function firstModules() {
  const wanted = new Set();
  const follow = (path) => {
    if (wanted.has(path)) return;
    wanted.add(path);
    for (const [, to] of files.find((f) => f.path === path).text.matchAll(/^(?:import|export) .*?from '([^']+)';$/gm)) follow(normalize(join(dirname(path), to)));
  };
  follow('app.js');
  return wanted;
}

test('a first visit needs at most 100 kB of files, which leaves room for headers, and the whole page at most 300 kB', () => {
  const size = (list) => list.reduce((n, f) => n + gzipSync(f.text).length, 0);
  const served = files.filter((f) => !/\.(md|d\.ts)$|SUMS$/.test(f.path));
  const modules = firstModules();
  const first = size(served.filter((f) => (f.path.endsWith('.js') ? modules.has(f.path) || f.path === 'boot.js' : f.path !== 'i18n/zh-CN.json')));
  assert.ok(first <= 100_000, `${first} bytes`);
  assert.ok(size(served) <= 300_000, `${size(served)} bytes`);
});

test('files are one subject each and short', () => {
  for (const f of own.filter((f) => /\.(js|css|html)$/.test(f.path))) assert.ok(f.text.split('\n').length <= 600, f.path);
  for (const f of code.filter((f) => f.path !== 'boot.js')) assert.ok(f.text.startsWith('// @ts-check\n'), `${f.path} is not checked`);
});

test('no component names a colour of its own', () => {
  for (const f of own.filter((f) => /\.(js|css)$/.test(f.path))) {
    f.text.split('\n').forEach((line, i) => {
      if (/#[0-9a-f]{3,8}\b/i.test(line) && !/^\s*--|url\(#|href=|color-mix|`#|'#/i.test(line)) assert.fail(`${f.path}:${i + 1} ${line.trim()}`);
    });
  }
});

test('nothing is written that the content policy forbids', () => {
  for (const f of own.filter((f) => /\.(js|html)$/.test(f.path))) {
    assert.ok(!/<script(?![^>]*src=)[^>]*>|\son\w+="|\sstyle="|innerHTML|\beval\(|new Function/.test(f.text), f.path);
    assert.ok(!/https?:\/\/(?!x\b)[a-z]/.test(f.text.replace('http://www.w3.org/2000/svg', '')), `${f.path} names another host`);
  }
});

test('the page asks at once for all modules its first screen needs, and for no other', () => {
  const html = files.find((f) => f.path === 'index.html').text;
  const wanted = [...firstModules()].filter((path) => path !== 'app.js').sort();
  assert.deepEqual([...html.matchAll(/modulepreload" href="([^"]+)"/g)].map((m) => m[1]).sort(), wanted);
});
