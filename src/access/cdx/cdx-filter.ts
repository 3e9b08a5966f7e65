import v8 from 'node:v8';
import { type CdxFields, fieldNamed } from './cdx-fields.ts';
import { CdxProblem } from './cdx-problem.ts';

export type CdxTest = (fields: CdxFields) => boolean;

/** Longer patterns, and counts beyond, are not for filters. */
const LONGEST_PATTERN = 300;
const MOST_REPEATS = 100;

/** pywb: `[!][=|~]field:expression`: contains, equals, or a pattern that matches from the beginning. */
export function pywbFilter(text: string): CdxTest {
  const [, not, how, given = '', expression = ''] = split(text, /^(!)?([=~])?([\w-]+):(.*)$/s, '[!][=|~]');
  const name = fieldNamed(given, 'filter');
  const pattern = how === '~' ? linearPattern(`^(?:${expression})`, expression) : undefined;
  const matches = (value: string): boolean =>
    pattern ? pattern.test(value) : how === '=' ? value === expression : value.includes(expression);
  return (fields) => matches(fields[name] ?? '') !== Boolean(not);
}

/** Internet Archive: `[!]field:regex`, a pattern of the whole field. */
export function iaFilter(text: string): CdxTest {
  const [, not, given = '', expression = ''] = split(text, /^(!)?([\w-]+):(.*)$/s, '[!]');
  const name = fieldNamed(given, 'filter');
  const pattern = linearPattern(`^(?:${expression})$`, expression);
  return (fields) => pattern.test(fields[name] ?? '') !== Boolean(not);
}

function split(text: string, form: RegExp, signs: string): readonly (string | undefined)[] {
  const parts = form.exec(text);
  if (parts) return parts;
  throw new CdxProblem(
    `filter: '${text}' is none`,
    `write ${signs}field:expression, e.g. filter=${signs === '[!]' ? 'statuscode:200' : '=status:200'}`,
  );
}

/**
 * Whoever asks writes the pattern: one that backtracks could hold the server for hours. V8 has a second engine whose time is
 * linear in the text; it refuses back references and look-around, which cannot be done so.
 */
function linearPattern(pattern: string, given: string): RegExp {
  const counts = [...given.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [least, most]);
  if (given.length > LONGEST_PATTERN || counts.some((count) => Number(count ?? 0) > MOST_REPEATS))
    throw new CdxProblem(
      `filter: the pattern is too large`,
      `at most ${LONGEST_PATTERN} characters, and counts up to {${MOST_REPEATS}}`,
    );
  v8.setFlagsFromString('--enable-experimental-regexp-engine');
  try {
    return new RegExp(pattern, 'l');
  } catch {
    throw new CdxProblem(
      `filter: '${given}' is no pattern that can be used here`,
      'a regular expression without look-around and back references, e.g. text/.*',
    );
  }
}

/** `collapse=field` or `field:N`: of lines in a row that are alike in it, the first is told. */
export function collapseKey(text: string): (fields: CdxFields) => string {
  const parts = /^([\w-]+)(?::(\d{1,4}))?$/.exec(text);
  if (!parts)
    throw new CdxProblem(`collapse: '${text}' is none`, 'write collapse=digest or collapse=timestamp:10');
  const name = fieldNamed(parts[1] ?? '', 'collapse');
  const length = parts[2] === undefined ? undefined : Number(parts[2]);
  return (fields) => (fields[name] ?? '').slice(0, length);
}
