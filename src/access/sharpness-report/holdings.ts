import type { CertificateStatement } from '../../model/certificate.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog, SiteCatalog } from '../../ports/catalog.ts';

export interface Completeness {
  readonly estimate: number;
  readonly archived: number;
  readonly believed: number;
}

interface PageVersions {
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  readonly digests: ReadonlySet<string>;
}

/**
 * One walk over the captures of the site.
 * @param learntAt when what is believed of its pages was learnt: captures after it are `later`
 */
export async function holdings(
  site: string,
  catalog: CaptureCatalog & Pick<SiteCatalog, 'siteBounds'>,
  learntAt: Millis,
) {
  let later = 0;
  const { siteOf, prefixesOf } = catalog.siteBounds();
  const storage = { captures: 0, bytes: 0, revisits: 0, saved: 0 };
  /** Bytes of each payload that is held, and revisits by theirs: a 304 tells no size of its own. */
  const payloads = new Map<string, number>();
  const unsized = new Map<string, number>();
  const versions = new Map<string, PageVersions & { lastAt: Millis; digests: Set<string> }>();
  for (const prefix of prefixesOf(site)) {
    for await (const { url, at, type, length, digest } of catalog.captures({ urlPrefix: prefix })) {
      if (siteOf(url) !== site) continue;
      storage.captures++;
      if (at > learntAt) later++;
      storage.bytes += length;
      if (type === 'revisit') {
        storage.revisits++;
        storage.saved += digest.size;
        if (digest.size === 0) unsized.set(digest.sha256, (unsized.get(digest.sha256) ?? 0) + 1);
      } else payloads.set(digest.sha256, digest.size);
      const known = versions.get(url);
      if (!known) versions.set(url, { firstAt: at, lastAt: at, digests: new Set([digest.sha256]) });
      else {
        known.lastAt = Math.max(known.lastAt, at);
        known.digests.add(digest.sha256);
      }
    }
  }
  for (const [sha256, revisits] of unsized) storage.saved += revisits * (payloads.get(sha256) ?? 0);
  return { storage, versions, later };
}

/**
 * From its first capture to its last, a page of rate λ is believed to have had 1 + λT versions; those archived are
 * told apart by their digests. An estimate: rates are beliefs, and a page never captured counts for nothing. Null where most
 * captures are younger than the beliefs: a page that nobody had seen change yet would be complete whatever was missed.
 */
export function completenessOf(
  { pages }: CertificateStatement,
  { versions, later, storage }: Awaited<ReturnType<typeof holdings>>,
): Completeness | null {
  if (later * 2 > storage.captures) return null;
  let archived = 0;
  let believed = 0;
  for (const { url, rate } of pages) {
    const known = versions.get(url);
    if (!known) continue;
    const expected = 1 + (rate * (known.lastAt - known.firstAt)) / 1000;
    archived += known.digests.size;
    believed += Math.max(expected, known.digests.size);
  }
  return believed > 0 ? { estimate: archived / believed, archived, believed } : null;
}
