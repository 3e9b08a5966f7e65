import { z } from 'zod';
import { RequestProblem } from '../api-error.ts';
import type { SentEvent } from './event-hub.ts';
import { readEventId } from './event-id.ts';
import { raw } from './route.ts';
import { EVENTS } from './schemas/events.ts';

/** Milliseconds between two signs of life: proxies cut connections that say nothing for a minute. */
const SIGN_OF_LIFE = 15_000;
/** Bytes that a listener may be behind before it is let go: it comes back with the id of the last event. */
const MOST_BEHIND = 1_000_000;

export const EVENT_ROUTES = [
  raw({
    method: 'GET',
    path: '/events',
    role: 'reader',
    summary: 'What happens, as server-sent events',
    description:
      `Events: ${Object.keys(EVENTS).join(', ')}. With Last-Event-ID, or the parameter of that name, what happened since comes first; ` +
      '`reset` says that it was too much, and lists are to be read anew.',
    input: z.object({ lastEventId: z.string().max(100).optional() }),
    type: 'text/event-stream',
    async send({ lastEventId }, { request, reply, events, access, now }) {
      const given = (request.headers['last-event-id'] as string | undefined) ?? lastEventId;
      const seen = readEventId(given);
      if (given !== undefined && given !== '' && !seen)
        throw new RequestProblem(
          400,
          `Last-Event-ID: '${given}' is no id of an event`,
          'leave it away to begin now',
        );
      reply.hijack();
      const { raw: stream } = reply;
      stream.writeHead(200, {
        ...reply.getHeaders(),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      } as Record<string, string>);
      stream.write('retry: 2000\n\n');
      const stop = await events.listen(seen, (event) => {
        stream.write(lines(event));
        if (stream.writableLength > MOST_BEHIND) stream.destroy();
      });
      // A session that has ended hears no more.
      const life = setInterval(() => {
        if (access.identify(request, now())) stream.write(':\n\n');
        else end();
      }, SIGN_OF_LIFE);
      const end = (): void => {
        clearInterval(life);
        stop();
        stream.end();
      };
      events.ended.addEventListener('abort', end, { once: true });
      stream.once('close', () => {
        events.ended.removeEventListener('abort', end);
        end();
      });
      return reply;
    },
  }),
];

const lines = ({ name, id, data }: SentEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
