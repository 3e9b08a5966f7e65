import { z } from 'zod';
import { PASSAGE_KINDS } from '../../model/passage.ts';
import { SEARCH_EVENTS } from '../../ports/search-index.ts';
import { RequestProblem } from '../api-error.ts';
import { inOrder, since, site, until, url } from './parameters.ts';
import { answer, list, NO_INPUT, part } from './route.ts';

export const SEARCH_ROUTES = [
  list({
    path: '/search',
    // The index may be behind the catalog, and catch up while that stays as it is.
    isFresh: true,
    summary: 'What the archived pages said, with when it came and went',
    description:
      'All words; "a phrase", -without, begin*. Headlines first. `marks` tells where in the text the words stand (UTF-16 units).',
    input: z.object({
      q: z.string().min(1, 'write words to look for').max(1000),
      site: site.optional(),
      url: url.optional(),
      since: since.optional(),
      until: until.optional(),
      kind: z.enum(PASSAGE_KINDS).optional(),
      event: z.enum(SEARCH_EVENTS).default('present'),
    }),
    name: 'FoundPassage',
    row: z.object({
      url: z.string(),
      site: z.string(),
      kind: z.enum(PASSAGE_KINDS),
      text: z.string(),
      marks: z.array(z.tuple([z.number(), z.number()])),
      cameAt: z.number(),
      lastAt: z.number().describe('the last version that shows it'),
      goneAt: z.number().optional().describe('the first version without it'),
      weight: z.number(),
    }),
    after: z.number(),
    async rows({ q, kind, since: from, until: to, limit, after = 0, ...asked }, { archive }) {
      inOrder({ since: from, until: to });
      const { search } = await archive();
      if (!search) throw new RequestProblem(404, 'nothing can be searched here', 'use `daguerre serve`');
      const hits = await search.find({
        ...asked,
        text: q,
        kinds: kind && [kind],
        from,
        to,
        limit: limit + 1,
        offset: after,
      });
      const rows = hits.map((hit) => ({
        ...hit,
        marks: hit.marks.map(([a, b]): [number, number] => [a, b]),
      }));
      return part(rows, limit, () => after + limit);
    },
  }),
  answer({
    method: 'GET',
    path: '/search/coverage',
    role: 'reader',
    summary: 'How much of the archive can be searched',
    input: NO_INPUT,
    isKept: true,
    name: 'SearchCoverage',
    answer: z.object({
      unseen: z.int().describe('pages without a layout: nothing can be found on them'),
      private: z.int().describe('pages with private captures: what these said is left out'),
    }),
    run: async (_, { archive }) =>
      (await (await archive()).search?.unsearched()) ?? { unseen: 0, private: 0 },
  }),
];
