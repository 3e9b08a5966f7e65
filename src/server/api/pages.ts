import { z } from 'zod';
import { impairedVersions } from '../../access/impaired-versions.ts';
import { decisionsOnPage } from '../site-rows.ts';
import { given, site, text, url } from './parameters.ts';
import { list, part } from './route.ts';
import { PAGE } from './schemas/sites.ts';

export const PAGE_ROUTES = [
  list({
    path: '/pages',
    summary: 'Pages, in the order of their addresses',
    description: 'Titles and addresses are looked through for `q`; the words of pages by /api/search.',
    input: z.object({ url: url.optional(), site: site.optional(), q: text.optional() }),
    name: 'Page',
    row: PAGE,
    after: z.string(),
    async rows({ url: page, site: of, q, limit, after }, { archive }) {
      const { catalog, told } = await archive();
      const rows = await catalog.pages({
        ...given({ url: page, site: of, text: q || undefined, after }),
        limit: limit + 1,
      });
      const impairment = await impairedVersions(catalog);
      const decisions = await told.decisions();
      return part(
        rows.map((row) => {
          const impaired = impairment(row.url, row.lastAt);
          return { ...row, ...(impaired && { impaired }), ...decisionsOnPage(row.url, decisions) };
        }),
        limit,
        ({ url: last }) => last,
      );
    },
  }),
];
