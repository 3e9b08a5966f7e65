import { z } from 'zod';
import type { TabsNow } from '../../archive/writer/look-at-tabs.ts';
import { RequestProblem } from '../api-error.ts';
import { INERT_POLICY } from '../security-headers.ts';
import type { ServerWork } from '../server-work.ts';
import { url } from './parameters.ts';
import { answer, NO_INPUT, raw } from './route.ts';
import { LIVE_VISITS } from './schemas/live.ts';
import { required } from './work.ts';

/** Milliseconds that a frame holds: however many look, a tab is asked no more often. */
const HOLDS = 700;
/** Visits whose last frame is held. */
const MOST_HELD = 20;

interface Held {
  readonly at: number;
  readonly seen: Promise<TabsNow | undefined>;
}
const held = new WeakMap<ServerWork, Map<string, Held>>();

export const LIVE_ROUTES = [
  answer({
    method: 'GET',
    path: '/live',
    role: 'editor',
    summary: 'Visits that are in the browser of a running crawl now',
    input: NO_INPUT,
    name: 'LiveVisits',
    answer: LIVE_VISITS,
    run: async (_, { work }) => ({ visits: (await required(work).look(undefined, false))?.visits ?? [] }),
  }),
  raw({
    method: 'GET',
    path: '/live/picture',
    role: 'editor',
    summary: 'What the browser shows of a visit this moment, small; of the first there is without url',
    description:
      'One frame, at most one every 0.7 s however many ask. 404 where nothing is in the browser, or nothing is drawn yet. Visits ' +
      'of crawls that were given secrets are not shown.',
    input: z.object({
      url: url.optional(),
      frame: z.coerce.number().int().optional().describe('counts up, so that a browser asks anew'),
    }),
    type: 'image/jpeg',
    async send({ url: page }, { work, reply, now }) {
      const picture = (await frameOf(page, required(work), now()))?.picture;
      if (!picture) throw new RequestProblem(404, 'nothing is to be seen of it now', 'ask /api/live what is');
      return reply
        .type('image/jpeg')
        .header('content-security-policy', INERT_POLICY)
        .header('cache-control', 'no-store')
        .send(Buffer.from(picture.data, 'base64'));
    },
  }),
];

function frameOf(page: string | undefined, work: ServerWork, now: number): Held['seen'] {
  const frames = held.get(work) ?? new Map<string, Held>();
  held.set(work, frames);
  const known = frames.get(page ?? '');
  if (known && now - known.at < HOLDS) return known.seen;
  frames.delete(page ?? '');
  const seen = work.look(page, true);
  frames.set(page ?? '', { at: now, seen });
  const [oldest] = frames.keys();
  if (frames.size > MOST_HELD && oldest !== undefined) frames.delete(oldest);
  return seen;
}
