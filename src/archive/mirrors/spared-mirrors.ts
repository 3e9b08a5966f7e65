import { createPageReader } from '../../capture/page-reader.ts';
import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import { isSpared, type MirroredSite, type MirrorFact } from '../../model/mirror.ts';
import type { Millis } from '../../model/time.ts';
import { mirrorNow } from '../../stages/find-mirrors.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { keepMirrors, keptMirrors } from './mirror-journal.ts';

export interface SparedMirrors {
  readonly mirrors: readonly MirroredSite[];
  /** Why a known mirror is visited whole all the same. */
  readonly notes: readonly string[];
}

/** Sites of the seeds that are known to mirror another which this crawl does not begin at; of several origins the largest part. */
export async function sparedMirrors(
  archive: Pick<OpenArchive, 'catalog' | 'reader'>,
  { seeds }: CrawlSpec,
): Promise<SparedMirrors> {
  const sites = new Set(seeds.map(archive.catalog.siteBounds().siteOf));
  const facts = (await keptMirrors(archive)).filter(isSpared).toSorted((a, b) => b.agreeing - a.agreeing);
  const bySite = new Map<string, MirroredSite>();
  // What is crawled together is compared with what was before the crawl: the origin is to be newer.
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

/** After a crawl: when each mirror was checked, and those that are none any more. What a person has confirmed stays confirmed. */
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
      // All of it was visited: what was found before the crawl holds no more.
      const today = await mirrorNow(fact, { ...archive, pageReader: createPageReader() }, now);
      const ended = standing === 'confirmed' ? standing : 'ended';
      settled.push({ ...(today ?? { ...fact, checkedAt: now }), standing: ended });
    }
  }
  await keepMirrors(archive, settled);
}
