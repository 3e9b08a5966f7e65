import { isHtml, mediaType, redirectTarget } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import { answerOf } from '../../science/policy/answer.ts';
import { fetchResources } from '../../stages/fetch-resources.ts';
import { fillablePage, fillPage } from '../../stages/fill-page.ts';
import { mayRetry } from './nothing-stored.ts';
import { renderRequest } from './render-request.ts';
import type { Asked, Shown, ShownPage, TemplateUse, VisitWorld } from './visit-state.ts';

/**
 * Step: with `--render auto` HTML goes on to the browser, which is given the bytes that HTTP brought; or, with
 * `--templates`, is filled into what the browser showed of an earlier version.
 */
export async function show(state: Asked, world: VisitWorld): Promise<ShownPage> {
  const { context } = world;
  const answer = answerOf(state.document.exchange, state.fault);
  const shown = isToBeShown(state, world)
    ? await filledOrRendered(state, world, () => context.onAnswer(answer))
    : state.shown;
  context.onAnswer(answer);
  return { ...state, at: 'shown', shown };
}

function isToBeShown({ entry, document, shown }: Asked, { ports, context }: VisitWorld): boolean {
  return (
    shown.by === 'bytes' &&
    ports.renderer !== undefined &&
    context.spec.render === 'auto' &&
    entry.kind === 'page' &&
    redirectTarget(document.exchange) === undefined &&
    isHtml(mediaType(document.content.response.headers))
  );
}

async function filledOrRendered(state: Asked, world: VisitWorld, onQuiet: () => void): Promise<Shown> {
  const { ports, context } = world;
  const filled = await fill(state, world);
  if ('by' in filled) return filled;
  try {
    const request = renderRequest(state.entry.url, ports, context);
    const document = state.document.content;
    const rendering = await ports.renderer?.render({ ...request, document, onQuiet });
    return rendering ? { by: 'browser', rendering, template: filled } : state.shown;
  } catch (error) {
    if (!(error instanceof CaptureFault) || mayRetry(error, state.entry, context.spec)) throw error;
    // The last try keeps what HTTP brought: a page whose scripts hang is still a page.
    return { by: 'bytes', notRendered: error };
  }
}

/** What goes wrong with a template (a record is damaged, the page is too much for it) the browser makes good. */
async function fill(
  { document: { exchange, content } }: Asked,
  { ports: { filler, ...others }, context: { spec, signal } }: VisitWorld,
): Promise<TemplateUse | (Shown & { by: 'template' })> {
  if (!filler) return { kind: 'none' };
  const ports = { ...others, filler };
  try {
    const page = await fillablePage(content, exchange.startedAt, spec.templates ?? 0, ports);
    if (!page) return { kind: 'none' };
    if (page.verify) return { kind: 'verified', page };
    const load = (urls: readonly string[]) => fetchResources(urls, spec, ports.fetcher, signal);
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
