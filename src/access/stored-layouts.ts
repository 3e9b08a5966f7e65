import { textOf } from '../model/body.ts';
import type { CaptureFact } from '../model/capture.ts';
import type { Delta } from '../model/delta.ts';
import { deltaUri, layoutUri, snapshotUri } from '../model/derived-uris.ts';
import type { Layout } from '../model/layout.ts';
import type { PageSnapshot } from '../model/page-snapshot.ts';
import { looksOf } from '../model/shown-versions.ts';
import { unpackSnapshot } from '../model/snapshot-codec.ts';
import type { Millis } from '../model/time.ts';
import type { AnalysisCatalog } from '../ports/catalog.ts';
import type { RecordReader } from '../ports/record-store.ts';
import { diffLayouts } from '../science/delta/diff-layouts.ts';
import { parseViDelta } from '../science/delta/read-vi-delta.ts';
import { parseViXml } from '../science/layout/vi-xml.ts';
import { type CaptureName, type NamingCatalog, namedCapture } from './capture-name.ts';
import { formatTimestamp } from './replay-url.ts';

export interface StoredArchive {
  readonly catalog: NamingCatalog & AnalysisCatalog;
  readonly reader: Pick<RecordReader, 'read'>;
}

/** One version as it was looked at when it was captured, or analysed. */
export interface StoredSide {
  readonly url: string;
  /** Of the capture that was asked for. */
  readonly at: Millis;
  readonly layout: Layout;
  readonly snapshot?: PageSnapshot;
  /** As of ViewedPage, where they are asked for. */
  readonly pictures?: ReadonlyMap<string, string>;
  readonly facts: readonly string[];
}

export interface StoredComparison {
  readonly old: StoredSide;
  readonly new: StoredSide;
  readonly delta: Delta;
  /** Whether the delta stands in the archive; else it was computed from the stored layouts. */
  readonly isStored: boolean;
}

/**
 * Two stored captures by their stored layouts: by the delta between them where they follow each other. Nothing is shown again.
 * A sentence says what keeps them from being compared.
 */
export async function compareStored(
  [before, after]: readonly [CaptureName, CaptureName],
  archive: StoredArchive,
): Promise<StoredComparison | string> {
  const old = await storedSide(before, archive);
  if (typeof old === 'string') return old;
  const now = await storedSide(after, archive);
  if (typeof now === 'string') return now;
  if (old.layout.segmenter !== now.layout.segmenter)
    return `the stored layouts are by two segmenters, ${old.layout.segmenter} and ${now.layout.segmenter}: 'daguerre analyse --again --url ${now.url}' makes them alike`;
  const stored = await storedDelta(old, now, archive);
  return {
    old,
    new: now,
    delta: stored ?? diffLayouts(old.layout, now.layout),
    isStored: stored !== undefined,
  };
}

/** One capture by its stored layout; a sentence where there is none. */
export async function storedSide(name: CaptureName, archive: StoredArchive): Promise<StoredSide | string> {
  const { catalog, reader } = archive;
  const { url, at } = await namedCapture(name, catalog);
  const none = `no layout of ${url}@${formatTimestamp(at)} is stored: 'daguerre analyse --url ${url}' makes it`;
  const found = await lookAt(url, at, archive);
  const fact = found && (await exactly(layoutUri(url), found.layoutAt, archive));
  if (!found || !fact) return none;
  const layout = parseViXml(await textOf((await reader.read(fact)).payload));
  const snapshot = await exactly(snapshotUri(url), found.layoutAt, archive);
  const { facts } = found;
  if (!snapshot) return { url, at, layout, facts };
  const packed = await textOf((await reader.read(snapshot)).payload);
  return { url, at, layout, snapshot: unpackSnapshot(packed), facts };
}

/** The capture whose layout shows this one. */
async function lookAt(
  url: string,
  at: Millis,
  { catalog }: StoredArchive,
): Promise<{ readonly layoutAt: Millis; readonly facts: readonly string[] } | undefined> {
  for await (const { versions } of catalog.storedVersions({ url })) {
    const look = looksOf(versions)[versions.findIndex((version) => version.at === at)];
    if (look?.layoutAt !== undefined) return { layoutAt: look.layoutAt, facts: look.facts };
  }
  return undefined;
}

async function exactly(
  uri: string,
  at: Millis,
  { catalog }: StoredArchive,
): Promise<CaptureFact | undefined> {
  const fact = await catalog.closest(uri, at);
  return fact?.at === at ? fact : undefined;
}

async function storedDelta(
  old: StoredSide,
  now: StoredSide,
  archive: StoredArchive,
): Promise<Delta | undefined> {
  const to = Date.parse(now.layout.version);
  const fact = old.url === now.url ? await exactly(deltaUri(now.url), to, archive) : undefined;
  if (!fact) return undefined;
  const delta = parseViDelta(await textOf((await archive.reader.read(fact)).payload));
  const isBetween = delta.from.version === old.layout.version && delta.to.version === now.layout.version;
  return isBetween ? delta : undefined;
}
