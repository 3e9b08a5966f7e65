/**
 * Matching of RFC 9309 §2.2.2-2.2.3: paths are compared as octets, escapes of unreserved characters undone,
 * everything outside the URL alphabet escaped; `*` matches any run of octets, `$` at the end anchors the end;
 * the match with the most octets wins, Allow wins ties.
 *
 * Time: a pattern is split at its `*` once; the pieces are then found from left to right, each at its first
 * position. No backtracking, so no pattern of a hostile site takes longer than path × pieces.
 */
import { hexPair } from '../scope/normalise.ts';

export interface Rule {
  readonly allow: boolean;
  /** As written, for messages. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** Octets of the pattern: the rule's precedence. */
  readonly length: number;
  readonly pieces: readonly string[];
  readonly anchored: boolean;
}

const ESCAPE = 0;
const KEEP = 1;
/** The characters of RFC 3986, reserved and unreserved, except `*` and `$`, which are special here. */
const ALPHABET = new Uint8Array(256);
for (const c of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!&'()+,;=%")
  ALPHABET[c.charCodeAt(0)] = KEEP;
const UNRESERVED = new Uint8Array(256);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~')
  UNRESERVED[c.charCodeAt(0)] = KEEP;

const HEX = '0123456789ABCDEF';

/** `octets` is a string of one character per byte (latin1). */
export function normaliseOctets(octets: string): string {
  let out = '';
  let copied = 0;
  for (let i = 0; i < octets.length; i++) {
    const code = octets.charCodeAt(i) & 255;
    if (ALPHABET[code] === ESCAPE) {
      out += `${octets.slice(copied, i)}%${HEX[code >> 4]}${HEX[code & 15]}`;
      copied = i + 1;
    } else if (code === 37) {
      const escaped = hexPair(octets, i + 1);
      if (escaped < 0) continue;
      out += octets.slice(copied, i);
      out +=
        UNRESERVED[escaped] === KEEP ? String.fromCharCode(escaped) : octets.slice(i, i + 3).toUpperCase();
      i += 2;
      copied = i + 1;
    }
  }
  return copied === 0 ? octets : out + octets.slice(copied);
}

/** @param value as in the file, one character per byte, trimmed; not empty */
export function compileRule(value: string, allow: boolean, line: number): Rule {
  let path = value;
  // Some write whole URLs: either the host is this one or the rule is void, so the path is what counts.
  const scheme = /^https?:\/\/[^/]*/i.exec(path);
  if (scheme) path = path.slice(scheme[0].length) || '/';
  // The RFC's paths begin with '/', but its own example has '*.gif$'. `Disallow: private/` means '/private/'.
  if (!path.startsWith('/') && !path.startsWith('*')) path = `/${path}`;
  const anchored = path.endsWith('$');
  if (anchored) path = path.slice(0, -1);
  const pieces = path.split('*').map(normaliseOctets);
  const length = pieces.reduce((sum, piece) => sum + piece.length, pieces.length - 1 + (anchored ? 1 : 0));
  const text = `${allow ? 'Allow' : 'Disallow'}: ${Buffer.from(value, 'latin1').toString('utf8')}`;
  return { allow, text, line, length, pieces, anchored };
}

/** Octets of the path that the rule matches; -1 if it does not match. */
function octetsMatched(rule: Rule, path: string): number {
  const pieces = rule.pieces;
  const first = pieces[0] ?? '';
  if (!path.startsWith(first)) return -1;
  const last = pieces.length - 1;
  let at = first.length;
  if (last === 0) return rule.anchored && at !== path.length ? -1 : rule.length;
  for (let i = 1; i < last; i++) {
    const piece = pieces[i] ?? '';
    const found = path.indexOf(piece, at);
    if (found < 0) return -1;
    at = found + piece.length;
  }
  const end = pieces[last] ?? '';
  if (rule.anchored) return path.length - end.length >= at && path.endsWith(end) ? rule.length : -1;
  // A trailing '*' with nothing left to match matches no octet: 'Disallow: /*' does not beat 'Allow: /' on
  // '/' itself. crawler-commons reads "most octets" this way; Google counts the pattern.
  if (end === '') return at === path.length ? rule.length - 1 : rule.length;
  return path.indexOf(end, at) < 0 ? -1 : rule.length;
}

/** Longest first, Allow before Disallow: the order `decisiveRule` requires. */
export function byPrecedence(a: Rule, b: Rule): number {
  return b.length - a.length || Number(b.allow) - Number(a.allow) || a.line - b.line;
}

/** @param path path and query, normalised */
export function decisiveRule(rules: readonly Rule[], path: string): Rule | undefined {
  let best: Rule | undefined;
  let most = -1;
  for (const rule of rules) {
    if (rule.length < most) break;
    const octets = octetsMatched(rule, path);
    if (octets > most || (octets === most && octets >= 0 && rule.allow && best?.allow === false)) {
      best = rule;
      most = octets;
    }
  }
  return best;
}
