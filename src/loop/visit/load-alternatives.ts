import type { FrontierEntry } from '../../model/crawl.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { type AlternativesContext, chooseAlternatives, outOfTime } from '../../stages/choose-alternatives.ts';
import { fetchResources } from '../../stages/fetch-resources.ts';
import type { LoadedAlternatives } from './visit-state.ts';

export const NO_ALTERNATIVES: LoadedAlternatives = { exchanges: [], lost: [], skips: [] };

/** What a page would load on another screen, over HTTP, in one go with the page and in the time that a page has. */
export async function loadAlternatives(
  urls: readonly string[],
  from: FrontierEntry,
  context: AlternativesContext & { readonly fetcher: Fetcher; readonly signal?: AbortSignal | undefined },
): Promise<LoadedAlternatives> {
  const { spec, clock, fetcher, signal } = context;
  const { wanted, skips } = chooseAlternatives(urls, from, context);
  const until = clock.now() + spec.limits.responseTime;
  const { exchanges, lost, unasked } = await fetchResources(wanted, spec, fetcher, signal, {
    resourceType: 'alternative',
    isOver: () => clock.now() >= until,
  });
  return { exchanges, lost, skips: [...skips, ...unasked.map((url) => outOfTime(url, from))] };
}
