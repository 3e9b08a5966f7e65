import { MERGED } from '../model/derived-uris.ts';
import type { WarcRecord } from './warc-record.ts';

/** Records of a merged file among which its head stands: warcinfo, and the head itself. */
export const HEAD = 2;

/**
 * Tells of each record of a file, in turn, where its part begins: 0 in an ordinary file. A merged file has one part for each file
 * that was merged into it, and each of those begins with a warcinfo record of its own. Order in a file is the order of writing;
 * between parts, as between files, it means nothing: files are merged by size as well, and those of several crawls together.
 */
export function partsOfFile(): (record: Pick<WarcRecord, 'type' | 'url' | 'offset'>) => number {
  let [seen, part] = [0, 0];
  let isMerged = false;
  return ({ type, url, offset }) => {
    if (++seen <= HEAD && url.startsWith(MERGED)) isMerged = true;
    if (isMerged && type === 'warcinfo') part = offset;
    return part;
  };
}
