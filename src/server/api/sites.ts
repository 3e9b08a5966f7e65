import { z } from 'zod';
import { siteRows, withFront } from '../site-rows.ts';
import { text } from './parameters.ts';
import { COUNTED, counted, list } from './route.ts';
import { SITE } from './schemas/sites.ts';

export const SITE_ROUTES = [
  list({
    path: '/sites',
    summary: 'Sites of the archive, by name; hosts that only gave parts of pages come last',
    input: z.object({ q: text.optional() }),
    name: 'Site',
    row: SITE,
    after: COUNTED,
    async rows({ q, limit, after }, { archive }) {
      const served = await archive();
      const wanted = q?.toLowerCase() ?? '';
      const found = (await siteRows(served)).filter(({ site }) => site.includes(wanted));
      const { rows, ...more } = counted(found, limit, after);
      return { ...more, rows: await withFront(rows, served.catalog) };
    },
  }),
];
