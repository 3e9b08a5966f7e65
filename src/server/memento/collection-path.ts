import { TIME_MAP_FORMATS, type TimeMapFormat } from '../../access/memento/time-map.ts';
import { parseReplayUrl, parseTimestamp, type ReplayAddress, withScheme } from '../../access/replay-url.ts';
import type { Millis } from '../../model/time.ts';
import { RequestProblem } from '../api-error.ts';

/** What an address below `/<collection>/` asks for, as pywb lays them out. */
export type CollectionPath =
  | { readonly kind: 'cdx'; readonly parameters: URLSearchParams }
  | {
      readonly kind: 'timemap';
      readonly format: TimeMapFormat;
      readonly url: string;
      readonly from?: Millis;
    }
  /** `serve`: the memento itself (RFC 7089 §4.2.2); `redirect`: where it is (§4.1.2). */
  | { readonly kind: 'timegate'; readonly style: 'serve' | 'redirect'; readonly url: string }
  | { readonly kind: 'replay'; readonly address: ReplayAddress };

const CDX = /^cdx(?:\?(.*))?$/s;
const TIMEMAP = /^timemap\/([^/]+)\/(?:(\d{4,17})\/)?(.+)$/s;
const TIMEGATE = /^timegate\/(.+)$/s;
/** A URL without a time, its scheme left out at will. */
const TIMELESS = /^(?:https?:\/|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?:[/?]|$))/i;

export function parseCollectionPath(path: string, collection: string): CollectionPath {
  const rest = path.slice(collection.length + 2);
  const cdx = CDX.exec(rest);
  if (cdx) return { kind: 'cdx', parameters: new URLSearchParams(cdx[1] ?? '') };
  const timemap = TIMEMAP.exec(rest);
  if (timemap) {
    const [, format = '', digits, url = ''] = timemap;
    if (format === '*')
      return { kind: 'replay', address: { kind: 'list', collection, url: withScheme(url) } };
    const known = TIME_MAP_FORMATS.find((one) => one === format);
    if (!known)
      throw new RequestProblem(
        404,
        `there is no TimeMap in the format '${format}'`,
        `one of ${TIME_MAP_FORMATS.join(', ')}: /${collection}/timemap/link/<url>`,
      );
    const from = digits === undefined ? undefined : parseTimestamp(digits);
    return { kind: 'timemap', format: known, url: withScheme(url), ...(from !== undefined && { from }) };
  }
  const gate = TIMEGATE.exec(rest);
  if (gate) return { kind: 'timegate', style: 'redirect', url: withScheme(gate[1] ?? '') };
  if (TIMELESS.test(rest)) return { kind: 'timegate', style: 'serve', url: withScheme(rest) };
  const address = parseReplayUrl(path);
  if (address) return { kind: 'replay', address };
  throw new RequestProblem(
    404,
    `not a replay address: ${path}`,
    `write /${collection}/<timestamp>id_/<url>, /${collection}/<url>, /${collection}/timemap/link/<url> or /${collection}/cdx?url=<url>`,
  );
}
