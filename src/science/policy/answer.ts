import { type Exchange, header } from '../../model/exchange.ts';
import { CaptureFault, isNotThePage } from '../../model/fault.ts';
import type { Millis } from '../../model/time.ts';
import type { HostEvent } from './politeness.ts';
import { parseRetryAfter } from './retry-after.ts';

/** What politeness needs to know of a visit. */
export type Answer = Omit<HostEvent, 'now' | 'random'>;

export function answerOf(exchange: Exchange, fault: CaptureFault | undefined): Answer {
  return {
    responseTime: exchange.finishedAt - exchange.startedAt,
    status: exchange.response.status,
    ...(fault?.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
    ...(fault && (fault.retry || isNotThePage(fault.kind)) && { fault: fault.kind }),
  };
}

/** The fault that a status stands for. 429 and 5xx may be gone on the next try. */
export function statusFault({ url, response }: Exchange, now: Millis): CaptureFault | undefined {
  const { status } = response;
  if (status < 400) return undefined;
  const asked = header(response.headers, 'retry-after');
  const wait = asked === undefined ? undefined : parseRetryAfter(asked, now);
  const kind =
    status === 429 || status === 503 ? 'server-busy' : status >= 500 ? 'server-error' : 'http-status';
  const options = wait === undefined ? undefined : { retryAfter: wait };
  return new CaptureFault(kind, url, `the server answered ${status}`, options);
}
