import { createPageReader } from '../../capture/page-reader.ts';
import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import { isSpared, type MirroredSite, type MirrorFact } from '../../model/mirror.ts';
import type { Millis } from '../../model/time.ts';
import { mirrorNow } from '../../stages/find-mirrors.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { keepMirrors, keptMirrors } from './mirror-journal.ts';

export interface SparedMirrors {
  readonly mirrors: readonly MirroredSite[];
  /** Why a known mirror is nevertheless visited whole. */
  readonly notes: readonly string[];
}

/** Sites of the seeds that are known to mirror another site which is not a seed; with several origins, the largest part. */
export async function sparedMirrors(
  archive: Pick<OpenArchive, 'catalog' | 'reader'>,
  { seeds }: CrawlSpec,
): Promise<SparedMirrors> {
  const sites = new Set(seeds.map(archive.catalog.siteBounds().siteOf));
  const facts = (await keptMirrors(archive)).filter(isSpared).toSorted((a, b) => b.agreeing - a.agreeing);
  const bySite = new Map<string, MirroredSite>();
  // Sites crawled together would be compared with their state before the crawl, but the origin has to be
  // newer.
  for (const { mirror, origin, path, exclusions } of facts)
    if (sites.has(mirror) && !sites.has(origin) && !bySite.has(mirror))
      bySite.set(mirror, { mirror, origin, path, exclusions });
  const whole = facts.filter(
    ({ mirror, origin }) => sites.has(mirror) && sites.has(origin) && !bySite.has(mirror),
  );
  const notes = whole.map(
    ({ mirror, origin }) =>
      `${mirror} is known to mirror ${origin}, and is visited whole: this crawl begins at both, and a mirror is compared with what the ` +
      'archive held of its origin before; crawl the origin first, then the mirror, to visit a sample',
  );
  return { mirrors: [...bySite.values()], notes };
}

/**
 * After a crawl: records when each mirror was checked, and which ones no longer are mirrors. What a person has
 * confirmed stays confirmed.
 */
export async function settleMirrorFacts(
  archive: Pick<OpenArchive, 'catalog' | 'reader' | 'folder'>,
  { id, spec }: Crawl,
  now: Millis,
): Promise<void> {
  if (!spec.mirrors) return;
  const inferences = (await archive.catalog.inferences({ crawlId: id })).filter(
    ({ reason }) => reason === 'mirror',
  );
  const known = await keptMirrors(archive);
  const settled: MirrorFact[] = [];
  for (const { mirror, origin } of spec.mirrors) {
    const fact = known.find((one) => one.mirror === mirror && one.origin === origin);
    const own = inferences.filter(({ site }) => site === mirror);
    if (!fact || own.length === 0) continue;
    const { standing } = fact;
    if (!own.some(({ state }) => state === 'visited')) settled.push({ ...fact, checkedAt: now });
    else {
      // All of it was visited: what was found before the crawl no longer holds.
      const today = await mirrorNow(fact, { ...archive, pageReader: createPageReader() }, now);
      const ended = standing === 'confirmed' ? standing : 'ended';
      settled.push({ ...(today ?? { ...fact, checkedAt: now }), standing: ended });
    }
  }
  await keepMirrors(archive, settled);
}
