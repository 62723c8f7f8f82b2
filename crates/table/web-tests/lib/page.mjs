// A small server for the page's files, with the policy of the real one, and answers made up for states that are hard to reach.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
export const POLICY = "default-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml' };

/** Serves the files of the page; resolves to the address. */
export async function serveFiles() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(/^([/\\])+/, '') || 'index.html';
    try {
      const body = await readFile(join(WEB, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-security-policy': POLICY });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { base: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }) };
}

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** A browser window of its own, and what went wrong in it. */
export async function open(browser, { width = 1280, height = 800, lang = 'en', theme = 'light', touch = false, storage = {} } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, locale: lang, colorScheme: theme, hasTouch: touch, isMobile: touch, deviceScaleFactor: touch ? 2 : 1, acceptDownloads: true });
  await context.addInitScript((values) => {
    for (const [key, value] of Object.entries(values)) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    window.policyBreaches = [];
    document.addEventListener('securitypolicyviolation', (e) => window.policyBreaches.push(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));
    window.shift = 0;
    new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shift += e.value; }).observe({ type: 'layout-shift', buffered: true });
  }, storage);
  const page = await context.newPage();
  const errors = [];
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') errors.push(`${m.text()} (${m.location().url})`); });
  page.on('pageerror', (e) => errors.push(String(e.stack ?? e)));
  return { context, page, errors };
}
