import { textOf } from '../../model/body.ts';
import { layoutUri } from '../../model/derived-uris.ts';
import type { Layout } from '../../model/layout.ts';
import { looksOf } from '../../model/shown-versions.ts';
import type { Millis } from '../../model/time.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import { DigestBuilder, type DigestItem } from '../../science/browsing/digest.ts';
import { parseViXml } from '../../science/layout/vi-xml.ts';
import { archivedUrl } from '../capture-name.ts';
import { nearestMemento } from '../memento/nearest-memento.ts';
import { formatTimestamp } from '../replay-url.ts';

export interface DigestedItem extends DigestItem {
  /** The capture of the article next to when it was first seen; absent where it is not archived. */
  readonly archived?: { readonly url: string; readonly at: Millis; readonly timestamp: string };
}

export interface PageDigest {
  readonly url: string;
  readonly title: string;
  readonly from: Millis;
  readonly to: Millis;
  /** Versions that it was made of. */
  readonly versions: number;
  /** Captures of the span that nobody looked at, and that are not in it: `daguerre analyse` mends that. */
  readonly unread: number;
  readonly headlines: number;
  readonly sections: readonly { readonly name: string; readonly items: readonly DigestedItem[] }[];
}

interface DigestArchive {
  readonly catalog: Catalog;
  readonly reader: Pick<RecordReader, 'read'>;
}

export interface DigestQuery {
  readonly url: string;
  readonly from: Millis;
  readonly to: Millis;
}

/** All headlines of a span; undefined where nothing of the page is archived. One layout is held at a time. */
export async function pageDigest(
  archive: DigestArchive,
  { url, from, to }: DigestQuery,
): Promise<PageDigest | undefined> {
  const { catalog } = archive;
  const page = await archivedUrl(url, catalog);
  if (page === undefined) return undefined;
  const digest = new DigestBuilder(page);
  const shown = await layoutTimes(catalog, page, { from, to });
  const base = shown.before === undefined ? undefined : await layoutAt(archive, page, shown.before);
  if (base) digest.base(base);
  let title = base?.title ?? '';
  let unread = shown.unread;
  let last: { readonly at: Millis; readonly layout: Layout | undefined } | undefined;
  for (const { at, layoutAt: lookAt } of shown.versions) {
    const layout = last?.at === lookAt ? last.layout : await layoutAt(archive, page, lookAt);
    last = { at: lookAt, layout };
    if (layout) digest.add(layout, at);
    else unread++;
    title = layout?.title ?? title;
  }
  const sections = await Promise.all(
    digest.sections().map(async ({ name, items }) => ({
      name,
      items: await Promise.all(items.map((item) => withArticle(catalog, item))),
    })),
  );
  const headlines = sections.reduce((sum, { items }) => sum + items.length, 0);
  return { url: page, title, from, to, versions: digest.versions, unread, headlines, sections };
}

/** Captures of the span and the layouts that show them; and the layout of the last before it. */
async function layoutTimes(catalog: Catalog, url: string, { from, to }: Omit<DigestQuery, 'url'>) {
  const versions: { readonly at: Millis; readonly layoutAt: Millis }[] = [];
  let before: Millis | undefined;
  let unread = 0;
  for await (const page of catalog.storedVersions({ url })) {
    const looks = looksOf(page.versions);
    for (const [i, { at }] of page.versions.entries()) {
      const shown = looks[i]?.layoutAt;
      if (at > to) break;
      if (at < from) before = shown ?? before;
      else if (shown !== undefined) versions.push({ at, layoutAt: shown });
      else unread++;
    }
  }
  return { versions, before, unread };
}

async function layoutAt(
  { catalog, reader }: DigestArchive,
  url: string,
  at: Millis,
): Promise<Layout | undefined> {
  const fact = await catalog.closest(layoutUri(url), at);
  if (fact?.at !== at) return undefined;
  try {
    return parseViXml(await textOf((await reader.read(fact)).payload));
  } catch {
    // A damaged layout is counted as unread; `verify` tells of it.
    return undefined;
  }
}

async function withArticle(catalog: Catalog, item: DigestItem): Promise<DigestedItem> {
  const fact = await nearestMemento(catalog, item.address, item.firstSeen);
  if (!fact) return item;
  return { ...item, archived: { url: fact.url, at: fact.at, timestamp: formatTimestamp(fact.at) } };
}
