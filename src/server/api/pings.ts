import { z } from 'zod';
import { done } from '../write-routes.ts';
import { answer, NO_INPUT } from './route.ts';
import { required } from './work.ts';

const address = z.string().min(1).max(4000);

export const PING_ROUTES = [
  answer({
    method: 'POST',
    path: '/pings',
    role: 'editor',
    summary: 'Tells a running watch that pages may have changed',
    description: 'For those who know it, such as the system that pages are written with.',
    input: NO_INPUT,
    body: z
      .object({
        url: address.optional(),
        urls: z.array(address).max(1000).optional(),
        by: z.string().max(200).optional(),
      })
      .refine(({ url, urls }) => url !== undefined || (urls?.length ?? 0) > 0, 'name a url, or urls'),
    name: 'Ping',
    answer: z.object({ heard: z.array(z.string()).readonly(), unwatched: z.array(z.string()).readonly() }),
    async run({ body: { url, urls = [], by } }, { work, identity }) {
      const all = [...(url === undefined ? [] : [url]), ...urls];
      const who = identity.name ?? by;
      const input = { urls: all, ...(who !== undefined && { by: who }) };
      return done('ping', await required(work).ask('ping', input)) as {
        heard: string[];
        unwatched: string[];
      };
    },
  }),
];
