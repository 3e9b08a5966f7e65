import { isSpared, type MirrorFact } from '../model/mirror.ts';

/** `up to date`; `behind by 3 pages, since 2026-03-01T07:00:00.000Z`; `20 pages differ`. */
export function mirrorStatus({
  behind,
  since,
  pages,
  agreeing,
}: Pick<MirrorFact, 'behind' | 'since' | 'pages' | 'agreeing'>): string {
  // Some of those that are behind are not counted among the pages: the mirror lacks them.
  const differing = pages - agreeing;
  const differ = `${differing === 1 ? 'one page differs' : `${differing} pages differ`}`;
  if (behind === 0) return differing > 0 ? differ : 'up to date';
  const late = behind === 1 ? 'one page' : `${behind} pages`;
  const words = `behind by ${late}${since === undefined ? '' : `, since ${new Date(since).toISOString()}`}`;
  return differing > behind ? `${words}; ${differ}` : words;
}

/** What a site is known to mirror, in the words of a list; undefined where it is none. Of several origins the largest part. */
export function mirrorWords(site: string, facts: readonly MirrorFact[]): string | undefined {
  const [fact] = facts
    .filter((one) => one.mirror === site && isSpared(one))
    .toSorted((a, b) => b.agreeing - a.agreeing);
  if (!fact) return undefined;
  const { origin, path, exclusions } = fact;
  const but = exclusions.length === 0 ? '' : ` but for ${exclusions.join(', ')}`;
  return `mirrors ${origin}${path === '/' ? '' : ` in ${path}`}${but}, ${mirrorStatus(fact)}`;
}
