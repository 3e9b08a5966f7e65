import { type CrawlSpec, hasHashPages } from '../../model/crawl.ts';
import type { RenderRequest } from '../../ports/renderer.ts';
import { linkSelectors } from './link-selectors.ts';
import type { VisitContext, VisitPorts } from './visit-state.ts';

/** How the pages of a crawl are looked at. */
export function renderRequest(
  url: string,
  { analyser, scope: { blocker } }: Pick<VisitPorts, 'analyser' | 'scope'>,
  { spec, signal }: VisitContext,
): RenderRequest {
  const selectors = linkSelectors(spec);
  return {
    url,
    userAgent: spec.politeness.userAgent,
    timeLimit: spec.limits.responseTime,
    sizeLimit: spec.limits.responseSize,
    snapshot: analyser !== undefined,
    ...pageLook(spec),
    ...(spec.consent !== undefined && { consent: spec.consent }),
    ...(blocker && { blocker }),
    ...(selectors.length > 0 && { selectLinks: selectors }),
    ...(hasHashPages(spec) && { keepsFragments: true }),
    ...(signal && { signal }),
  };
}

function pageLook({
  page,
}: Pick<CrawlSpec, 'page'>): Pick<RenderRequest, 'screenshots'> & Partial<RenderRequest> {
  if (!page) return { screenshots: true };
  const { screenshots, behaviors, behaviorTimeout, postLoadDelay, device, language } = page;
  return {
    screenshots: screenshots.includes('view'),
    ...(screenshots.includes('fullPage') && { wholePage: 'jpeg' as const }),
    ...{ behaviors, behaviorTimeout, postLoadDelay },
    ...(device && { device }),
    ...(language !== undefined && { language }),
  };
}
