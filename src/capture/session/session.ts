import { randomBytes } from 'node:crypto';
import type { HeaderList, RequestMessage } from '../../model/exchange.ts';
import { isBelow } from './cookie.ts';
import { type DigestChallenge, type DigestUser, digestAnswer, digestChallenge } from './digest-access.ts';
import { openRedactor, type Redactor } from './redact.ts';
import { type SessionState, type SessionVisitor, Visitors, type VisitorsOptions } from './visitors.ts';

/** A supplied header field, and where it may be sent. */
export interface SuppliedHeader {
  readonly name: string;
  readonly value: string;
  readonly to: HostScope;
}

/** A user name and password, for servers that ask for them by Digest. */
export interface SuppliedLogin extends DigestUser {
  readonly to: HostScope;
}

/** A host, and those below it. */
export interface HostScope {
  readonly host: string;
  /** '' for the scheme's default. */
  readonly port: string;
  /** Also without TLS: anyone on the way could read it. */
  readonly plain: boolean;
}

export interface SessionOptions extends Pick<VisitorsOptions, 'mode' | 'before'> {
  readonly supplied: SessionState;
  readonly headers: readonly SuppliedHeader[];
  readonly logins?: readonly SuppliedLogin[];
  /** Somebody may be logged in: nothing that grants access is stored. */
  readonly isPrivate: boolean;
}

/** What the HTTP fetcher and the browser share in one crawl: who visits, with what, and what is kept out of the records. */
export class Session {
  readonly visitors: Visitors;
  readonly redactor: Redactor | undefined;
  readonly #headers: readonly SuppliedHeader[];
  readonly #logins: readonly SuppliedLogin[];
  /** Challenges of servers, by origin, and how often each was answered. */
  readonly #challenges = new Map<string, { readonly asked: DigestChallenge; count: number }>();
  /** Which visitor made a request, for the browser that is given its answer. */
  readonly #made = new WeakMap<RequestMessage, SessionVisitor>();

  constructor({ mode, before, supplied, headers, logins = [], isPrivate }: SessionOptions) {
    this.visitors = new Visitors({ mode, supplied, ...(before && { before }) });
    this.#headers = headers;
    this.#logins = logins;
    const secrets = [
      ...headers.flatMap(({ value }) => [value, value.replace(/^\w+ /, '')]),
      ...logins.map(({ password }) => password),
      ...supplied.cookies.map(({ value }) => value),
      ...supplied.storage.flatMap(({ items }) => items.map(([, value]) => value)),
    ];
    this.redactor = isPrivate
      ? openRedactor(
          headers.map(({ name }) => name),
          secrets,
        )
      : undefined;
  }

  /** Whether any request may need fields that the browser does not send by itself. */
  get hasHeaders(): boolean {
    return this.#headers.length + this.#logins.length > 0;
  }

  headersFor(url: URL, method = 'GET'): HeaderList {
    const own = this.#headers.filter(({ to }) => isMeant(to, url));
    const login = this.#loginFor(url, method);
    const others =
      login === undefined ? own : own.filter(({ name }) => name.toLowerCase() !== 'authorization');
    return [
      ...others.map(({ name, value }) => [name, value] as const),
      ...(login === undefined ? [] : [['Authorization', login] as const]),
    ];
  }

  /** For a 401 answer: whether to ask again, now that we know what to answer. */
  learn(url: URL, headers: HeaderList): boolean {
    if (!this.#logins.some(({ to }) => isMeant(to, url))) return false;
    const asked = digestChallenge(headers);
    if (!asked) return false;
    // The same nonce again: the password was refused.
    if (this.#challenges.get(url.origin)?.asked.nonce === asked.nonce) return false;
    this.#challenges.set(url.origin, { asked, count: 0 });
    return true;
  }

  #loginFor(url: URL, method: string): string | undefined {
    const challenge = this.#challenges.get(url.origin);
    const login = challenge && this.#logins.find(({ to }) => isMeant(to, url));
    if (!login) return undefined;
    const count = ++challenge.count;
    const clientNonce = randomBytes(16).toString('hex');
    return digestAnswer(challenge.asked, login, {
      method,
      uri: url.pathname + url.search,
      count,
      clientNonce,
    });
  }

  made(request: RequestMessage, by: SessionVisitor): void {
    this.#made.set(request, by);
  }

  /** The visitor that fetched the document given to the browser; otherwise the one for this URL. */
  visitorFor(url: URL, document: RequestMessage | undefined): SessionVisitor {
    return (document && this.#made.get(document)) ?? this.visitors.of(url);
  }
}

function isMeant({ host, port, plain }: HostScope, url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'wss:' && !plain) return false;
  return url.port === port && (url.hostname === host || isBelow(url.hostname, host));
}
