import type { PatternCatalog, SiteCatalog } from '../../ports/catalog.ts';
import { type ChangesBetween, expectedChanges } from '../../science/browsing/expected-changes.ts';
import { LEARNING } from '../../science/patterns/learn.ts';
import { learntPattern } from '../../science/patterns/learnt-pattern.ts';
import { slotPlan } from '../../science/patterns/slots.ts';

export interface PageExpectation {
  readonly expected: ChangesBetween;
  /** `pattern`: learnt from visits of the page; `prior`: nothing is learnt of it, and every hour is taken to be alike. */
  readonly basis: 'pattern' | 'prior';
}

type LearntCatalog = Pick<PatternCatalog, 'pagePatterns' | 'learntSite' | 'patternGroups'> &
  Pick<SiteCatalog, 'siteBounds'>;

/** How many changes of a page are to be expected between two moments, by what crawls have learnt. */
export async function expectationOf(catalog: LearntCatalog, url: string): Promise<PageExpectation> {
  for await (const { kind, group, sums } of catalog.pagePatterns({ urls: [url] })) {
    const site = catalog.siteBounds().siteOf(url);
    const { zone = 'UTC' } = (await catalog.learntSite(site)) ?? {};
    const groups = await catalog.patternGroups(site);
    const shape = groups.find((one) => one.kind === kind && one.number === group)?.shape;
    const pattern = learntPattern(sums, slotPlan(kind, { zone }), shape);
    return { expected: expectedChanges(pattern), basis: 'pattern' };
  }
  return { expected: (from, to) => ((to - from) / 3600) * LEARNING.rate, basis: 'prior' };
}
