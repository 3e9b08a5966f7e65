import { statSync } from 'node:fs';
import { createPageReader } from '../../capture/page-reader.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { rulesPath } from '../sites/stored-rules.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from './open-archive.ts';
import { refuseRebuilding } from './unfinished-rebuild.ts';

export interface FollowedArchive {
  readonly root: string;
  /** Rejects while there is no readable catalog; retries on each call. */
  current(): Promise<Pick<OpenArchive, 'folder' | 'catalog' | 'reader' | 'identity'>>;
  readonly pageReader: PageReader;
  close(): Promise<void>;
}

interface Opened extends OpenArchive {
  readonly file: string;
}

/**
 * An archive that is read for as long as `serve` runs. Meanwhile its catalog may be deleted and rebuilt, or another
 * archive copied over it; a process that kept the old file open would go on reading what no longer exists.
 */
export async function followArchive(location: ArchiveLocation): Promise<FollowedArchive> {
  let opened = await open(location);
  // Answers in progress still read from the previous one: it is closed at the next reopening, or at the end.
  let retired: Opened | undefined;
  let reopening: Promise<Opened> | undefined;

  async function reopen(): Promise<Opened> {
    const next = await open(location);
    const old = retired;
    retired = opened;
    opened = next;
    await old?.close().catch(() => {});
    return next;
  }

  return {
    root: opened.folder.root,
    pageReader: createPageReader(),
    async current() {
      if (catalogFile(opened, location) === opened.file) {
        await refuseRebuilding(opened.folder.root, opened.catalog);
        return opened;
      }
      reopening ??= reopen().finally(() => {
        reopening = undefined;
      });
      return reopening;
    },
    async close() {
      await reopening?.catch(() => {});
      // Nobody waits for an answer any longer, so a catalog that is being rebuilt does not matter.
      await opened.close().catch(() => {});
      await retired?.close().catch(() => {});
    },
  };
}

async function open(location: ArchiveLocation): Promise<Opened> {
  const archive = await openForReading(location);
  return { ...archive, file: catalogFile(archive, location) };
}

/**
 * Which file the catalog's path names, and which site rules its rows follow, since those are read when it is opened.
 * While the old file is open, no other file gets its inode number.
 */
function catalogFile({ folder }: OpenArchive, { database }: ArchiveLocation): string {
  const rules = statSync(rulesPath(folder.root), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (database !== undefined) return `${database} ${rules}`;
  const found = statSync(folder.catalog, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino} ${rules}` : 'none';
}
