import { createHash } from 'node:crypto';
import { captureResolver } from '../src/access/resolve-capture.ts';
import type { OpenArchive } from '../src/archive/open/open-archive.ts';

/** What replay shows for each capture: a digest by URL and time. */
export async function shownCaptures(open: OpenArchive): Promise<ReadonlyMap<string, string>> {
  const shown = new Map<string, string>();
  const resolver = captureResolver(open.catalog, open.reader);
  for await (const { url, at, type } of open.catalog.captures({ urlPrefix: 'http' })) {
    if (type === 'resource') continue;
    const found = await resolver.resolve(url, at);
    if (found.kind !== 'found') throw new Error(`${url} at ${at}: ${found.kind}`);
    const hash = createHash('sha256');
    for await (const chunk of found.capture.payload.chunks()) hash.update(chunk);
    shown.set(`${url} ${at}`, hash.digest('hex'));
  }
  return shown;
}
