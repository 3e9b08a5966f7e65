import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { namedCapture } from '../../access/capture-name.ts';
import { naming } from '../../ports/system-error.ts';
import { checkPageFile } from '../given/page-file.ts';
import type { PageSource } from '../given/page-source.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { FILE_URL } from './look-at-page.ts';

/** Two byte-identical versions: shown twice, a page whose scripts are random would differ from itself. */
export interface SameBytes {
  readonly from: { readonly url: string; readonly version: string };
  readonly to: { readonly url: string; readonly version: string };
  /** One sentence. */
  readonly why: string;
  /** What was not looked at because of that. */
  readonly note?: string;
}

export async function sameFiles(
  [before, after]: readonly [PageSource, PageSource],
  url = FILE_URL,
): Promise<SameBytes | undefined> {
  if (before.kind !== 'file' || after.kind !== 'file') return undefined;
  await checkPageFile(before.path);
  await checkPageFile(after.path);
  const [old, now] = await Promise.all([before, after].map(({ path }) => naming(path, readFile(path))));
  if (!old || !now?.equals(old)) return undefined;
  const isBeside = dirname(resolve(before.path)) === dirname(resolve(after.path));
  return {
    from: { url, version: basename(before.path) },
    to: { url, version: basename(after.path) },
    why: 'nothing changed: both files hold the very same bytes',
    ...(!isBeside && { note: 'pictures and styles that lie beside the two files were not compared' }),
  };
}

/** For captures without layouts only: layouts say what was seen, whatever the bytes of the document. */
export async function sameCaptures(
  [before, after]: readonly [PageSource, PageSource],
  { catalog }: Pick<OpenArchive, 'catalog'>,
): Promise<SameBytes | undefined> {
  if (before.kind !== 'capture' || after.kind !== 'capture') return undefined;
  const [old, now] = [await namedCapture(before, catalog), await namedCapture(after, catalog)];
  if (old.url !== now.url) return undefined;
  const payloads = new Map<number, string>();
  for await (const { versions } of catalog.storedVersions({ url: now.url }))
    for (const { at, payload } of versions) payloads.set(at, payload);
  const payload = payloads.get(old.at) ?? '';
  if (payload === '' || payloads.get(now.at) !== payload) return undefined;
  const side = (at: number) => ({ url: now.url, version: new Date(at).toISOString() });
  return {
    from: side(old.at),
    to: side(now.at),
    why: 'nothing changed: both captures hold the very same bytes',
  };
}
