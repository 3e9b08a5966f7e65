import { type DocumentStatus, isShown } from '../model/site-delta.ts';
import type { Millis } from '../model/time.ts';
import type { OpenArchive } from './open/open-archive.ts';

/** A page as the histories of other archives tell it (docs/site-delta.md). */
export interface ToldPage {
  /** Ids of those archives. */
  readonly archives: readonly string[];
  /** Visits, including times the page was left out. */
  readonly documents: number;
  /** The last document that showed the page; null where none did. */
  readonly lastShown: {
    readonly at: Millis;
    readonly status: DocumentStatus;
    readonly archive: string;
  } | null;
}

export async function toldOf(
  { catalog }: Pick<OpenArchive, 'catalog'>,
  url: string,
): Promise<ToldPage | undefined> {
  for await (const page of catalog.importedPages(catalog.siteBounds().siteOf(url))) {
    if (page.url !== url) continue;
    const last = page.documents.findLast(({ status }) => isShown(status));
    return {
      archives: [...new Set(page.documents.map(({ archive }) => archive))].sort(),
      documents: page.documents.length,
      lastShown: last ? { at: last.at, status: last.status, archive: last.archive } : null,
    };
  }
  return undefined;
}
