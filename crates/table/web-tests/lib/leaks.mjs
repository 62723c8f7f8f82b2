// What a browser is sent on its way to the page, and whether it says more than that browser may know.

/**
 * Lets all that a page hears and says pass through here. `doctor` may change what it hears, to plant a leak: what is kept is what
 * the page was given, so that the checker below sees a planted leak by the same path as a true one.
 */
export async function tap(page, doctor = (text) => text) {
  const heard = { frames: [], doctor, send: () => {} };
  await page.routeWebSocket(/\/ws$/, (ws) => {
    const server = ws.connectToServer();
    server.onMessage((text) => {
      const passed = heard.doctor(String(text));
      heard.frames.push(passed);
      ws.send(passed);
    });
    ws.onMessage((text) => server.send(text));
    heard.send = (message) => server.send(JSON.stringify(message));
  });
  return heard;
}

/** The last state a page was told. */
export const lastState = (heard) => JSON.parse(heard.frames.findLast((f) => f.includes('"type":"state"')) ?? 'null');

/** Every value under a key, however deep. */
function* under(value, key) {
  if (value === null || typeof value !== 'object') return;
  for (const [k, v] of Object.entries(value)) {
    if (k === key) yield v;
    yield* under(v, key);
  }
}
const told = (value) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/** What the view of one seat shows of the others' cards. */
const HIDDEN = {
  go: () => [],
  kuhn: (view, seat) => view.cards.filter((card, i) => i !== seat && card !== null && card !== 0),
  paodekuai: (view, seat) => view.hands.filter((hand, i) => i !== seat && !/^(\?\d+)?$/.test(hand)),
};

/**
 * What was told too much before the end of a game, each as a short sentence.
 * @param {string[]} frames what the browser was sent
 * @param {{ game: string, seat: number | null, secrets: string[] }} who `seat` is null for a spectator; `secrets` are tokens of others
 */
export function leaks(frames, { game, seat, secrets }) {
  const over = frames.findIndex((f) => f.includes('"phase":"over"'));
  const found = [];
  for (const text of over < 0 ? frames : frames.slice(0, over)) {
    const m = JSON.parse(text);
    const say = (what) => found.push(`${m.type}: ${what}`);
    for (const secret of secrets) if (text.includes(secret)) say('a token of somebody else');
    for (const key of ['seed', 'seed_salt', 'token', 'tokens']) for (const value of under(m, key)) if (told(value)) say(`the ${key}`);
    if (m.type === 'state' && m.turn !== seat) for (const legal of under(m, 'legal')) if (told(legal)) say('legal moves of another seat');
    if (seat === null || (m.seat !== undefined && m.seat !== seat)) for (const list of under(m, 'candidates')) if (told(list)) say('candidates of another seat');
    if (m.type === 'thinking' && Object.keys(m).some((k) => !['type', 'seat', 'ms', 'queued'].includes(k))) say('more than the time a computer thinks');
    if (m.type === 'state' && m.view_of !== null && m.view_of !== seat) say('the view of another seat');
    if (m.type === 'state' && HIDDEN[game](m.view, seat).length) say('hidden cards');
    for (const action of under(m, 'action')) {
      // A seat may see its own part of a deal; the others' are masked.
      const parts = /^deal (.*)$/.exec(String(action))?.[1].split(game === 'kuhn' ? ',' : '/') ?? [];
      if (parts.some((part, i) => i !== seat && !/^(\?\d*)?$/.test(part))) say('the deal');
    }
  }
  return found;
}
