import { join } from 'node:path';
import { type ArchiveIdentity, isArchiveId, type LastWriter } from '../model/archive-identity.ts';
import type { Millis } from '../model/time.ts';
import { StorageFault } from '../ports/remote-records.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import { readIfThere, writeWhole } from './whole-file.ts';

/**
 * `archive.json` says which archive the folder is:
 *
 *   { "format": 1, "id": "k7mq-2xrt-9hbd", "name": "news", "madeAt": "2026-…", "opening": "…" }
 *
 * Opening for writing goes in three steps, so that a crash between any two leaves a pair that is known to belong
 * together: `nextOpening` is noted here → the catalog takes it → it becomes `opening` here.
 */
export interface IdentityFile extends ArchiveIdentity {
  readonly madeAt: Millis;
  /** The last opening for writing that the catalog knows of; absent where there was none. */
  readonly opening?: string;
  /** One that the catalog may have taken. */
  readonly nextOpening?: string;
  /** Whose opening it is; absent where an earlier Daguerre wrote. */
  readonly lastWriter?: LastWriter;
  /** For a folder whose records are in an object store: `s3://bucket/prefix`. */
  readonly storage?: string;
}

/** The file exists and cannot be used: the user must fix or remove it. */
export class IdentityFileFault extends Error {
  override readonly name = 'IdentityFileFault';
  /** newer: written by a later Daguerre, and must not be replaced. */
  readonly kind: 'damaged' | 'newer';

  constructor(kind: IdentityFileFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

const FORMAT = 1;
/** Longest name, in characters. */
const LONGEST = 200;

const NAME = 'archive.json';

export const identityPath = (root: string): string => join(root, NAME);

/** Undefined in a folder of an earlier Daguerre, or where the file was lost. Throws IdentityFileFault. */
export async function readIdentity(root: string): Promise<IdentityFile | undefined> {
  const path = identityPath(root);
  const text = await readIfThere(path);
  return text === undefined ? undefined : parseIdentity(text, path);
}

/** From the object store if the records are there, otherwise from the folder. Throws IdentityFileFault. */
export async function archiveIdentity({ root, remote }: ArchiveFolder): Promise<IdentityFile | undefined> {
  if (!remote) return readIdentity(root);
  const text = await remote.readNote(NAME);
  return text === undefined ? undefined : parseIdentity(text, `${remote.url}/${NAME}`);
}

function parseIdentity(text: string, path: string): IdentityFile {
  const broken = (what: string): IdentityFileFault =>
    new IdentityFileFault(
      'damaged',
      `${path} ${what}. It says which archive this folder is: put it back from a copy, or run 'daguerre reindex', ` +
        'which finds that out from the records',
    );
  let stored: Record<string, unknown>;
  try {
    stored = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw broken(text.trim() === '' ? 'is empty' : 'is no JSON');
  }
  if (typeof stored !== 'object' || stored === null) throw broken('is no JSON object');
  const { format, id, name, madeAt, opening, nextOpening, storage } = stored;
  const lastWriter = writerOf(stored.lastWriter);
  if (typeof format === 'number' && format > FORMAT) {
    throw new IdentityFileFault(
      'newer',
      `${path} was written by a later Daguerre (format ${format}, this one knows ${FORMAT}): use that one`,
    );
  }
  if (!isArchiveId(id)) throw broken('holds no id of the form xxxx-xxxx-xxxx');
  const made = typeof madeAt === 'string' ? Date.parse(madeAt) : Number.NaN;
  return {
    id,
    name: cleanName(typeof name === 'string' ? name : ''),
    madeAt: Number.isNaN(made) ? 0 : made,
    ...(typeof opening === 'string' && { opening }),
    ...(typeof nextOpening === 'string' && { nextOpening }),
    ...(lastWriter && { lastWriter }),
    ...(typeof storage === 'string' && { storage }),
  };
}

/**
 * The caller holds the archive's lock. With an object store, the folder keeps a copy that says where its records are.
 * `isNew`: there was none, and if there is one by now, this must fail.
 */
export async function storeIdentity(
  folder: ArchiveFolder,
  file: IdentityFile,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<void> {
  const { root, remote } = folder;
  if (!remote) return writeIdentity(root, file);
  const isWritten = await remote.writeNote(NAME, identityText(file), { ifAbsent: isNew });
  if (!isWritten)
    throw new StorageFault(
      'foreign',
      `another process has made an archive in ${remote.url} at this moment: run the same command to go on with that one, ` +
        'or give another place',
    );
  await writeIdentity(root, { ...file, storage: remote.url });
}

/** The caller holds the archive's lock. */
export async function writeIdentity(root: string, file: IdentityFile): Promise<void> {
  await writeWhole(identityPath(root), identityText(file), 0o644);
}

/** It is for messages and for whether the catalog is known: half of it helps nobody. */
function writerOf(stored: unknown): LastWriter | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { catalog, folder, host, at } = stored as Record<string, unknown>;
  if (typeof catalog !== 'string' || typeof folder !== 'string' || typeof host !== 'string') return undefined;
  const openedAt = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return { catalog, folder, host, openedAt: Number.isNaN(openedAt) ? 0 : openedAt };
}

function identityText(file: IdentityFile): string {
  const { id, name, madeAt, opening, nextOpening, lastWriter, storage } = file;
  const stored = {
    format: FORMAT,
    id,
    name,
    madeAt: new Date(madeAt).toISOString(),
    opening,
    nextOpening,
    lastWriter: lastWriter && {
      catalog: lastWriter.catalog,
      folder: lastWriter.folder,
      host: lastWriter.host,
      at: new Date(lastWriter.openedAt).toISOString(),
    },
    storage,
  };
  return `${JSON.stringify(stored, null, 2)}\n`;
}

/** Control characters would break lines of `warcinfo` and of messages. */
export function cleanName(name: string): string {
  const clean = name
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST);
  return clean === '' ? 'archive' : clean;
}
