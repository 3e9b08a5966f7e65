import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CaptureFact } from '../../model/capture.ts';
import { CERTIFICATE } from '../../model/certificate.ts';
import { CRAWL_LOG, pageOfUri } from '../../model/derived-uris.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';
import type { Millis } from '../../model/time.ts';
import type { ResultCatalog, SiteCatalog } from '../../ports/catalog.ts';
import { localFile } from '../../storage/record-copies.ts';
import { collectionOf, copyRecords } from '../../warc/copy-records.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';

/** What to export from the archive; everything where nothing is given. */
export interface ExportFilter {
  readonly site?: string;
  readonly urlPrefix?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly collection?: string;
}

export interface Selection {
  /** In the order of the catalog. */
  captures(): AsyncIterable<CaptureFact>;
  /** Whether a capture was asked for itself, rather than needed by one that was. */
  isAsked(fact: CaptureFact): boolean;
  /** Visits that brought what was asked for. */
  readonly events: ReadonlySet<string>;
  /** Captures that were asked for, and those that were added for them. */
  readonly asked: number;
  readonly originals: number;
}

export const isFiltered = (filter: ExportFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

const placeOf = ({ file, offset }: Pick<CaptureFact, 'file' | 'offset'>): string => `${offset} ${file}`;

/**
 * The captures that a filter asks for, with everything they need to be complete: what the same visits brought (images
 * from other hosts), what was fetched on its own for the pages, and the originals of revisits, whenever and wherever
 * those were captured. Logs and certificates of crawls speak of the whole archive and are left out.
 */
export async function selectCaptures(
  archive: OpenArchive,
  filter: ExportFilter,
  isWanted: (fact: { readonly file: string }) => boolean,
): Promise<Selection> {
  const { catalog } = archive;
  const bounds = catalog.siteBounds();
  const ofCollection = await filesOf(archive, filter.collection);
  const files = new Set([...ofCollection].filter((file) => isWanted({ file })));
  const asked = new Set<string>();
  const events = await embeddedEvents(catalog, filter);
  for await (const fact of catalog.captures({})) {
    if (!files.has(fact.file) || !matches(fact, filter, bounds)) continue;
    asked.add(placeOf(fact));
    if (fact.eventId !== undefined) events.add(fact.eventId);
  }
  const originals = new Set<string>();
  for await (const fact of catalog.captures({})) {
    if (fact.eventId !== undefined && events.has(fact.eventId) && files.has(fact.file))
      asked.add(placeOf(fact));
    if (fact.type !== 'revisit' || !asked.has(placeOf(fact))) continue;
    const original = await catalog.originalOf(fact);
    if (original) originals.add(placeOf(original));
  }
  for (const place of asked) originals.delete(place);
  if (asked.size === 0) throw new UserError(await nothingFound(archive, filter));
  return {
    async *captures() {
      for await (const fact of catalog.captures({}))
        if (asked.has(placeOf(fact)) || originals.has(placeOf(fact))) yield fact;
    },
    isAsked: (fact) => asked.has(placeOf(fact)),
    events,
    asked: asked.size,
    originals: originals.size,
  };
}

/** Copies the chosen records into files of their own, next to the output file; the facts name those files. */
export async function copySelection(
  { folder }: Pick<OpenArchive, 'folder'>,
  selection: Selection,
  out: string,
): Promise<{
  readonly paths: readonly string[];
  /** Captures whose records cannot be read. */
  readonly leftOut: number;
  captures(): AsyncIterable<CaptureFact>;
  remove(): Promise<void>;
}> {
  const offsets = new Map<string, Set<number>>();
  for await (const { file, offset } of selection.captures())
    offsets.set(file, (offsets.get(file) ?? new Set()).add(offset));
  const room = await mkdtemp(join(dirname(out), `.${basename(out)}-`));
  const remove = (): Promise<void> => rm(room, { recursive: true, force: true });
  try {
    const places = new Map<string, ReadonlyMap<number, number>>();
    const paths: string[] = [];
    let leftOut = 0;
    for (const [file, wanted] of offsets) {
      paths.push(join(room, file));
      const copied = await copyRecords(
        await localFile(folder, file),
        join(room, file),
        wanted,
        selection.events,
      );
      places.set(file, copied);
      leftOut += wanted.size - copied.size;
    }
    return {
      paths,
      leftOut,
      async *captures() {
        for await (const fact of selection.captures()) {
          const offset = places.get(fact.file)?.get(fact.offset);
          if (offset !== undefined) yield { ...fact, offset };
        }
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function matches(
  { url, at }: CaptureFact,
  { site, urlPrefix, from, to }: ExportFilter,
  { siteOf }: Pick<SiteBounds, 'siteOf'>,
): boolean {
  if (url.startsWith(CRAWL_LOG) || url.startsWith(CERTIFICATE)) return false;
  const page = pageOfUri(url) ?? url;
  return (
    (site === undefined || siteOf(page) === site) &&
    (urlPrefix === undefined || page.startsWith(urlPrefix)) &&
    (from === undefined || at >= from) &&
    (to === undefined || at <= to)
  );
}

/** Visits to embedded resources, where these were fetched on their own: their reason names the page. */
async function embeddedEvents(
  catalog: ResultCatalog & Pick<SiteCatalog, 'siteBounds'>,
  filter: ExportFilter,
): Promise<Set<string>> {
  const { siteOf } = catalog.siteBounds();
  const events = new Set<string>();
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  if (filter.site === undefined && filter.urlPrefix === undefined) return events;
  for (const { id } of await catalog.crawls()) {
    for (const result of ['captured', 'unchanged'] as const) {
      for (const { at, reason, eventId } of await catalog.settledVisits({
        crawlId: id,
        kind: 'resource',
        result,
      })) {
        const page = /\bembedded in (\S+)$/.exec(reason)?.[1];
        if (page === undefined || eventId === undefined || at < from || at > to) continue;
        if (filter.site !== undefined && siteOf(page) !== filter.site) continue;
        if (filter.urlPrefix === undefined || page.startsWith(filter.urlPrefix)) events.add(eventId);
      }
    }
  }
  return events;
}

/** Record files of a collection, by their first record, whoever wrote them. */
async function filesOf(
  { catalog, folder }: OpenArchive,
  collection: string | undefined,
): Promise<Set<string>> {
  const files = (await catalog.warcFiles()).map(({ file }) => file);
  if (collection === undefined) return new Set(files);
  const found = new Set<string>();
  const known = new Set<string>();
  for (const file of files) {
    const name = await collectionOf(await localFile(folder, file));
    if (name !== undefined) known.add(name);
    if (name === collection) found.add(file);
  }
  if (found.size > 0) return found;
  throw new UserError(
    `there is no collection '${collection}' in the archive; there are: ${[...known].sort().join(', ') || 'none'}`,
  );
}

async function nothingFound({ catalog }: OpenArchive, { site, from, to }: ExportFilter): Promise<string> {
  const sites = await catalog.sites();
  const asked = sites.find((one) => one.site === site);
  if (site !== undefined && !asked) {
    const known = sites.map((one) => one.site).slice(0, 20);
    return `nothing of ${site} is in the archive; there are: ${known.join(', ') || 'no sites'}`;
  }
  const [first, last] = [
    Math.min(...(asked ? [asked] : sites).map(({ firstAt }) => firstAt)),
    Math.max(...(asked ? [asked] : sites).map(({ lastAt }) => lastAt)),
  ];
  const span =
    from === undefined && to === undefined
      ? ''
      : `; captures ${asked ? `of ${asked.site} ` : ''}are from ${new Date(first).toISOString()} to ${new Date(last).toISOString()}`;
  return `no capture is as asked for${span}`;
}
