// Every code with which the server refuses has words in both languages. The codes are read from the Rust sources.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { WEB } from '../lib/page.mjs';

// As the page looks for words; Node takes a file of that folder for another kind of module.
const { errorKey } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(join(WEB, 'lib/errors.js'), 'utf8'))}`);

const CRATES = fileURLToPath(new URL('../../../', import.meta.url));
const walk = (dir) => readdirSync(dir).flatMap((name) => {
  const path = join(dir, name);
  return statSync(path).isDirectory() ? walk(path) : path.endsWith('.rs') ? [path] : [];
});
/** The sources of a folder, by their paths, without the tests at their ends. */
const sources = (folder) => walk(join(CRATES, folder)).map((path) => ({ path: relative(CRATES, path), text: readFileSync(path, 'utf8').split('#[cfg(test)]\nmod ')[0] }));
const GAMES = ['go', 'paodekuai', 'examples'].flatMap((game) => sources(`games/${game}/src`));
const TABLE = sources('table/src');
const OTHERS = [...sources('core/src').filter((f) => !/conformance/.test(f.path)), ...sources('play/src').filter((f) => !/gtp|engine|console|save|rules_text|clock/.test(f.path)), ...sources('catalog/src').filter((f) => !/bench/.test(f.path))];
/** Errors of their own that the table passes on, with their codes in a function. */
const ENUMS = ['table/src/store/error.rs', 'table/src/queue.rs', 'core/src/spec.rs', 'search/src/search.rs', 'play/src/load.rs', 'play/src/replay.rs', 'play/src/go_sgf.rs', 'games/go/src/sgf/error.rs'];
/** What only an editor of SGF or a strict reader meets; the table reads tolerantly. */
const NEVER = new Set(['sgf_bad_name', 'sgf_fixed_property', 'sgf_bad_raw_value', 'sgf_illegal_move', 'sgf_komi']);

const CALLS = [/\bRefusal::new\(\s*\d+,\s*"([^"]+)"/g, /\b(?:Illegal|SetupError|PlayerError)::new\(\s*"([^"]+)"/g, /\bRecordError::new\([^,"]*,\s*"([^"]+)"/g, /\b(?:bad|refusal)\("([^"]+)",/g, /\bcode: "([^"]+)"\.to_owned/g];
const all = (text, patterns) => patterns.flatMap((p) => [...text.matchAll(p)].map((m) => m[1]));

/** The codes, and where each is. */
function codes() {
  const found = new Map();
  const add = (code, path) => { if (!NEVER.has(code)) found.set(code, path); };
  for (const f of [...TABLE, ...OTHERS, ...GAMES]) for (const code of all(f.text, CALLS)) add(code, f.path);
  for (const path of ENUMS) {
    const body = /fn code\(&?self\) -> &'static str \{([\s\S]*?)\n    \}/.exec(readFileSync(join(CRATES, path), 'utf8'));
    assert.ok(body, `${path} has no function for its codes`);
    for (const code of all(body[1], [/"([^"]+)"/g])) add(code, path);
  }
  return found;
}

const texts = Object.fromEntries(['en', 'zh-CN'].map((lang) => [lang, JSON.parse(readFileSync(join(WEB, `i18n/${lang}.json`), 'utf8'))]));
const worded = (of, code) => errorKey(code, (key) => key in of) !== null;

test('every code of the server has words in both languages', () => {
  const found = codes();
  for (const known of ['stale', 'cid.reused', 'game.gone', 'scoring.open', 'busy.address', 'store.full', 'spec.bad_value', 'record.line', 'sgf_no_tree', 'go.occupied', 'paodekuai.must_beat', 'player.only', 'hello', 'invite.unknown']) {
    assert.ok(found.has(known), `${known} was not found: the sources are written in another way now`);
  }
  const missing = Object.entries(texts).flatMap(([lang, of]) => [...found].filter(([code]) => !worded(of, code)).map(([code, path]) => `${lang}: ${code} (${path})`));
  assert.deepEqual(missing, []);
});

test('the codes of rules that stand elsewhere in a game have words too', () => {
  // Such as `go.ko`, which is chosen before the error is made. A code of a reason has its words as a reason.
  for (const f of GAMES) {
    for (const [, code] of f.text.matchAll(/"((?:go|paodekuai|tictactoe|kuhn|countdown)\.[a-z_]+)"/g)) {
      for (const of of Object.values(texts)) assert.ok(worded(of, code) || Object.keys(of).some((k) => k.startsWith(`reason.${code}`)), `${code} (${f.path})`);
    }
  }
});

test('no refusal of the server gets its code where it cannot be read from the source', () => {
  for (const f of TABLE) {
    for (const [call] of f.text.matchAll(/\bRefusal::new\([^;]{0,60}/g)) {
      if (/fn new|^Refusal::new\(\s*\d+,\s*"/.test(call)) continue;
      // Passed on from an error whose codes are among those above.
      assert.match(call, /^Refusal::new\((\d+|e\.status\(\)|status), e\.code/, f.path);
    }
  }
});

test('the codes that the protocol is told by have words', () => {
  const doc = readFileSync(join(CRATES, '../docs/table-protocol.md'), 'utf8');
  const listed = [...(/The codes: ([\s\S]*?)\n\n/.exec(doc)?.[1] ?? '').matchAll(/`([a-z_.]+)`/g)].map((m) => m[1]).filter((c) => c !== 'retry_after');
  assert.ok(listed.length > 15);
  for (const code of [...listed, 'close.4001', 'close.4004', 'close.4010']) for (const [lang, of] of Object.entries(texts)) assert.ok(worded(of, code), `${lang}: ${code}`);
});
