import { describe, expect, it } from 'vitest';
import type { SiteList } from '../archive/sites/list-sites.ts';
import { siteListText } from './sites-text.ts';

const measures = { theorem: 1, uniform: 1, outdegree: 1, local: 1, maximum: 1, interSite: 1 };
const site = {
  site: 'a.example',
  pages: 3,
  known: 3,
  importance: 1,
  changeRate: 2 / 86_400,
  lastRead: Date.UTC(2026, 2, 1),
  failures: 0,
  priority: 0.5,
  reason: '',
  measures,
};
const text = (rankCorrelation: SiteList['rankCorrelation']): string => {
  const list = { archived: [site], fresh: [], ...(rankCorrelation !== undefined && { rankCorrelation }) };
  return siteListText(list, list);
};

describe('a list of sites', () => {
  it('a rate => changes per page and day, as refresh says it', () => {
    expect(text(undefined)).toMatch(/importance +changes\/page\/day/);
    expect(text(undefined)).not.toContain('Rank correlation');
  });

  it('one site => no rank correlation; several => one of each measure', () => {
    expect(text(null)).toContain('Rank correlation with the theorem: undefined, with fewer than two sites');
    const like = { uniform: 0.5, outdegree: 1, local: 1, maximum: 1, interSite: 1 };
    expect(text(like)).toContain('Rank correlation with the theorem: uniform 0.500, outdegree 1.000');
  });
});
