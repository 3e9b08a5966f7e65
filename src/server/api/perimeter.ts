import { z } from 'zod';
import { given, url } from './parameters.ts';
import { answer, COUNTED, counted, list, NO_INPUT } from './route.ts';
import { listOf } from './schemas/field-kinds.ts';
import {
  EXPLAINED,
  PERIMETER_COUNTS,
  PERIMETER_SIZE,
  PERIMETER_SIZES,
  PERIMETER_URL,
} from './schemas/perimeter.ts';
import { required } from './work.ts';

const perimeter = z.string().max(200).describe('its name; the only one of the archive unless given');
const flags = (name: string | undefined): readonly string[] =>
  name === undefined ? [] : [`--perimeter=${name}`];

export const PERIMETER_ROUTES = [
  answer({
    method: 'GET',
    path: '/perimeter',
    role: 'reader',
    summary: 'Perimeters that pages were judged for, with counts',
    input: NO_INPUT,
    name: 'Perimeters',
    answer: z.object({
      perimeters: listOf(PERIMETER_COUNTS),
    }),
    async run(_, { archive }) {
      const { catalog } = await archive();
      const names = await catalog.perimeters();
      return {
        perimeters: await Promise.all(
          names.map(async (name) => ({ name, ...(await catalog.perimeterCounts(name, 0)) })),
        ),
      };
    },
  }),
  list({
    path: '/perimeter/urls',
    summary: 'URLs as they stood to a perimeter when they were judged last, the highest chances first',
    description: '`read=0`: suspects, known by links alone and to be decided on.',
    input: z.object({ perimeter: perimeter.optional(), read: z.enum(['0', '1']).optional() }),
    name: 'PerimeterUrl',
    row: PERIMETER_URL,
    after: COUNTED,
    async rows({ read, limit, after = 0, ...of }, { archive }) {
      const rows: z.input<typeof PERIMETER_URL>[] = [];
      const query = { ...given(of), byChance: true as const, limit: after + limit + 1 };
      const isRead = read === undefined ? {} : { isRead: read === '1' };
      for await (const row of (await archive()).catalog.perimeterUrls({ ...query, ...isRead }))
        rows.push(row);
      return counted(rows, limit, after);
    },
  }),
  answer({
    method: 'GET',
    path: '/perimeter/explain',
    role: 'reader',
    summary: 'Why a URL belongs to a perimeter, or not, as the archive stands now',
    input: z.object({ url, perimeter: perimeter.optional() }),
    isKept: true,
    name: 'Explained',
    answer: EXPLAINED,
    async run({ url: page, perimeter: name }, { work }) {
      const args = ['perimeter', 'explain', ...flags(name)];
      return (await required(work).command(args, [page])) as z.input<typeof EXPLAINED>;
    },
  }),
  answer({
    method: 'GET',
    path: '/perimeter/size',
    role: 'reader',
    summary: 'How many pages are believed to belong, with an interval',
    input: z.object({ perimeter: perimeter.optional() }),
    isKept: true,
    name: 'PerimeterSize',
    answer: PERIMETER_SIZE,
    run: async ({ perimeter: name }, { work }) =>
      (await required(work).command(['perimeter', 'size', ...flags(name)])) as z.input<typeof PERIMETER_SIZE>,
  }),
  answer({
    method: 'GET',
    path: '/perimeter/sizes',
    role: 'reader',
    summary: 'The same at the ends of crawls',
    input: z.object({ perimeter: perimeter.optional() }),
    isKept: true,
    name: 'PerimeterSizes',
    answer: PERIMETER_SIZES,
    run: async ({ perimeter: name }, { work }) =>
      (await required(work).command(['perimeter', 'size', '--over-time', ...flags(name)])) as z.input<
        typeof PERIMETER_SIZES
      >,
  }),
];
