import { type Exchange, header, isRedirect, type Millis } from '../model/exchange.ts';
import { CaptureFault, type FaultKind } from '../model/fault.ts';
import { parseRetryAfter } from '../science/policy/politeness.ts';

/** What politeness needs to know of a visit. */
export interface Answer {
  /** Milliseconds from request to the end of the answer. */
  readonly responseTime: number;
  readonly status?: number;
  /** Milliseconds the server asked to wait. */
  readonly retryAfter?: number;
  readonly fault?: FaultKind;
}

export function answerOf(exchange: Exchange, fault: CaptureFault | undefined): Answer {
  return {
    responseTime: exchange.finishedAt - exchange.startedAt,
    status: exchange.response.status,
    ...(fault?.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
    ...(fault?.retry && { fault: fault.kind }),
  };
}

/** Where a redirect leads, as the server wrote it; undefined when the answer is none. */
export function redirectTarget({ response }: Exchange): string | undefined {
  return isRedirect(response.status) ? header(response.headers, 'location') : undefined;
}

/** The fault that a status stands for. 429 and 5xx may be gone at the next try. */
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
