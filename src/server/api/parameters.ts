import { z } from 'zod';
import { LATEST, withScheme } from '../../access/replay-url.ts';
import { parseMoment } from '../../archive/given/moment.ts';
import { UserError } from '../../archive/user-error.ts';
import { RequestProblem } from '../api-error.ts';

/** Longer than any URL a crawl keeps. */
const MOST_CHARACTERS = 8192;

export const url = z
  .string()
  .min(1, 'name a URL')
  .max(MOST_CHARACTERS, 'no URL is that long')
  .describe('URL of a page');
export const site = z
  .string()
  .min(1, 'name a site')
  .max(MOST_CHARACTERS, 'no site has a name that long')
  .describe('name of a site, as /api/sites gives it');
export const text = z.string().max(1000).describe('words to look for');
export const crawlId = z.coerce
  .number('expected the number of a crawl')
  .int()
  .min(0)
  .describe('number of a crawl');
/** In [0, 1]. */
export const level = z.coerce.number('expected a number from 0 to 1').min(0).max(1);

/** Milliseconds have 13 digits, the timestamps of replay URLs 14 or 17, or fewer by pairs. */
const MILLIS = /^\d{1,3}$|^\d{13}$|^\d{15}$/;

const moment = (side: 'start' | 'end') =>
  z
    .string()
    .max(40)
    .transform((given, context) => {
      if (MILLIS.test(given)) return Math.min(Number(given), LATEST);
      try {
        return parseMoment(given, Date.now(), side);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        // Where it lists what is accepted, this is one more; where it says what is wrong with a time, it is not.
        const isList = error.message.endsWith(')');
        context.addIssue(isList ? `${error.message}, or milliseconds since 1970` : error.message);
        return z.NEVER;
      }
    })
    .describe(
      'a time: milliseconds since 1970, 2026-03-01, 2026-03-01T12:00Z, 20260301120000, or how long ago (7d)',
    );

export const since = moment('start');
export const until = moment('end');
/** A span that ends before it begins would be answered with nothing, as if nothing had happened. */
export function inOrder({
  since: from = Number.NEGATIVE_INFINITY,
  until: to = Number.POSITIVE_INFINITY,
}: {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}): void {
  if (from > to)
    throw new RequestProblem(400, 'since: the span ends before it begins', 'let since be before until');
}

/** What is not archived under this very text, and cannot be an address either, is a mistake. */
export function anAddress(page: string): string {
  if (URL.canParse(withScheme(page))) return page;
  throw new RequestProblem(400, `url: '${page}' is no address`, 'write it as https://example.org/a');
}

/** Of a capture: as answers give it. */
export const at = moment('start');

/** Rows of a part, and the most that may be asked for. */
const ROWS = 100;
export const MOST_ROWS = 1000;

/** Of every list. */
export const PART = z.object({
  limit: z.coerce
    .number(`expected a number from 1 to ${MOST_ROWS}`)
    .int()
    .min(1)
    .max(MOST_ROWS)
    .default(ROWS)
    .describe('rows of this part'),
  cursor: z
    .string()
    .max(20_000)
    .transform((cursor) => cursor || undefined)
    .optional()
    .describe("where this part begins: 'next' of the part before"),
  fields: z
    .string()
    .max(2000)
    .optional()
    .describe('these fields alone, with commas between them: url,lastAt,comparison.kind'),
});

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the keys that are not given. */
export const given = <T extends object>(value: T): Given<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Given<T>;
