// The real server on a free port with a data folder of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BINARY = process.env.KIEBITZ ?? fileURLToPath(new URL('../../../../target/release/kiebitz', import.meta.url));

/** `KIEBITZ_PAGE` serves the page from a folder, so that a change of it needs no new binary. */
export const PAGE = process.env.KIEBITZ_PAGE ? ['--dev', process.env.KIEBITZ_PAGE] : [];

export const freePort = () => new Promise((done) => {
  const probe = createServer();
  probe.listen(0, '127.0.0.1', () => { const { port } = probe.address(); probe.close(() => done(port)); });
});

/** Starts the server; resolves when it answers. */
export async function startServer({ port, data, args = [] } = {}) {
  const at = port ?? (await freePort());
  const folder = data ?? mkdtempSync(join(tmpdir(), 'kiebitz-web-'));
  const child = spawn(BINARY, ['serve', '--addr', `127.0.0.1:${at}`, '--data', folder, ...PAGE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (d) => { said += d; });
  child.stderr.on('data', (d) => { said += d; });
  const base = `http://127.0.0.1:${at}`;
  for (let i = 0; ; i++) {
    if (child.exitCode !== null || i > 1200) throw new Error(`the server did not start: ${said}`);
    try { if ((await fetch(`${base}/healthz`)).ok) break; } catch { /* not yet */ }
    await new Promise((r) => setTimeout(r, 50));
  }
  const ended = new Promise((done) => child.once('exit', done));
  const key = () => /#\/owner\/([\w-]+)/.exec(said)?.[1] ?? null;
  for (let i = 0; i < 600 && !key(); i++) await new Promise((r) => setTimeout(r, 50));
  return {
    base, port: at, data: folder, said: () => said, key: key(), pid: child.pid,
    kill: async (signal = 'SIGKILL') => { child.kill(signal); await ended; },
    end: async () => { child.kill('SIGTERM'); await ended; if (!data) rmSync(folder, { recursive: true, force: true }); },
  };
}

/** Asks the server as the owner. */
export async function ask(server, method, path, body) {
  const answer = await fetch(server.base + path, { method, headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}` }, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

export const HERE = { kind: 'here', name: '' };
export const level = (n) => ({ kind: 'computer', player: `best:level=${n}` });

/** What the page keeps of a game, for a window that starts inside it. */
export const storageOf = (server, games) => ({
  'kiebitz.owner': JSON.stringify(server.key),
  'kiebitz.tokens': JSON.stringify(Object.fromEntries(games.map((g) => [g.id, { seats: g.tokens, watch: g.watch }]))),
});
