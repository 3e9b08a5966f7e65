import { type ArchiveIdentity, isArchiveId } from '../model/archive-identity.ts';
import type { Millis } from '../model/time.ts';
import { readRecords } from './read-records.ts';

/** Which archive wrote a record file, and when it started the file. */
export interface FileOrigin extends ArchiveIdentity {
  readonly at: Millis;
  /** A file whose captures were in the catalog before this one was begun; absent of the first ones of a crawl. */
  readonly follows?: string;
}

/** Fields of `warcinfo` that name the archive. */
export const ARCHIVE_ID = 'archive-id';
export const ARCHIVE_NAME = 'archive-name';
/** The field that names the file it follows. */
export const FOLLOWS = 'follows-committed';

/**
 * From its first record; undefined for files of other tools, and of Daguerre versions that did not record it.
 */
export async function archiveOfFile(path: string): Promise<FileOrigin | undefined> {
  for await (const { type, payload, at } of readRecords(path)) {
    if (type !== 'warcinfo' || !payload.bytes) return undefined;
    const lines = Buffer.from(payload.bytes).toString('utf8').split(/\r?\n/);
    const value = (name: string): string | undefined =>
      lines
        .find((line) => line.toLowerCase().startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim();
    const id = value(ARCHIVE_ID);
    if (!isArchiveId(id)) return undefined;
    const follows = value(FOLLOWS);
    return {
      ...{ id, name: value(ARCHIVE_NAME) ?? '', at: Number.isNaN(at) ? 0 : at },
      ...(follows !== undefined && { follows }),
    };
  }
  return undefined;
}
