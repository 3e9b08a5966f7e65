import { captureResolver } from '../../access/resolve-capture.ts';
import { header, mediaType } from '../../model/exchange.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { Millis } from '../../model/time.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** Largest single picture, and largest total per page, that go into a view, in bytes: views get mailed. */
const LARGEST = 500_000;
const TOGETHER = 10_000_000;

/** Archived pictures of a stored page, as `data:` URLs by source; missing or large ones are left out. */
export async function storedPictures(
  { nodes }: PageSnapshot,
  at: Millis,
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
): Promise<ReadonlyMap<string, string>> {
  const resolver = captureResolver(catalog, reader);
  const pictures = new Map<string, string>();
  let left = TOGETHER;
  for (const source of sourcesOf(nodes)) {
    const found = await resolver.resolve(source, at);
    if (found.kind !== 'found') continue;
    const { status, headers, payload } = found.capture;
    try {
      const type = mediaType(headers);
      const isPlain = status === 200 && type.startsWith('image/') && !header(headers, 'content-encoding');
      if (!isPlain || payload.size > Math.min(LARGEST, left)) continue;
      left -= payload.size;
      const parts: Uint8Array[] = [];
      for await (const part of payload.chunks()) parts.push(part);
      pictures.set(source, `data:${type};base64,${Buffer.concat(parts).toString('base64')}`);
    } finally {
      await payload.release();
    }
  }
  return pictures;
}

const sourcesOf = (nodes: PageSnapshot['nodes']): ReadonlySet<string> =>
  new Set(
    nodes.flatMap((node) => {
      const source = node.kind === 'element' && node.tag === 'img' ? (node.attributes.src ?? '') : '';
      return /^https?:/iu.test(source) ? [source] : [];
    }),
  );
