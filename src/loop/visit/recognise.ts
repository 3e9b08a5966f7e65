import { isHtml, mediaType, redirectTarget } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import type { PageContent } from '../../ports/page-reader.ts';
import { looksMissing, sameAsMissing } from '../../science/answers/missing-page.ts';
import { recogniseAnswer } from '../../science/answers/recognise-answer.ts';
import type { AnswerVerdict, SeenAnswer } from '../../science/answers/seen-answer.ts';
import { answerOf } from '../../science/policy/answer.ts';
import { linkSelectors } from './link-selectors.ts';
import { mayRetry } from './nothing-stored.ts';
import type { AskedVisit, Recognised, VisitWorld } from './visit-state.ts';

/** Gone is gone, whatever the answer says; and what is not modified was looked at when it came. */
const TOLD_BY_STATUS: ReadonlySet<number> = new Set([206, 304, 404, 410]);

/**
 * Step: is the answer the page that was asked for? A wall is not shown in the browser, and becomes the fault of the visit; a
 * server that is too busy for us, and says so in words, is asked again later.
 */
export async function recognise(state: AskedVisit, world: VisitWorld): Promise<Recognised> {
  const { ports, context } = world;
  const { entry, document, shown } = state;
  const { exchange } = document;
  const isPage = entry.kind === 'page' || entry.kind === 'revisit';
  const isLookedAt =
    context.spec.recogniseWalls !== false &&
    isPage &&
    document.kind === 'answered' &&
    !TOLD_BY_STATUS.has(exchange.response.status) &&
    redirectTarget(exchange) === undefined &&
    isHtml(mediaType(exchange.response.headers));
  if (!isLookedAt) return { ...state, at: 'recognised', asides: [] };
  const read = await ports.pageReader.read(document.content, false, linkSelectors(context.spec));
  const answer = seenAnswer(state, read);
  if (!answer) return { ...state, at: 'recognised', read, asides: [] };
  const { verdict, asides } = await judged(answer, state, world);
  const fault = verdict && new CaptureFault(verdict.kind, entry.url, verdict.evidence);
  if (fault && mayRetry(fault, entry, context.spec)) {
    context.onAnswer(answerOf(exchange, fault));
    const exchanges = shown.by === 'browser' ? shown.rendering.exchanges : [exchange];
    await Promise.all(exchanges.map(({ response }) => response.body.release()));
    throw fault;
  }
  return { ...state, at: 'recognised', read, asides, fault: fault ?? state.fault };
}

async function judged(
  answer: SeenAnswer,
  { entry, fault }: AskedVisit,
  { context }: VisitWorld,
): Promise<{ readonly verdict: AnswerVerdict | undefined; readonly asides: readonly string[] }> {
  const verdict = recogniseAnswer(answer);
  if (verdict || fault || !looksMissing(answer)) return { verdict, asides: [] };
  const { missing, isNew } = await context.missing.of(entry.url);
  if (!missing) return { verdict: undefined, asides: [] };
  const evidence = sameAsMissing(answer, missing);
  // A request that nobody asked for is told.
  const asides = isNew
    ? [
        `it looks like an error page, so that ${missing.url} was asked for, which cannot exist: answer ${missing.status}`,
      ]
    : [];
  return { verdict: evidence === undefined ? undefined : { kind: 'soft-404', evidence }, asides };
}

/** As the browser shows it where it asked for the page itself; else as its bytes tell. */
function seenAnswer({ entry, document, shown }: AskedVisit, read: PageContent): SeenAnswer | undefined {
  const seen = read.seen?.();
  if (!seen) return undefined;
  const { status, headers } = document.exchange.response;
  const rendering = shown.by === 'browser' ? shown.rendering : undefined;
  return {
    url: entry.url,
    ...(entry.redirects > 0 && entry.via !== undefined && { via: entry.via }),
    status,
    headers,
    html: seen.html,
    title: rendering?.title || read.title,
    text: rendering?.text || seen.text,
    links: rendering?.links.length ?? read.links.length,
  };
}
