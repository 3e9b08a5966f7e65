import { z } from 'zod';
import { pageSpan } from '../../access/choice/page-span.ts';
import { type AskedChoice, VERSION_CHOICES } from '../../model/version-choice.ts';
import { RequestProblem } from '../api-error.ts';
import { at, crawlId, url } from './parameters.ts';
import { answer } from './route.ts';
import { CHOICE } from './schemas/choices.ts';

export const CHOICE_ROUTES = [
  answer({
    method: 'GET',
    path: '/choice',
    role: 'reader',
    summary: 'Which version of a page answers for a moment, why, and how sure that is',
    description:
      'likely: by when the page usually changes, and by what dates the change; before, after, closest: by time alone; ' +
      'capture: that of the crawl, and marked where it holds none. The alternatives come with their chances.',
    input: z.object({
      url,
      at,
      choice: z.enum(VERSION_CHOICES, `expected one of ${VERSION_CHOICES.join(', ')}`).default('likely'),
      crawl: crawlId.optional().describe('of choice=capture: which site capture'),
      from: url.optional().describe('the page whose link was followed'),
      fromAt: at.optional().describe('the moment at which that page is shown; at unless given'),
    }),
    name: 'Choice',
    answer: CHOICE,
    async run({ url: page, at: moment, choice, crawl, from, fromAt = moment }, { archive }) {
      const served = await archive();
      const chosen = await served.choose({
        url: page,
        at: moment,
        asked: await askedOf(choice, crawl, served),
        ...(from !== undefined && { from: { url: from, at: fromAt } }),
      });
      if (!chosen) {
        const why = (await served.told.why?.(page)) ?? [];
        throw new RequestProblem(404, `not archived: ${page}`, why.join(' ') || 'archive it');
      }
      const span = await pageSpan(served, chosen);
      return { ...chosen, ...(span && { span }) };
    },
  }),
];

async function askedOf(
  choice: (typeof VERSION_CHOICES)[number],
  crawl: number | undefined,
  { catalog }: { catalog: { crawls(): Promise<readonly { id: number }[]> } },
): Promise<AskedChoice> {
  if (choice !== 'capture') return { choice };
  if (crawl === undefined) throw new RequestProblem(400, 'crawl: of which one?', 'add crawl=<number>');
  if (!(await catalog.crawls()).some(({ id }) => id === crawl))
    throw new RequestProblem(404, `there is no crawl ${crawl}`, 'ask /api/crawls for those that there are');
  return { choice, crawl };
}
