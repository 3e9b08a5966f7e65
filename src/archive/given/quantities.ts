import { UserError } from '../user-error.ts';

/** Durations and sizes as people write them: `90`, `90s`, `5m`, `2h`, `1d`; `500`, `20MB`, `1.5GiB`. */

const DURATIONS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const SIZES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

function parse(text: string, units: Readonly<Record<string, number>>, bare: string, what: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = units[(match?.[2] || bare).toLowerCase()];
  if (!match || unit === undefined) {
    throw new UserError(
      `'${text}' is not a ${what}; write a number with one of: ${Object.keys(units).join(', ')}`,
    );
  }
  return Number(match[1]) * unit;
}

/** In milliseconds; a bare number is seconds, as in other crawlers. */
export const parseDuration = (text: string): number => parse(text, DURATIONS, 's', 'duration');

/** In bytes; a bare number is bytes. */
export const parseSize = (text: string): number => Math.round(parse(text, SIZES, 'b', 'size'));

/** `5%` or `0.05` => 0.05. */
export function parseShare(text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  if (number !== undefined && share <= 1) return share;
  throw new UserError(`'${text}' is not a share: write a percentage from 0% to 100%, such as 5%`);
}

/** 0: any free port. */
export function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535)
    throw new UserError(`'${text}' is no port: ports are 1 to 65535, or 0 for any that is free`);
  return port;
}

export function parseCount(text: string): number {
  if (!/^\d+$/.test(text.trim())) throw new UserError(`'${text}' is not a whole number`);
  return Number(text);
}
