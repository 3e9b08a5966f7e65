import { textOf } from '../model/body.ts';
import type { PageInfo } from '../model/capture.ts';
import { pageInfoUri } from '../model/derived-uris.ts';
import type { Millis } from '../model/time.ts';
import type { StoredArchive } from './stored-layouts.ts';

/** What a page loaded when it was captured. */
export interface LoadedPart {
  readonly url: string;
  /** What the page used it for, as CDP says it in lower case: stylesheet, script, image, … */
  readonly type: string;
}

/** Parts of the capture of a page, in the order in which it loaded them; undefined where it was not stored what those were. */
export async function partsOfPage(
  { catalog, reader }: StoredArchive,
  { url, at }: { readonly url: string; readonly at: Millis },
): Promise<readonly LoadedPart[] | undefined> {
  const fact = await catalog.closest(pageInfoUri(url), at);
  if (fact?.at !== at) return undefined;
  try {
    const info = JSON.parse(await textOf((await reader.read(fact)).payload)) as Partial<PageInfo>;
    return Object.entries(info.resources ?? {})
      .filter(([part]) => part !== url && /^https?:/i.test(part))
      .map(([part, { type }]) => ({ url: part, type }));
  } catch {
    return undefined;
  }
}
