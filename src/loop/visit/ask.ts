import { CaptureFault } from '../../model/fault.ts';
import { answerOf, statusFault } from '../../science/policy/answer.ts';
import { type FetchedDocument, fetchDocument } from '../../stages/fetch-document.ts';
import { mayRetry } from './nothing-stored.ts';
import { renderRequest } from './render-request.ts';
import type { Asked, Begun, VisitWorld } from './visit-state.ts';

/** Step: the answer of the server. One that may be better later is a fault, thrown. */
export async function ask(state: Begun, world: VisitWorld): Promise<Asked> {
  const { ports, context } = world;
  const { entry } = state;
  const answered = (await inBrowser(state, world)) ?? (await overHttp(state, world));
  const { exchange } = answered.document;
  const fault = statusFault(exchange, ports.clock.now()) ?? unaskedFault(answered.document);
  if (fault && mayRetry(fault, entry, context.spec)) {
    context.onAnswer(answerOf(exchange, fault));
    await Promise.all(answered.exchanges.map(({ response }) => response.body.release()));
    throw fault;
  }
  const { document, shown } = answered;
  return { ...state, at: 'asked', document, fault, shown };
}

/** A 304 that confirms nothing (no condition was sent), or a part of a page that was asked for whole, is no page. */
function unaskedFault({ kind, exchange: { url, response } }: FetchedDocument): CaptureFault | undefined {
  const { status } = response;
  if (status !== 206 && (status !== 304 || kind === 'not-modified')) return undefined;
  return new CaptureFault('unasked-answer', url, `the server answered ${status}, which nobody had asked for`);
}

/** With `--render always` the browser asks; what it cannot show (a download) is fetched directly. */
async function inBrowser({ entry }: Begun, { ports, context }: VisitWorld) {
  const { renderer } = ports;
  if (context.spec.render !== 'always' || entry.kind !== 'page' || !renderer) return undefined;
  const rendering = await renderer.render(renderRequest(entry.url, ports, context));
  const { exchanges } = rendering;
  const exchange = exchanges.find(({ url }) => url === entry.url);
  if (!exchange) {
    await Promise.all(exchanges.map(({ response }) => response.body.release()));
    return undefined;
  }
  const document = { kind: 'answered', exchange, content: exchange, facts: [] } as const;
  return { document, exchanges, shown: { by: 'browser', rendering, template: { kind: 'none' } } as const };
}

async function overHttp({ entry }: Begun, { ports, context: { spec, signal } }: VisitWorld) {
  const document = await fetchDocument(entry.url, spec, ports, signal);
  const { exchange, content } = document;
  return {
    document,
    exchanges: [exchange, content],
    shown: { by: 'bytes', notRendered: undefined } as const,
  };
}
