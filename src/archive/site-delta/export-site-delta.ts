import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { Crawl } from '../../model/crawl.ts';
import { isSpared, type MirrorFact } from '../../model/mirror.ts';
import { isPrivateFile } from '../../model/private-capture.ts';
import {
  type DeltaDocument,
  type DeltaMirror,
  type DeltaPage,
  type PageAccess,
  UNNAMED,
} from '../../model/site-delta.ts';
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

/** Writes the history of one site, or of all, with what histories of other archives tell of the same pages. */
export async function exportSiteDelta(
  archive: OpenArchive,
  out: string,
  site?: string,
  includePrivate = false,
): Promise<SiteDeltaExported> {
  const sites = await chosenSites(archive, site, includePrivate);
  const counts = { sites: sites.length, pages: 0, documents: 0 };
  const onPage = ({ documents }: DeltaPage): void => {
    counts.pages++;
    counts.documents += documents.length;
  };
  const deltas = siteDeltas(archive, sites, onPage, includePrivate);
  const bytes = await archive.catalog.inPassing(() => writeWhole(out, siteDeltaText(deltas)));
  return { out, ...counts, bytes };
}

async function chosenSites(
  archive: OpenArchive,
  site: string | undefined,
  includePrivate: boolean,
): Promise<readonly string[]> {
  const all = await archive.catalog.historySites();
  const sites = includePrivate ? all : await publicSites(archive, all);
  if (site === undefined) return sites;
  if (sites.includes(site)) return [site];
  if (all.includes(site))
    throw new UserError(`all that is held of ${site} is private: add --include-private to write it`);
  throw new UserError(
    `nothing of ${site} is in the archive; there are: ${sites.slice(0, 20).join(', ') || 'no sites'}`,
  );
}

/**
 * Sites of which anything may be disclosed: merely naming one that was seen with secrets would say who has an account
 * where.
 */
async function publicSites(archive: ToldArchive, sites: readonly string[]): Promise<readonly string[]> {
  const hidden = privateCrawls(await archive.catalog.crawls());
  if (hidden.length === 0) return sites;
  const told: string[] = [];
  for (const site of sites) if (await isToldOf(archive.catalog, site, hidden)) told.push(site);
  return told;
}

async function isToldOf(
  catalog: ToldArchive['catalog'],
  site: string,
  hidden: readonly Crawl[],
): Promise<boolean> {
  const imported = await catalog.importedHistory(site);
  if (imported && imported.crawls.length + imported.mirrors.length > 0) return true;
  for await (const { accesses, documents } of catalog.accessedPages(site))
    if (documents.length > 0 || accesses.some((access) => !isHidden(access, hidden))) return true;
  return false;
}

const privateCrawls = (crawls: readonly Crawl[]): readonly Crawl[] =>
  crawls.filter(({ spec }) => spec.supplied !== undefined);

type ToldArchive = Pick<OpenArchive, 'catalog' | 'identity' | 'reader'>;

/** Site by site; `onPage` is called with each page as it is handed out. */
export async function* siteDeltas(
  archive: ToldArchive,
  sites: readonly string[],
  onPage: (page: DeltaPage) => void = () => {},
  includePrivate = false,
): AsyncGenerator<SiteDelta> {
  const crawls = await archive.catalog.crawls();
  const hidden = includePrivate ? undefined : privateCrawls(crawls);
  const spared = (await keptMirrors(archive)).filter(isSpared);
  const seen = (await archive.catalog.historySites()).filter((one) =>
    spared.some(({ mirror }) => mirror === one),
  );
  const named = new Set(includePrivate ? seen : await publicSites(archive, seen));
  // A mirror that was never crawled itself is reported with the origin's pages.
  const mirrors = spared.filter(({ mirror }) => named.has(mirror) || !seen.includes(mirror));
  const shown = crawls.filter((crawl) => !hidden?.includes(crawl));
  for (const site of sites) yield await siteDelta(archive, site, { crawls: shown, hidden, mirrors }, onPage);
}

async function siteDelta(
  { catalog, identity }: ToldArchive,
  site: string,
  known: {
    readonly crawls: readonly Crawl[];
    /** Private crawls that must not be disclosed; undefined where all may be. */
    readonly hidden: readonly Crawl[] | undefined;
    readonly mirrors: readonly MirrorFact[];
  },
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
        const accesses = page.accesses.filter((access) => !isHidden(access, known.hidden));
        const delta = { url: page.url, documents: documentsOf({ ...page, accesses }, own) };
        if (delta.documents.length === 0) continue;
        onPage(delta);
        yield delta;
      }
    },
  };
}

/** For a visit without a record, only the time says which crawl made it. */
function isHidden(access: PageAccess, hidden: readonly Crawl[] | undefined): boolean {
  if (hidden === undefined) return false;
  if (access.kind === 'answer') return isPrivateFile(access.file ?? '');
  return hidden.some(
    ({ startedAt, finishedAt }) =>
      access.at >= startedAt && access.at <= (finishedAt ?? Number.POSITIVE_INFINITY),
  );
}

function mirrorOf(
  { mirror, path, exclusions, checkedAt, behind, since }: MirrorFact,
  archive: string,
): DeltaMirror {
  const status = { checkedAt, behind, ...(since !== undefined && { since }) };
  return { archive, url: mirror, path, exclusions: exclusions.toSorted(), ...status };
}

/**
 * What the archive did itself, and what others tell; for an access of its own that was imported back, its own account.
 */
function documentsOf({ accesses, documents }: AccessedPage, own: string): readonly DeltaDocument[] {
  const made = pageDocuments(own, accesses);
  if (documents.length === 0) return made;
  const known = new Set(made.map(({ at }) => at));
  const others = documents.filter(({ archive, at }) => archive !== own || !known.has(at));
  return [...made, ...others].sort((a, b) => a.at - b.at || (a.archive < b.archive ? -1 : 1));
}

/** Characters that are written together. */
const PIECE = 256 << 10;

/** Written next to the target, then renamed: readers see either the old file or the new one, whole. */
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
