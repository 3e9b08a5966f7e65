import type { FrontierEntry } from '../../model/crawl.ts';
import type { Rendering, RenderRequest } from '../../ports/renderer.ts';
import { loadAlternatives, NO_ALTERNATIVES } from './load-alternatives.ts';
import { renderRequest } from './render-request.ts';
import type { LoadedAlternatives, PageRendering, VisitWorld } from './visit-state.ts';

/** With `--render auto`: what HTTP brought, and who wants to know that the host may be asked again. */
export type Given = Pick<RenderRequest, 'document' | 'onQuiet'>;

/**
 * The page in the browser and, beginning as soon as it has been read, what it would load on another screen. The host is
 * free when both are done with it. Undefined where nothing is rendered.
 */
export async function renderPage(
  entry: FrontierEntry,
  { ports, context }: VisitWorld,
  { document, onQuiet }: Given = {},
): Promise<PageRendering | undefined> {
  const { renderer, fetcher, scope, clock } = ports;
  const { spec, signal, before } = context;
  if (!renderer) return undefined;
  let loading: Promise<LoadedAlternatives> = Promise.resolve(NO_ALTERNATIVES);
  const onAlternatives = (urls: readonly string[]): void => {
    loading = loadAlternatives(urls, entry, { spec, scope, fetcher, clock, before, signal });
    // Its failure is told below, when the page is there.
    loading.catch(() => {}).finally(() => onQuiet?.());
  };
  const wanted = spec.alternatives === 'all' ? { onAlternatives } : { ...(onQuiet && { onQuiet }) };
  let rendering: Rendering | undefined;
  try {
    rendering = await renderer.render({
      ...renderRequest(entry.url, ports, context),
      ...(document && { document }),
      ...wanted,
    });
    for (const { url } of rendering.exchanges) before.add(url);
    return { rendering, alternatives: await loading };
  } catch (error) {
    const { exchanges } = await loading.catch(() => NO_ALTERNATIVES);
    const all = [...exchanges, ...(rendering?.exchanges ?? [])];
    await Promise.all(all.map(({ response }) => response.body.release()));
    throw error;
  }
}
