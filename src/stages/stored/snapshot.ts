import type { Exchange } from '../../model/exchange.ts';
import { mediaType } from '../../model/exchange.ts';

/**
 * The snapshot as archived: as it came from the page, plus the digests of its pictures, so that it can be
 * segmented again from the record alone, with the same result.
 */

/** By source URL; sha256, lower-case hex. */
export type PictureDigests = Readonly<Record<string, string>>;

/** Bytes; larger pictures are identified by their address. */
export const LARGEST_PICTURE = 16 << 20;

/** `packed` is a long JSON object: it is not parsed just to add a field. */
export function withPictures(packed: string, pictures: PictureDigests): string {
  const end = packed.lastIndexOf('}');
  return `${packed.slice(0, end)},"pictures":${JSON.stringify(pictures)}}`;
}

export function picturesOf(packed: string): PictureDigests {
  const { pictures } = JSON.parse(packed) as { pictures?: PictureDigests };
  return pictures ?? {};
}

/** Of the pictures that came with the page, in order of their URLs: equal pages give equal records. */
export async function pictureDigests(exchanges: readonly Exchange[]): Promise<PictureDigests> {
  const digests = new Map<string, string>();
  for (const { url, response, truncated } of exchanges) {
    const { bytes } = response.body;
    if (response.status !== 200 || truncated || !mediaType(response.headers).startsWith('image/')) continue;
    if (bytes && bytes.byteLength <= LARGEST_PICTURE) digests.set(url, await sha256(bytes));
  }
  return Object.fromEntries([...digests].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** On the thread pool, in parallel with the crawl. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}
