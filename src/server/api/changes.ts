import { z } from 'zod';
import { CHANGED_ELEMENTS, OPERATION_NAMES } from '../../model/change.ts';
import { comparisonBy } from '../../model/comparison.ts';
import { RequestProblem } from '../api-error.ts';
import { given, inOrder, level, since, site, text, until, url } from './parameters.ts';
import { list, part } from './route.ts';
import { CHANGE } from './schemas/changes.ts';

/** Operations told with each change, unless more are asked for. */
const OPERATIONS = 5;

export const CHANGE_ROUTES = [
  list({
    path: '/changes',
    summary: 'Changes, those first that a reader would rather be told of',
    description: 'From the stored deltas. Those that tell a reader nothing are left out unless `unseen=1`.',
    input: z.object({
      url: url.optional(),
      site: site.optional(),
      since: since.optional(),
      until: until.optional(),
      minImportance: level.optional(),
      minSalience: level.optional(),
      op: z.enum(OPERATION_NAMES).optional(),
      element: z.enum(CHANGED_ELEMENTS).optional(),
      q: text.optional(),
      sort: z.enum(['salience', 'importance', 'time']).default('salience'),
      operations: z.coerce
        .number()
        .int()
        .min(0)
        .max(1000)
        .default(OPERATIONS)
        .describe('told of each change'),
      unseen: z.literal('1').optional().describe('1: also those that are the same to a reader'),
    }),
    name: 'Change',
    row: CHANGE,
    after: z.object({
      url: z.string(),
      to: z.number(),
      importance: z.number(),
      salience: z.number().optional(),
    }),
    async rows({ q, operations, unseen, sort, limit, after, ...asked }, { archive }) {
      inOrder(asked);
      if (q && /^["\s]*$/.test(q))
        throw new RequestProblem(
          400,
          'q: there is no word to look for',
          'write words that the change tells of',
        );
      const rows = await (await archive()).catalog.changes({
        ...given(asked),
        ...given({ text: q || undefined, after: after && given(after) }),
        ...(!unseen && { seen: true as const }),
        sort,
        by: sort === 'importance' ? 'importance' : 'salience',
        operationLimit: operations,
        limit: limit + 1,
      });
      return part(
        rows.map((change) => ({ ...change, comparison: comparisonBy(change) })),
        limit,
        ({ url: page, to, importance, salience }) => ({ url: page, to, importance, salience }),
      );
    },
  }),
];
