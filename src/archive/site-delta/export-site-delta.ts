import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { Crawl } from '../../model/crawl.ts';
import { isSpared, type MirrorFact } from '../../model/mirror.ts';
import { type DeltaDocument, type DeltaMirror, type DeltaPage, UNNAMED } from '../../model/site-delta.ts';
import type { AccessedPage } from '../../ports/catalog.ts';
import { insteadOf, naming } from '../../ports/system-error.ts';
import { pageDocuments } from '../../science/evolution/page-documents.ts';
import { keptMirrors } from '../mirrors/mirror-journal.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { type SiteDelta, siteDeltaText } from './write-site-delta.ts';

export interface SiteDeltaExported {
  readonly out: string;
  readonly sites: number;
  readonly pages: number;
  /** One per access. */
  readonly documents: number;
  readonly bytes: number;
}

/** Writes the history of a site, or of all, with what histories of other archives tell of the same pages. */
export async function exportSiteDelta(
  archive: OpenArchive,
  out: string,
  site?: string,
): Promise<SiteDeltaExported> {
  const sites = await chosenSites(archive, site);
  const counts = { sites: sites.length, pages: 0, documents: 0 };
  const deltas = siteDeltas(archive, sites, ({ documents }) => {
    counts.pages++;
    counts.documents += documents.length;
  });
  const bytes = await writeWhole(out, siteDeltaText(deltas));
  return { out, ...counts, bytes };
}

async function chosenSites({ catalog }: OpenArchive, site: string | undefined): Promise<readonly string[]> {
  const sites = await catalog.historySites();
  if (site === undefined) return sites;
  if (sites.includes(site)) return [site];
  throw new UserError(
    `nothing of ${site} is in the archive; there are: ${sites.slice(0, 20).join(', ') || 'no sites'}`,
  );
}

/** Site by site; `onPage` is told of each page as it is handed out. */
export async function* siteDeltas(
  archive: Pick<OpenArchive, 'catalog' | 'identity' | 'reader'>,
  sites: readonly string[],
  onPage: (page: DeltaPage) => void = () => {},
): AsyncGenerator<SiteDelta> {
  const crawls = await archive.catalog.crawls();
  const mirrors = (await keptMirrors(archive)).filter(isSpared);
  for (const site of sites) yield await siteDelta(archive, site, { crawls, mirrors }, onPage);
}

async function siteDelta(
  { catalog, identity }: Pick<OpenArchive, 'catalog' | 'identity' | 'reader'>,
  site: string,
  known: { readonly crawls: readonly Crawl[]; readonly mirrors: readonly MirrorFact[] },
  onPage: (page: DeltaPage) => void,
): Promise<SiteDelta> {
  const own = identity?.id ?? UNNAMED;
  const { siteOf } = catalog.siteBounds();
  const told = await catalog.importedHistory(site);
  const mirrors = known.mirrors.filter(({ origin }) => origin === site).map((fact) => mirrorOf(fact, own));
  const isKnown = ({ url, path }: DeltaMirror): boolean =>
    mirrors.some((one) => one.url === url && one.path === path);
  const crawls = known.crawls
    .filter(({ spec }) => spec.seeds.some((seed) => siteOf(seed) === site))
    .map(({ startedAt, finishedAt, state }) => ({
      archive: own,
      from: startedAt,
      ...(state === 'finished' && finishedAt !== undefined && { to: finishedAt }),
    }));
  const begun = new Set(crawls.map(({ from }) => from));
  return {
    site,
    crawls: [...crawls, ...(told?.crawls ?? []).filter((one) => one.archive !== own || !begun.has(one.from))],
    mirrors: [...mirrors, ...(told?.mirrors ?? []).filter((one) => one.archive !== own || !isKnown(one))],
    async *pages() {
      for await (const page of catalog.accessedPages(site)) {
        const delta = { url: page.url, documents: documentsOf(page, own) };
        if (delta.documents.length === 0) continue;
        onPage(delta);
        yield delta;
      }
    },
  };
}

function mirrorOf(
  { mirror, path, exclusions, checkedAt, behind, since }: MirrorFact,
  archive: string,
): DeltaMirror {
  const status = { checkedAt, behind, ...(since !== undefined && { since }) };
  return { archive, url: mirror, path, exclusions: exclusions.toSorted(), ...status };
}

/** What the archive did itself, and what others tell: of an access of its own that was imported again, its own word. */
function documentsOf({ accesses, documents }: AccessedPage, own: string): readonly DeltaDocument[] {
  const made = pageDocuments(own, accesses);
  if (documents.length === 0) return made;
  const known = new Set(made.map(({ at }) => at));
  const others = documents.filter(({ archive, at }) => archive !== own || !known.has(at));
  return [...made, ...others].sort((a, b) => a.at - b.at || (a.archive < b.archive ? -1 : 1));
}

/** Characters that are written together. */
const PIECE = 256 << 10;

/** Beside the target, then renamed: whoever reads has the old file or the new one, whole. */
async function writeWhole(path: string, pieces: AsyncIterable<string>): Promise<number> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await insteadOf(path, open(temporary, 'wx'));
    let bytes = 0;
    try {
      let text = '';
      const write = async (): Promise<void> => {
        const chunk = Buffer.from(text);
        bytes += chunk.byteLength;
        text = '';
        await naming(path, file.appendFile(chunk));
      };
      for await (const piece of pieces) {
        text += piece;
        if (text.length >= PIECE) await write();
      }
      await write();
      await naming(path, file.sync());
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
