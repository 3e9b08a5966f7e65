import { hash } from 'node:crypto';

const SUSPECT = /[\0\ud800-\udfff]/;
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/**
 * Text as both databases can hold it. PostgreSQL takes neither NUL nor half a surrogate pair; each becomes
 * U+FFFD, as in an HTML parser. SQLite would take them: it is held to the same, so that both answer alike.
 */
export function storable(text: string): string {
  return SUSPECT.test(text) ? text.replace(UNSTORABLE, '\ufffd') : text;
}

export const optional = (text: string | undefined): string | null =>
  text === undefined ? null : storable(text);

/**
 * The unique key of a long text: 132 bits of its SHA-256, 22 characters. Indexes hold it in place of URLs:
 * PostgreSQL indexes no text past 2,704 bytes, and a short key keeps the index of a million URLs small.
 * 64 bits were rejected: whoever chooses the URLs could make two collide.
 */
export function keyOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, KEY_LENGTH);
}

const KEY_LENGTH = 22;

/** 96 bits suffice for record ids: who forges two that collide could as well write the same one twice. */
export function recordKeyOf(recordId: string): string {
  return hash('sha256', recordId, 'base64url').slice(0, 16);
}

/** The same hash as numbers, for tables in memory: 106 bits, 53 in each. */
export interface NameHash {
  readonly hi: number;
  readonly lo: number;
}

/** From a key, not from the bytes of the hash: node takes 0.8 µs for the hash as text, 2.7 as a buffer. */
export function hashOfKey(key: string): NameHash {
  return { hi: bits53(key, 0), lo: bits53(key, 9) };
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SIX_BITS = new Uint8Array(128);
for (let value = 0; value < 64; value++) SIX_BITS[BASE64URL.charCodeAt(value)] = value;

/** Eight characters of six bits, and five bits of the ninth. */
function bits53(key: string, from: number): number {
  let value = 0;
  for (let i = from; i < from + 8; i++) value = value * 64 + (SIX_BITS[key.charCodeAt(i)] ?? 0);
  return value * 32 + ((SIX_BITS[key.charCodeAt(from + 8)] ?? 0) >> 1);
}

/** Whole numbers for integer columns: times may come with fractions, waits may be endless. */
export function whole(value: number): number {
  const limit = Number.MAX_SAFE_INTEGER;
  return Math.max(-limit, Math.min(limit, Math.round(value)));
}

/** JSON has no Infinity, and a crawl without a depth limit has depth Infinity. */
export function encodeSpec(spec: unknown): string {
  return JSON.stringify(spec, (_, value: unknown) => {
    if (typeof value === 'string') return storable(value);
    return typeof value === 'number' && !Number.isFinite(value) ? { $number: String(value) } : value;
  });
}

export function decodeSpec(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$number' in value)) return value;
    return Number(value.$number);
  });
}
