import { z } from 'zod';
import { type DigestQuery, type PageDigest, pageDigest } from '../../access/digest/page-digest.ts';
import { RequestProblem } from '../api-error.ts';
import type { ServedArchive } from '../served-archive.ts';
import { since, until, url } from './parameters.ts';
import { answer } from './route.ts';
import { DIGEST } from './schemas/digests.ts';

/** Of a digest without a span: the last week. */
const WEEK = 7 * 86_400_000;

export const DIGEST_INPUT = z.object({
  url,
  from: since.optional().describe('start of the span; a week before its end unless given'),
  to: until.optional().describe('end of the span; now unless given'),
});

export const DIGEST_ROUTES = [
  answer({
    method: 'GET',
    path: '/digest',
    role: 'reader',
    summary: 'All headlines that came on an index page over a span of time, by section',
    description:
      'Links that came into its important blocks, each once, without advertisements, with when they were first and last ' +
      'seen and the archived article. As a page or a feed: /digest/<url>?from&to&format=html|atom.',
    input: DIGEST_INPUT,
    name: 'Digest',
    answer: DIGEST,
    run: async (input, { archive, now }) => digestOf(await archive(), input, now()),
  }),
];

export async function digestOf(
  served: ServedArchive,
  { url: page, from, to }: z.output<typeof DIGEST_INPUT>,
  now: number,
): Promise<PageDigest> {
  const span: DigestQuery = { url: page, to: to ?? now, from: from ?? (to ?? now) - WEEK };
  if (span.from > span.to)
    throw new RequestProblem(400, 'from: the span ends before it begins', 'let from be before to');
  const digest = await pageDigest(served, span);
  if (digest) return digest;
  const why = (await served.told.why?.(page)) ?? [];
  throw new RequestProblem(404, `not archived: ${page}`, why.join(' ') || 'archive it');
}
