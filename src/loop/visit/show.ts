import { isHtml, mediaType, redirectTarget } from '../../model/exchange.ts';
import { CaptureFault, isNotThePage } from '../../model/fault.ts';
import type { LinkOrigin } from '../../ports/scope.ts';
import { answerOf } from '../../science/policy/answer.ts';
import { fetchResources } from '../../stages/fetch-resources.ts';
import { fillablePage, fillPage } from '../../stages/fill-page.ts';
import { mayRetry } from './nothing-stored.ts';
import { renderPage } from './render-page.ts';
import type { Recognised, Shown, ShownPage, TemplateUse, VisitWorld } from './visit-state.ts';

/**
 * Step: with `--render auto` HTML goes on to the browser, which is given the bytes that HTTP brought; or, with
 * `--templates`, is filled into what the browser showed of an earlier version.
 */
export async function show(state: Recognised, world: VisitWorld): Promise<ShownPage> {
  const { context } = world;
  const answer = answerOf(state.document.exchange, state.fault);
  const shown = isToBeShown(state, world)
    ? await filledOrRendered(state, world, () => context.onAnswer(answer))
    : state.shown;
  context.onAnswer(answer);
  return { ...state, at: 'shown', shown };
}

function isToBeShown({ entry, document, shown, fault }: Recognised, { ports, context }: VisitWorld): boolean {
  return (
    shown.by === 'bytes' &&
    !(fault && isNotThePage(fault.kind)) &&
    ports.renderer !== undefined &&
    context.spec.render === 'auto' &&
    entry.kind === 'page' &&
    redirectTarget(document.exchange) === undefined &&
    isHtml(mediaType(document.content.response.headers))
  );
}

async function filledOrRendered(state: Recognised, world: VisitWorld, onQuiet: () => void): Promise<Shown> {
  const { context } = world;
  const filled = await fill(state, world);
  if ('by' in filled) return filled;
  try {
    const document = state.document.content;
    const rendered = await renderPage(state.entry, world, { document, onQuiet });
    return rendered ? { by: 'browser', ...rendered, template: filled } : state.shown;
  } catch (error) {
    if (!(error instanceof CaptureFault) || mayRetry(error, state.entry, context.spec)) throw error;
    // The last try keeps what HTTP brought: a page whose scripts hang is still a page.
    return { by: 'bytes', notRendered: error };
  }
}

/** Where a template fails (a damaged record, a page too large for it), the page is rendered instead. */
async function fill(
  { document: { exchange, content } }: Recognised,
  { ports: { filler, ...others }, context: { spec, signal } }: VisitWorld,
): Promise<TemplateUse | (Shown & { by: 'template' })> {
  if (!filler) return { kind: 'none' };
  const ports = { ...others, filler };
  try {
    const page = await fillablePage(content, exchange.startedAt, spec.templates ?? 0, ports);
    if (!page) return { kind: 'none' };
    if (page.verify) return { kind: 'verified', page };
    const origin = { url: content.url, depth: 0, extraHops: 0 };
    const load = (urls: readonly string[]) =>
      fetchResources(unblocked(urls, origin, ports), spec, ports.fetcher, signal);
    const filled = await fillPage(page, content, load, ports);
    return filled ? { by: 'template', filled } : { kind: 'none' };
  } catch (error) {
    if (signal?.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: 'failed',
      fault: new CaptureFault('template-failure', content.url, why, { cause: error }),
    };
  }
}

/** As in the browser, what a rule blocks is not asked for. */
function unblocked(
  urls: readonly string[],
  origin: LinkOrigin,
  { scope, clock }: Pick<VisitWorld['ports'], 'scope' | 'clock'>,
): readonly string[] {
  if (!scope.blocker) return urls;
  const isBlocked = (url: string): boolean => {
    const verdict = scope.judgeResource(url, origin, clock.now());
    return !verdict.inside && (verdict.reason === 'blocked' || verdict.reason === 'advertisement');
  };
  return urls.filter((url) => !isBlocked(url));
}
