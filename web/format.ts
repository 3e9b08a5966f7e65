import { locale } from './text/locale.ts';

/** Formatters are costly to make, and the language is not known when this file is read. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const date = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale(), options));
const DAY = date({ dateStyle: 'medium' });
const MINUTE = date({ dateStyle: 'medium', timeStyle: 'short' });
const SECOND = date({ dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = date({ timeStyle: 'short' });
const WEEKDAY = date({ weekday: 'short' });
const MONTH = date({ month: 'short' });
const NUMBER = once(() => new Intl.NumberFormat(locale()));
const FEW = once(() => new Intl.NumberFormat(locale(), { maximumSignificantDigits: 2 }));
const PERCENT = once(() => new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }));
const FEW_PERCENT = once(
  () => new Intl.NumberFormat(locale(), { style: 'percent', maximumSignificantDigits: 2 }),
);
const AGO = once(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }));

export const day = (at: number): string => DAY().format(at);
export const minute = (at: number): string => MINUTE().format(at);
export const second = (at: number): string => SECOND().format(at);
export const clock = (at: number): string => CLOCK().format(at);
export const weekday = (at: number): string => WEEKDAY().format(at);
export const month = (at: number): string => MONTH().format(at);
export const utc = (at: number): string => new Date(at).toISOString();
export const number = (value: number): string => NUMBER().format(value);
/** To two digits; what is next to nothing is told as that. */
export const few = (value: number): string =>
  value > 0 && value < LEAST ? `< ${NUMBER().format(LEAST)}` : FEW().format(value);
const LEAST = 0.001;
export const percent = (share: number): string => PERCENT().format(share);
/** What is rare is not told as none: two digits below a tenth. */
export const fewPercent = (share: number): string => (share < 0.1 ? FEW_PERCENT() : PERCENT()).format(share);

const SPANS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `3 hours ago`, `in 2 days`. */
export function ago(at: number, now: number): string {
  const [unit, length] = SPANS.find(([, span]) => Math.abs(at - now) >= span) ?? ['second', 1000];
  return AGO().format(Math.round((at - now) / length), unit);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function bytes(size: number): string {
  let value = size;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A URL without its scheme: what tells pages of one site apart. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

/** The path of a page: what tells it apart where its site is known. */
export function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
}

/** The host of a page: what tells paths of several sites apart. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** Digits as replay's addresses hold them, from a time. */
export function digitsOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').replace(/000$/, '');
}
