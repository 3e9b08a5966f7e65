import type { Millis } from '../model/time.ts';

/**
 * Replay URLs, as every tool of the field spells them: `/<collection>/<timestamp><modifier>/<url>`.
 * The timestamp has up to 14 digits (YYYYMMDDhhmmss), or 17 with milliseconds: our captures may lie closer
 * together than a second. A shorter one means the start of its period; none, or `2*`-like wildcards, differ:
 * no timestamp asks for the newest capture, `*` for the list of captures.
 */
export type ReplayAddress =
  | {
      readonly kind: 'capture';
      readonly collection: string;
      /** LATEST when the address names no time. */
      readonly at: Millis;
      readonly modifier: ReplayModifier | undefined;
      readonly url: string;
    }
  | { readonly kind: 'list'; readonly collection: string; readonly url: string };

/** What each modifier asks for. Only `id_` changes what this server sends; the rest are wabac's to rewrite. */
const REPLAY_MODIFIERS = {
  id_: 'as archived, nothing rewritten',
  mp_: 'main page',
  if_: 'page in an iframe',
  fr_: 'page in a frame',
  im_: 'image',
  cs_: 'style sheet',
  js_: 'script',
  oe_: 'object or embed',
  esm_: 'script module',
  wkr_: 'worker',
  wkrf_: 'worker, fetched as it is',
  wkrm_: 'module worker',
  ln_: 'link',
  mt_: 'manifest',
  dl_: 'download',
} as const;

export type ReplayModifier = keyof typeof REPLAY_MODIFIERS;

/** 9999-12-31T23:59:59.999Z: later than any capture, so the closest one is the newest. */
export const LATEST: Millis = 253_402_300_799_999;

const ADDRESS = /^\/([^/]+)\/(?:(\*)|(\d{0,17})([a-z]{2,4}_)?)\/(.+)$/s;
const TIMELESS = /^\/([^/]+)\/(https?:\/.+)$/is;

/** Undefined when the path is no replay address. The query string, where there is one, belongs to the URL. */
export function parseReplayUrl(path: string): ReplayAddress | undefined {
  const timeless = TIMELESS.exec(path);
  if (timeless) {
    const [, collection = '', url = ''] = timeless;
    return { kind: 'capture', collection, at: LATEST, modifier: undefined, url: withScheme(url) };
  }
  const match = ADDRESS.exec(path);
  if (!match) return undefined;
  const [, collection = '', star, digits = '', modifier, rest = ''] = match;
  const url = withScheme(rest);
  if (star) return { kind: 'list', collection, url };
  if (modifier !== undefined && !isModifier(modifier)) return undefined;
  // Without digits or modifier the path is `/x//y`: not an address anybody writes.
  if (digits === '' && modifier === undefined) return undefined;
  return { kind: 'capture', collection, at: parseTimestamp(digits) ?? LATEST, modifier, url };
}

function isModifier(text: string): text is ReplayModifier {
  return Object.hasOwn(REPLAY_MODIFIERS, text);
}

/** Proxies fold `http://` in a path into `http:/`; people leave the scheme out. */
export function withScheme(url: string): string {
  const folded = /^(https?:)\/(?!\/)(.*)$/is.exec(url);
  if (folded) return `${folded[1]}//${folded[2]}`;
  return /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[^/]+:\d/.test(url) ? url : `http://${url}`;
}

/** The start of the period that 1 to 17 digits name; undefined for none. Out-of-range parts are clamped. */
export function parseTimestamp(digits: string): Millis | undefined {
  if (!/^\d{1,17}$/.test(digits)) return undefined;
  const part = (from: number, to: number, least: number, most: number): number => {
    const text = digits.slice(from, to);
    if (text === '') return least;
    // A cut part is filled on the right: `20241` is October to December, so it starts in October.
    const value = Number(text.padEnd(to - from, '0'));
    return Math.min(Math.max(value, least), most);
  };
  const year = part(0, 4, 1000, 9999);
  const month = part(4, 6, 1, 12);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Date.UTC(
    year,
    month - 1,
    part(6, 8, 1, lastDay),
    part(8, 10, 0, 23),
    part(10, 12, 0, 59),
    part(12, 14, 0, 59),
    part(14, 17, 0, 999),
  );
}

/** 17 digits, or 14 when the time falls on a whole second: other tools read those. */
export function formatTimestamp(at: Millis): string {
  const digits = new Date(at).toISOString().replace(/\D/g, '');
  return digits.endsWith('000') ? digits.slice(0, 14) : digits;
}
