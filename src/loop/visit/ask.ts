import { CaptureFault } from '../../model/fault.ts';
import { answerOf, statusFault } from '../../science/policy/answer.ts';
import { type FetchedDocument, fetchDocument } from '../../stages/fetch-document.ts';
import { mayRetry } from './nothing-stored.ts';
import { renderPage } from './render-page.ts';
import type { AskedVisit, Begun, VisitWorld } from './visit-state.ts';

/** Step: the answer of the server. One that may be better later is a fault, thrown. */
export async function ask(state: Begun, world: VisitWorld): Promise<AskedVisit> {
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
async function inBrowser({ entry }: Begun, world: VisitWorld) {
  if (world.context.spec.render !== 'always' || entry.kind !== 'page') return undefined;
  const rendered = await renderPage(entry, world);
  if (!rendered) return undefined;
  const { rendering, alternatives } = rendered;
  const [address] = entry.url.split('#', 1);
  const answer = rendering.exchanges.find(({ url }) => url === address);
  const exchange = answer && { ...answer, url: entry.url };
  const inPage = rendering.exchanges.map((one) => (one === answer && exchange ? exchange : one));
  const exchanges = [...inPage, ...alternatives.exchanges];
  if (!exchange) {
    await Promise.all(exchanges.map(({ response }) => response.body.release()));
    return undefined;
  }
  const document = { kind: 'answered', exchange, content: exchange, facts: [] } as const;
  const shown = { ...rendered, rendering: { ...rendering, exchanges: inPage } };
  return { document, exchanges, shown: { by: 'browser', ...shown, template: { kind: 'none' } } as const };
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
