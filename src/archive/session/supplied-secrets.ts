import { type Cookie, parseSetCookie } from '../../capture/session/cookie.ts';
import type { HostScope, SuppliedHeader, SuppliedLogin } from '../../capture/session/session.ts';
import { UserError } from '../user-error.ts';
import { secretTexts } from './secret-text.ts';
import type { SessionSettings } from './session-settings.ts';

type Given = Pick<SessionSettings, 'header' | 'cookie' | 'credentials'>;

/** Supplied headers, and where they go: to the hosts of the seeds, or the named one. */
export function suppliedHeaders(given: Given, seeds: readonly string[]): readonly SuppliedHeader[] {
  const headers = given.header.flatMap((one) =>
    secretTexts(one, '--header').flatMap((text) => header(text, seeds)),
  );
  const credentials = logins(given, seeds).flatMap(({ isDigest, ...login }) =>
    isDigest ? [] : [basic(login)],
  );
  return [...headers, ...credentials];
}

/** Names and passwords, for servers that ask for them by Digest. */
export function suppliedLogins(given: Given, seeds: readonly string[]): readonly SuppliedLogin[] {
  return logins(given, seeds).map(({ isDigest: _, ...login }) => login);
}

type GivenLogin = SuppliedLogin & { readonly isDigest: boolean };

const logins = (given: Given, seeds: readonly string[]): readonly GivenLogin[] =>
  given.credentials.flatMap((one) => secretTexts(one, '--credentials').flatMap((text) => login(text, seeds)));

/** `@host:port rest`, or just rest for the hosts of the seeds. */
function scoped(
  text: string,
  seeds: readonly string[],
  flag: string,
): readonly [string, readonly HostScope[]] {
  const [, named, rest = ''] = /^@(\S*)\s+(.*)$/s.exec(text) ?? [];
  if (named === undefined) return [text, seeds.map(scopeOf)];
  const address = `https://${named}`;
  if (named === '' || !URL.canParse(address) || new URL(address).pathname !== '/' || /[@/?#]/.test(named))
    throw new UserError(`${flag}: '@${named}' names no host; write e.g. '@api.example.org …'`);
  const scope = scopeOf(address);
  // Without TLS only where a seed on that host is http.
  const plain = seeds.map(scopeOf).some((seed) => seed.plain && seed.host === scope.host);
  return [rest, [{ ...scope, plain }]];
}

function scopeOf(url: string): HostScope {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, port, plain: protocol === 'http:' };
}

/** Headers that HTTP itself sets, or that have a flag of their own. */
const NOT_FREE: Readonly<Record<string, string>> = {
  cookie: 'give it by --cookie',
  host: 'it is that of the address',
  'user-agent': 'give it by --user-agent',
  'content-length': 'requests have no body',
  'transfer-encoding': 'requests have no body',
  connection: 'it belongs to the connection',
  'accept-encoding': 'records hold what we can decode',
};

function header(text: string, seeds: readonly string[]): SuppliedHeader[] {
  const [field, scopes] = scoped(text, seeds, '--header');
  const [, name, value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/s.exec(field) ?? [];
  if (name === undefined) throw new UserError("--header: expected 'Name: value'");
  checkValue(value, `--header: ${name}`);
  const why = NOT_FREE[name.toLowerCase()];
  if (why !== undefined) throw new UserError(`--header: ${name} cannot be given here: ${why}`);
  return scopes.map((to) => ({ name, value: value.trim(), to }));
}

/** `user:password`, or `digest user:password` where the password itself must never be sent. */
function login(text: string, seeds: readonly string[]): GivenLogin[] {
  const [given, scopes] = scoped(text, seeds, '--credentials');
  const isDigest = /^digest\s+/i.test(given);
  const pair = given.replace(/^digest\s+/i, '');
  const [, user, password = ''] = /^([^:]+):(.*)$/s.exec(pair) ?? [];
  if (user === undefined)
    throw new UserError("--credentials: expected 'user:password', or 'digest user:password'");
  checkValue(pair, '--credentials');
  return scopes.map((to) => ({ user, password, to, isDigest }));
}

/** Sent without being asked for. */
const basic = ({ user, password, to }: SuppliedLogin): SuppliedHeader => ({
  name: 'Authorization',
  value: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`,
  to,
});

function checkValue(value: string, what: string): void {
  if (/[\p{Cc}]/u.test(value.replaceAll('\t', ' ')))
    throw new UserError(`${what} has a line break or another control character in its value`);
}

const ATTRIBUTES = new Set(['domain', 'path', 'secure', 'httponly', 'samesite', 'expires', 'max-age']);

/** Supplied cookies: for each host of the seeds, or for the domain they name. */
export function suppliedCookies(given: Given, seeds: readonly string[], now: number): readonly Cookie[] {
  return given.cookie.flatMap((one) =>
    secretTexts(one, '--cookie').flatMap((text) => cookie(text, seeds, now)),
  );
}

function cookie(text: string, seeds: readonly string[], now: number): Cookie[] {
  const [, name] = /^([^=;\s]+)=/.exec(text) ?? [];
  if (name === undefined) throw new UserError("--cookie: expected 'name=value'");
  checkValue(text, `--cookie: ${name}`);
  const attributes = text.split(';').slice(1);
  for (const attribute of attributes) {
    const key = attribute.split('=', 1)[0]?.trim() ?? '';
    if (key !== '' && !ATTRIBUTES.has(key.toLowerCase()))
      throw new UserError(
        `--cookie: '${key}' is no attribute of a cookie (${[...ATTRIBUTES].join(', ')}); give each cookie by a --cookie of its own`,
      );
  }
  const domain = attributes
    .map((attribute) => /^\s*domain\s*=\s*\.?(\S+)\s*$/i.exec(attribute)?.[1])
    .find((found) => found !== undefined);
  const places = domain === undefined ? seeds : [`https://${domain}/`];
  const cookies = places.flatMap((place) => {
    if (!URL.canParse(place)) return [];
    const { protocol, host } = new URL(place);
    const at = new URL(`${protocol}//${host}/`);
    const parsed = parseSetCookie(text, at, now);
    // What is given for an https seed must not be readable on the way to http.
    const plain = seeds.some((seed) => new URL(seed).protocol === 'http:' && reaches(new URL(seed), parsed));
    return parsed ? [{ ...parsed, secure: parsed.secure || !plain }] : [];
  });
  if (cookies.length === 0) throw new UserError(`--cookie: ${name}: a browser would not take it so`);
  return cookies;
}

const reaches = ({ hostname }: URL, cookie: Cookie | undefined): boolean =>
  cookie !== undefined && (hostname === cookie.domain || hostname.endsWith(`.${cookie.domain}`));
