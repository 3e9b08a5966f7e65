import { z } from 'zod';
import { archivedUrl } from '../../access/capture-name.ts';
import { dayCounts, knownZone } from '../../access/day-counts.ts';
import { RequestProblem } from '../api-error.ts';
import { given, since, site, until, url } from './parameters.ts';
import { list, part } from './route.ts';
import { millis, share } from './schemas/field-kinds.ts';

export const DAY = z.object({
  date: z.string().describe('2026-03-02, by the calendar of the time zone'),
  at: millis.describe('of the first of the day, to the quarter of an hour'),
  captures: z.int().describe('answers of web servers, parts of pages among them'),
  changes: z.int().describe('those that a reader sees'),
  salience: share.optional().describe('of the most salient of them'),
});
export type DayRow = Readonly<z.infer<typeof DAY>>;

export const DAY_ROUTES = [
  list({
    path: '/days',
    summary: 'How many captures and changes each day brought, of a site, a page or all: a calendar',
    description: 'In their order. Days without either are left out.',
    input: z.object({
      url: url.optional(),
      site: site.optional(),
      since: since.optional(),
      until: until.optional(),
      timezone: z
        .string()
        .max(100)
        .default('UTC')
        .transform((name, context) => {
          const zone = knownZone(name);
          if (zone) return { name, zone };
          context.addIssue(`no time zone is named '${name}'; write e.g. Europe/Berlin`);
          return z.NEVER;
        })
        .describe('whose days: Europe/Berlin'),
    }),
    name: 'Day',
    row: DAY,
    after: z.string(),
    async rows({ url: page, site: of, since: from, until: to, timezone, limit, after }, { archive }) {
      if (page !== undefined && of !== undefined)
        throw new RequestProblem(400, 'url and site: which of them?', 'give one of the two');
      const { catalog } = await archive();
      const stored = page === undefined ? undefined : ((await archivedUrl(page, catalog)) ?? page);
      const quarters = await catalog.countedTimes(given({ url: stored, site: of, from, to }));
      const days = dayCounts(quarters, timezone.zone);
      const rest = after === undefined ? days : days.filter(({ date }) => date > after);
      return part(rest, limit, ({ date }) => date);
    },
  }),
];
