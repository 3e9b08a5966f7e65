import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatTimestamp, LATEST, parseTimestamp } from '../access/replay-url.ts';
import { viewOf } from '../model/replay-host.ts';
import type { Millis } from '../model/time.ts';
import { type AskedChoice, choiceOfView } from '../model/version-choice.ts';
import { hostName } from './origins.ts';
import { AS_DOCUMENT } from './send-capture.ts';
import type { ServedArchive } from './served-archive.ts';

/** Set by the worker on requests for parts of a document: when that was captured. */
const OF_PAGE = 'x-replay-page';

/**
 * The time of the capture that the service worker is to be sent. Documents are chosen as the view says (version-choice.ts);
 * addresses keep the moment that was asked for, so that links stay on that day. Parts of pages are the closest ones to the
 * document that they belong to: they have no pattern of their own, and a page is not to be mixed of two.
 */
export async function chosenTime(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { choose }: Pick<ServedArchive, 'choose'>,
  { url, at }: { readonly url: string; readonly at: Millis },
): Promise<Millis> {
  if (headers[AS_DOCUMENT] === undefined) return timeOfPage(headers[OF_PAGE]) ?? at;
  // The newest is asked for, and nothing is to be chosen.
  const asked: AskedChoice =
    at === LATEST ? { choice: 'closest' } : choiceOfView(viewOf(hostName(headers.host) ?? ''));
  const chosen = await choose({ url, at, asked });
  if (!chosen) return at;
  const { choice, confidence, neither, capture } = chosen;
  reply.header(
    'x-archive-choice',
    `${choice}; confidence=${confidence.toFixed(3)}; neither=${neither.toFixed(3)}${capture?.isElsewhere ? '; elsewhere' : ''}`,
  );
  reply.header('x-archive-taken', formatTimestamp(chosen.at));
  return chosen.at;
}

const timeOfPage = (value: string | string[] | undefined): Millis | undefined =>
  typeof value === 'string' ? parseTimestamp(value) : undefined;
