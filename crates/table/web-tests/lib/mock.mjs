// Answers in place of the server, inside the browser.
import * as fx from './fixtures.mjs';

const json = (route, body, status = 200) => route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });

/** Lets a page speak with made-up answers; `state` may be changed before. Resolves to what it sent. */
export async function mock(page, { state = fx.state, welcome = fx.welcome, games = fx.games, info = fx.info, onMessage = () => false } = {}) {
  const sent = [];
  const sockets = [];
  await page.route('**/api/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === '/api/info') return json(route, info);
    if (path === '/api/games' && route.request().method() === 'POST') return json(route, { id: 'mock', tokens: [{ seat: 0, token: 't' }], invites: [], watch: 'w', warnings: [] }, 201);
    if (path === '/api/games' || path === '/api/mine') return json(route, { games });
    if (path === '/api/defaults') return json(route, { view: { ...fx.view, board: [] }, max_handicap: 9 });
    if (path.endsWith('/positions')) return json(route, fx.positions());
    if (path.endsWith('/review')) return json(route, fx.review());
    if (path.endsWith('/analyse')) return json(route, { view: { ...fx.view }, turn: 1, legal: fx.state.legal, visits: 400, candidates: fx.candidates, details: fx.hint(0).details });
    return json(route, { code: 'mock', message: `no answer for ${path}` }, 404);
  });
  await page.routeWebSocket('**/ws', (ws) => {
    sockets.push(ws);
    ws.onMessage((text) => {
      const m = JSON.parse(text);
      sent.push(m);
      const say = (o) => ws.send(JSON.stringify(o));
      if (onMessage(m, say)) return;
      if (m.type === 'hello') { say(welcome); say(state); }
      if (m.type === 'hint') say(fx.hint(m.id, state.v));
      if (m.type === 'ping') say({ type: 'pong', n: m.n });
      if (m.type === 'what_if') say({ type: 'what_if', id: m.id, v: state.v, queued: null, action: m.action, loss: { mean: 4, error: 1.1 }, loss_in_points: true, mistake: true, best: 'F11', pv: [m.action, 'F11'], done: true });
    });
  });
  return { sent, sockets };
}
