import type { ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import type { SiteCompleteness } from './live-completeness.ts';
import { percentText } from './times.ts';

/** What is said of the completeness of a site: a name, the number with its interval, and what it means. */
export function completenessWords(
  site: SiteCompleteness | null,
): readonly { readonly name: string; readonly value: string; readonly means: string }[] {
  if (!site) return [];
  const { pages, visits, sampled } = site;
  const some = sampled > pages ? '' : `, of ${pages} pages`;
  return [
    ...told(
      'per page',
      site.perPage,
      `of what appeared on each page, by importance${some} and ${visits} visits`,
    ),
    ...told('pooled', site.pooled, 'of all that appeared, pages by their importance'),
    ...told(
      'freshness',
      site.freshness,
      'of the pages are now as they were last seen, if they change as before',
    ),
  ];
}

function told(name: string, interval: ConfidenceInterval | undefined, means: string) {
  if (!interval) return [];
  const { mean, low, high } = interval;
  return [{ name, value: `${percentText(mean)} (${percentText(low)} to ${percentText(high)})`, means }];
}
