// @ts-check
/** The live table: one WebSocket, the state it last told, and the person's own moves on their way. */
import { Store, attempt, holds, keepTokens, tokensOf } from './store.js';

/** @typedef {import('../types').TableState} TableState */
/** @typedef {import('../types').ServerMessage} ServerMessage */
/** @typedef {Extract<ServerMessage, { type: 'hint' }>} HintMessage */
/** @typedef {Extract<ServerMessage, { type: 'what_if' }>} WhatIfMessage */

/** A ping goes out this often; nothing heard for `SILENCE` means the connection is lost. */
const PING = 3000;
const SILENCE = 7500;
/** Longest pause between two tries: the first minutes a short one, so that the table is back soon after the server. */
const PAUSE = 2400;
const LONG_PAUSE = 8000;

/**
 * @typedef {object} Live
 * @property {'connecting' | 'open' | 'lost' | 'closed'} conn
 * @property {number} retryAt when the next try is made
 * @property {Extract<ServerMessage, { type: 'welcome' }> | null} welcome
 * @property {TableState | null} state
 * @property {{ seat: number, ms: number, queued: number | null, at: number } | null} thinking
 * @property {HintMessage | null} hint
 * @property {WhatIfMessage | null} whatIf
 * @property {{ cid: string, action: string, seat: number, v: number, at: number, refused: boolean } | null} pending
 * @property {{ code: string, message: string, n: number } | null} error
 * @property {string | null} next the id of the rematch
 * @property {number} spectators
 * @property {number} heard when the present `state` came
 * @property {number} reviewed counts what a running review told
 * @property {string | null} bye
 */

export class Table {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {Store<Live>} */
    this.store = new Store(/** @type {Live} */ ({
      conn: 'connecting', retryAt: 0, welcome: null, state: null, thinking: null, hint: null, whatIf: null, pending: null,
      error: null, next: null, spectators: 0, heard: 0, reviewed: 0, bye: null,
    }));
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tries = 0;
    this.lostAt = 0;
    this.last = 0;
    this.number = 0;
    this.asked = 0;
    this.fresh = false;
    this.errors = 0;
    this.timer = 0;
    /** @type {(message: ServerMessage) => void} */
    this.onMessage = () => {};
    this.wake = () => { if (document.visibilityState === 'visible' && this.store.value.conn !== 'open') this.connect(); };
    document.addEventListener('visibilitychange', this.wake);
    addEventListener('online', this.wake);
    this.beat = setInterval(() => this.heartbeat(), 1000);
    this.connect();
  }

  close() {
    document.removeEventListener('visibilitychange', this.wake);
    removeEventListener('online', this.wake);
    clearInterval(this.beat);
    clearTimeout(this.timer);
    this.store.set({ conn: 'closed' });
    this.drop(true);
  }

  /** Gives the connection up. Who leaves waits until it stands: browsers complain of one that is closed before. */
  drop(left = false) {
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      if (left && !socket.readyState) socket.onopen = () => socket.close(); else socket.close();
    }
  }

  connect() {
    if (this.store.value.conn === 'closed') return;
    clearTimeout(this.timer);
    this.drop();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    this.last = Date.now();
    socket.onopen = () => { this.last = Date.now(); this.raw({ type: 'hello', game: this.id, tokens: tokensOf(this.id) }); };
    socket.onmessage = (event) => { this.last = Date.now(); this.take(JSON.parse(event.data)); };
    socket.onclose = (event) => {
      // 4001, 4004, 4010: this browser has no business here, trying again cannot help.
      if (event.code < 4000) { this.lose(); return; }
      this.drop();
      this.store.set({ conn: 'closed', error: this.store.value.error ?? { code: `close.${event.code}`, message: '', n: ++this.errors } });
    };
    socket.onerror = () => this.lose();
  }

  lose() {
    if (!this.socket && this.store.value.conn === 'lost') return;
    this.drop();
    const now = Date.now();
    if (this.store.value.conn === 'closed') return;
    if (this.store.value.conn !== 'lost') this.lostAt = now;
    const most = now - this.lostAt > 300000 ? LONG_PAUSE : PAUSE;
    const pause = Math.min(most, 100 * 2 ** this.tries) * (0.5 + Math.random() / 2);
    this.tries = Math.min(this.tries + 1, 10);
    this.store.set({ conn: 'lost', retryAt: now + pause, thinking: null });
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.connect(), pause);
  }

  heartbeat() {
    const silent = Date.now() - this.last;
    if (!this.socket) return;
    if (silent > SILENCE) this.lose();
    else if (silent > PING && this.socket.readyState === WebSocket.OPEN) this.raw({ type: 'ping', n: ++this.number });
  }

  /** @param {import('../types').ClientMessage} message */
  raw(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** @param {ServerMessage} m */
  take(m) {
    const set = (/** @type {Partial<Live>} */ c) => this.store.set(c);
    const now = this.store.value;
    switch (m.type) {
      case 'welcome':
        this.tries = 0;
        this.fresh = true;
        set({ welcome: m, conn: 'open' });
        break;
      case 'state': {
        const { type: _, ...state } = m;
        const moved = now.state?.v !== state.v;
        const pending = now.pending && state.v > now.pending.v ? null : now.pending;
        set({
          state, conn: 'open', heard: Date.now(), pending, error: moved ? null : now.error,
          ...(moved ? { hint: null, whatIf: null, thinking: null } : {}),
        });
        // After a lost connection the move may never have arrived; its name makes a second one harmless.
        if (this.fresh && pending && !pending.refused) this.raw({ type: 'play', v: state.v, cid: pending.cid, action: pending.action, seat: pending.seat });
        this.fresh = false;
        break;
      }
      case 'ack':
        break;
      case 'error':
        this.refused(m);
        break;
      case 'thinking':
        set({ thinking: { seat: m.seat, ms: m.ms, queued: m.queued ?? null, at: Date.now() } });
        break;
      case 'hint':
        if (m.v === now.state?.v) set({ hint: merge(now.hint, m) });
        break;
      case 'what_if':
        if (m.v === now.state?.v && m.id === this.asked) set({ whatIf: m });
        break;
      case 'presence':
        if (now.state) set({ state: { ...now.state, seats: m.seats }, spectators: m.spectators });
        break;
      case 'rematch':
        // Who comes back to a finished game to look at it stays there, unless its rematch is news.
        if (!holds(m.id)) set({ next: m.id });
        keepTokens(m.id, { seats: m.tokens, watch: m.watch });
        break;
      case 'review':
        set({ reviewed: now.reviewed + 1 });
        break;
      case 'bye':
        set({ bye: m.code });
        break;
      default:
    }
    this.onMessage(m);
  }

  /** @param {Extract<ServerMessage, { type: 'error' }>} m */
  refused(m) {
    const { pending } = this.store.value;
    // An older state is told with the next message: the move is tried again there, by `state` above.
    if (m.code === 'stale' && pending && m.cid === pending.cid) return;
    const mine = pending && m.cid === pending.cid;
    this.store.set({ error: { code: m.code, message: m.message, n: ++this.errors }, pending: mine ? { ...pending, refused: true } : pending });
    if (mine) setTimeout(() => { if (this.store.value.pending?.cid === m.cid) this.store.set({ pending: null }); }, 260);
  }

  /** @param {string} action @param {number} seat */
  play(action, seat) {
    const { state, pending } = this.store.value;
    if (!state || (pending && !pending.refused)) return;
    const cid = attempt();
    this.store.set({ pending: { cid, action, seat, v: state.v, at: Date.now(), refused: false }, error: null, hint: null, whatIf: null });
    this.raw({ type: 'play', v: state.v, cid, action, seat });
  }

  /**
   * Sends a request that carries the version seen; without effect while the connection is lost.
   * @param {string} type
   * @param {Record<string, any>} [more]
   */
  ask(type, more = {}) {
    const { state } = this.store.value;
    if (!state) return;
    if (!this.raw(/** @type {any} */ ({ type, v: state.v, ...more }))) return;
    this.store.set({ error: null });
  }

  /** A request that changes the game. @param {string} type @param {Record<string, any>} [more] */
  act(type, more = {}) { this.ask(type, { cid: attempt(), ...more }); }

  hint() {
    const { hint, state } = this.store.value;
    if (hint && state && hint.v === state.v) return;
    this.ask('hint', { id: ++this.number });
  }

  /** @param {string} action */
  whatIf(action) {
    if (this.asked) this.raw({ type: 'stop', id: this.asked });
    this.asked = ++this.number;
    this.store.set({ whatIf: null });
    this.ask('what_if', { id: this.asked, action });
  }

  stopWhatIf() {
    if (this.asked) this.raw({ type: 'stop', id: this.asked });
    this.asked = 0;
    this.store.set({ whatIf: null });
  }
}

/** Later reports of a hint may leave out what an earlier one had. @param {HintMessage | null} a @param {HintMessage} b @returns {HintMessage} */
function merge(a, b) {
  if (!a || a.id !== b.id) return b;
  return { ...b, area: b.area ?? a.area, candidates: b.candidates.length ? b.candidates : a.candidates, details: Object.keys(b.details).length ? b.details : a.details };
}
