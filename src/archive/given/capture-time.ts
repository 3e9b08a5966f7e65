import type { CaptureTime } from '../../access/capture-name.ts';
import type { Millis } from '../../model/time.ts';
import { parseMoment } from './moment.ts';
import { parseDuration } from './quantities.ts';

/** What may follow the `@` of a capture, for messages. */
export const CAPTURE_TIMES =
  'first, last, a day or any part of one (2026-03, 2026-03-01T12:00Z, 20260301120000), or how long ago (7d)';

const NAMED = /^(.+)@(first|last|latest|\d{4}[\w:.+ -]*|\d+(?:\.\d+)?(?:ms|s|m|h|d))$/is;

/**
 * `<address>@<time>` => its two parts; undefined where no time is given. An `@` that is part of the address
 * (`https://medium.com/@user`) is left alone. Throws UserError for what begins like a time but is not one.
 */
export function splitCaptureName(
  text: string,
  now: Millis,
): { readonly address: string; readonly time: CaptureTime } | undefined {
  const [, address, time] = NAMED.exec(text.trim()) ?? [];
  return address === undefined || time === undefined ? undefined : { address, time: captureTime(time, now) };
}

function captureTime(text: string, now: Millis): CaptureTime {
  if (/^first$/i.test(text)) return { kind: 'first' };
  if (/^la(?:te)?st$/i.test(text)) return { kind: 'last' };
  if (/^\d+(?:\.\d+)?[a-z]+$/i.test(text)) return { kind: 'moment', at: now - parseDuration(text) };
  const [from, to] = [parseMoment(text, now, 'start'), parseMoment(text, now, 'end')];
  return { kind: 'period', from, to, text };
}
