import { createHash } from 'node:crypto';
import type { HeaderList } from '../../model/exchange.ts';

/** HTTP Digest authentication, RFC 7616: the password itself is never sent. */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque?: string;
  readonly algorithm: string;
  /** Whether answers are counted and bound to a value of ours; the older form of RFC 2069 does neither. */
  readonly hasQop: boolean;
  readonly userhash: boolean;
}

export interface DigestUser {
  readonly user: string;
  readonly password: string;
}

export interface DigestRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly uri: string;
  /** How often the nonce was used, including this time. */
  readonly count: number;
  readonly clientNonce: string;
}

/** By the name in the challenge, without `-sess`. */
const HASHES: Readonly<Record<string, string>> = {
  md5: 'md5',
  'sha-256': 'sha256',
  'sha-512-256': 'sha512-256',
};

/** The first challenge we can answer: servers list them in order of preference. */
export function digestChallenge(headers: HeaderList): DigestChallenge | undefined {
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'www-authenticate') continue;
    // A field may name several schemes, and commas separate both these and their parameters.
    for (const [, text = ''] of value.matchAll(
      /(?:^|,)\s*digest\s+((?:[^",]|"(?:[^"\\]|\\.)*"|,(?!\s*[\w-]+\s+[\w-]+\s*=))*)/gi,
    )) {
      const found = challengeOf(parameters(text));
      if (found) return found;
    }
  }
  return undefined;
}

function parameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of text.matchAll(
    /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g,
  ))
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  return found;
}

function challengeOf(given: ReadonlyMap<string, string>): DigestChallenge | undefined {
  const [realm, nonce, opaque] = [given.get('realm'), given.get('nonce'), given.get('opaque')];
  const algorithm = given.get('algorithm') ?? 'MD5';
  const qop = given.get('qop');
  if (realm === undefined || nonce === undefined || hashOf(algorithm) === undefined) return undefined;
  // `auth-int` also binds the body of the request; we answer only `auth`.
  if (qop !== undefined && !/(?:^|[\s,])auth(?:$|[\s,])/i.test(qop)) return undefined;
  const userhash = given.get('userhash')?.toLowerCase() === 'true';
  return {
    realm,
    nonce,
    algorithm,
    hasQop: qop !== undefined,
    userhash,
    ...(opaque !== undefined && { opaque }),
  };
}

const hashOf = (algorithm: string): string | undefined =>
  HASHES[algorithm.toLowerCase().replace(/-sess$/, '')];

/** The value of the `Authorization` field. */
export function digestAnswer(
  challenge: DigestChallenge,
  { user, password }: DigestUser,
  { method, uri, count, clientNonce }: DigestRequest,
): string {
  const { realm, nonce, opaque, algorithm, hasQop, userhash } = challenge;
  const hash = (text: string): string =>
    createHash(hashOf(algorithm) ?? 'md5')
      .update(text, 'utf8')
      .digest('hex');
  const first = hash(`${user}:${realm}:${password}`);
  const isSession = /-sess$/i.test(algorithm);
  const own = isSession ? hash(`${first}:${nonce}:${clientNonce}`) : first;
  const times = count.toString(16).padStart(8, '0');
  const bound = hasQop ? `${times}:${clientNonce}:auth:` : '';
  const response = hash(`${own}:${nonce}:${bound}${hash(`${method}:${uri}`)}`);
  const fields = [
    `username=${quoted(userhash ? hash(`${user}:${realm}`) : user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
    ...(hasQop ? [`qop=auth, nc=${times}`] : []),
    ...(hasQop || isSession ? [`cnonce="${clientNonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(userhash ? ['userhash=true'] : []),
  ];
  return `Digest ${fields.join(', ')}`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
