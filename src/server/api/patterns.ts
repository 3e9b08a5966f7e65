import { z } from 'zod';
import { listPatterns } from '../../access/patterns.ts';
import { given, site, url } from './parameters.ts';
import { COUNTED, counted, list } from './route.ts';
import { PATTERN } from './schemas/patterns.ts';

export const PATTERN_ROUTES = [
  list({
    path: '/patterns',
    summary: 'What was learnt of when pages change, the liveliest first',
    input: z.object({ url: url.optional(), site: site.optional() }),
    name: 'Pattern',
    row: PATTERN,
    after: COUNTED,
    async rows({ limit, after = 0, ...of }, { archive }) {
      const { catalog } = await archive();
      const { pages } = await listPatterns(catalog, given(of), after + limit + 1);
      return counted(pages, limit, after);
    },
  }),
];
