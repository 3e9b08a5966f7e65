/**
 * The Chrome DevTools Protocol over a pair of pipes (`--remote-debugging-pipe`): JSON messages, each ended by
 * a zero byte. Pipes instead of a WebSocket: no open port that a page could reach, and Chromium exits by
 * itself when our end closes, so that even `kill -9` of this process leaves no browser behind.
 *
 * Own code instead of playwright's `CDPSession`, because that cannot address the flattened child sessions of
 * iframes and workers: see decisions/0008. Playwright's public types still describe the protocol.
 */
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from 'playwright-core';

declare const typed: CDPSession;
/** The names of all events, taken from the first overload of `on`. */
type EventName = typeof typed.on extends {
  (event: infer First, listener: never): unknown;
  (event: infer _Second, listener: never): unknown;
  (event: infer _Third, listener: never): unknown;
}
  ? Extract<First, string>
  : never;
export type CdpEvent<T extends EventName> = Parameters<Parameters<typeof typed.on<T>>[1]>[0];

/** The browser closed the pipe, or was killed: nothing more will be answered. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
}

/** The session's target (tab, iframe, worker) no longer exists. */
export class TargetGone extends Error {
  override readonly name = 'TargetGone';
}

/** The browser answered a command with an error. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
}

export interface CdpSession {
  readonly id: string | undefined;
  readonly send: CDPSession['send'];
  /** One listener per event; a later one replaces it. */
  on<T extends EventName>(event: T, listener: (payload: CdpEvent<T>) => void): void;
  /** Runs once when the target or the browser is gone. */
  onGone(listener: (reason: Error) => void): void;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: string };
}

interface Pending {
  readonly session: Session;
  readonly method: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Against a decompression bomb as one base64 string: beyond this the browser is given up, not Node's heap.
 */
const LONGEST_MESSAGE = 256 * 1024 * 1024;

class Session implements CdpSession {
  readonly id: string | undefined;
  readonly #connection: CdpConnection;
  readonly #listeners = new Map<string, (payload: never) => void>();
  readonly #gone: ((reason: Error) => void)[] = [];
  #reason: Error | undefined;
  readonly send: CDPSession['send'];

  constructor(connection: CdpConnection, id: string | undefined) {
    this.#connection = connection;
    this.id = id;
    this.send = ((method: string, params?: unknown) =>
      this.#reason ? Promise.reject(this.#reason) : this.#connection.post(this, method, params)) as never;
  }

  on<T extends EventName>(event: T, listener: (payload: CdpEvent<T>) => void): void {
    this.#listeners.set(event, listener as (payload: never) => void);
  }

  onGone(listener: (reason: Error) => void): void {
    if (this.#reason) listener(this.#reason);
    else this.#gone.push(listener);
  }

  dispatch(method: string, params: unknown): void {
    this.#listeners.get(method)?.(params as never);
  }

  end(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    for (const listener of this.#gone) listener(reason);
    this.#listeners.clear();
  }
}

export class CdpConnection {
  readonly browser: CdpSession;
  readonly #root: Session;
  readonly #sessions = new Map<string, Session>();
  readonly #pending = new Map<number, Pending>();
  readonly #out: Writable;
  #nextId = 0;
  #gone: BrowserGone | undefined;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(out: Writable, input: Readable) {
    this.#out = out;
    this.#root = new Session(this, undefined);
    this.browser = this.#root;
    input.on('data', (chunk: Buffer) => this.#receive(chunk));
    input.on('close', () => this.end('the browser closed its pipe'));
    input.on('error', (error) => this.end(`reading from the browser failed: ${error.message}`));
    out.on('error', (error) => this.end(`writing to the browser failed: ${error.message}`));
  }

  /** The session that `Target.attachedToTarget` announced. */
  session(id: string): CdpSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = new Session(this, id);
    this.#sessions.set(id, session);
    if (this.#gone) session.end(this.#gone);
    return session;
  }

  post(session: Session, method: string, params: unknown): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone);
    const id = ++this.#nextId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { session, method, resolve, reject });
      const message = session.id ? { id, sessionId: session.id, method, params } : { id, method, params };
      this.#out.write(`${JSON.stringify(message)}\0`);
    });
  }

  /** Ends every session: called when the pipe ends, and by the code that kills the process. */
  end(detail: string): void {
    if (this.#gone) return;
    this.#gone = new BrowserGone(detail);
    for (const session of this.#sessions.values()) session.end(this.#gone);
    this.#root.end(this.#gone);
    for (const pending of this.#pending.values()) pending.reject(this.#gone);
    this.#pending.clear();
    this.#sessions.clear();
    this.#parts = [];
    this.#out.destroy();
  }

  #receive(chunk: Buffer): void {
    // What a browser being killed still sends is the rest of a message whose start was dropped.
    if (this.#gone) return;
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end);
      start = end + 1;
      if (this.#parts.length === 0) this.#dispatch(last.toString());
      else {
        this.#parts.push(last);
        const text = Buffer.concat(this.#parts, this.#size + last.length).toString();
        this.#parts = [];
        this.#size = 0;
        this.#dispatch(text);
      }
      if (this.#gone) return;
    }
    if (start === chunk.length) return;
    this.#parts.push(start === 0 ? chunk : chunk.subarray(start));
    this.#size += chunk.length - start;
    if (this.#size > LONGEST_MESSAGE) this.end('the browser sent a message beyond all limits');
  }

  #dispatch(text: string): void {
    const message = readMessage(text);
    if (!message) {
      this.end('the browser sent what is no message');
      return;
    }
    if (message.id !== undefined) {
      const pending = this.#pending.get(message.id);
      if (!pending) return;
      this.#pending.delete(message.id);
      if (message.error) pending.reject(new CdpError(`${pending.method}: ${message.error.message}`));
      else pending.resolve(message.result);
      return;
    }
    if (message.method === undefined) return;
    if (message.method === 'Target.detachedFromTarget') {
      this.#detach((message.params as { sessionId: string }).sessionId);
    }
    const session = message.sessionId ? this.#sessions.get(message.sessionId) : this.#root;
    session?.dispatch(message.method, message.params);
  }

  #detach(id: string): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    const reason = new TargetGone('the target was closed');
    session.end(reason);
    for (const [key, pending] of this.#pending) {
      if (pending.session !== session) continue;
      this.#pending.delete(key);
      pending.reject(reason);
    }
  }
}

function readMessage(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
