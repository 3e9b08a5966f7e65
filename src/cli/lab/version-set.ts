import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../../archive/user-error.ts';
import { StorageFull } from '../../ports/record-store.ts';
import { naming } from '../../ports/system-error.ts';

/** Successive versions of one page, as files: `<page>/<UTC>.html`. */
export interface VersionedPage {
  readonly name: string;
  readonly url: string;
  /** By time, oldest first. */
  readonly versions: readonly VersionFile[];
}

export interface VersionFile {
  /** `20220128T213510Z`. */
  readonly version: string;
  readonly path: string;
}

export interface OpenSet {
  readonly pages: readonly VersionedPage[];
  /** Where the pages' folders are. */
  readonly folder: string;
  /** Removes what was unpacked. */
  close(): Promise<void>;
}

export interface SetOptions {
  /** Only pages whose name contains one of these. */
  readonly only?: readonly string[] | undefined;
  /** Versions of a page, its oldest and its newest in equal parts; all if absent. */
  readonly most?: number | undefined;
}

const ARCHIVE = /\.tar(\.(xz|gz|bz2|zst))?$|\.tgz$/;
const VERSION_FILE = /^(.+)\.html?$/;

/** Accepts a folder of pages, one page's folder, a tar file of them, or a folder of such tar files. */
export async function openVersionSet(path: string, options: SetOptions = {}): Promise<OpenSet> {
  const kind = await stat(path).catch(() => undefined);
  if (!kind) throw new UserError(`'${path}' is not there: give a folder of pages, or a tar file of them`);
  const archives = kind.isFile() ? [path] : await archivesIn(path);
  const unpacked = archives.length > 0 ? await mkdtemp(join(tmpdir(), 'daguerre-versions-')) : undefined;
  const close = async (): Promise<void> => {
    if (unpacked !== undefined) await rm(unpacked, { recursive: true, force: true });
  };
  try {
    for (const archive of archives) await unpack(archive, unpacked as string);
    const folders = [...(unpacked === undefined ? [] : await foldersIn(unpacked))];
    if (kind.isDirectory()) folders.push(path, ...(await foldersIn(path)));
    const pages: VersionedPage[] = [];
    for (const folder of folders) {
      const name = basename(folder);
      if (options.only && !options.only.some((part) => name.includes(part))) continue;
      const page = await pageIn(folder, options.most);
      if (page) pages.push(page);
    }
    if (pages.length === 0) {
      throw new UserError(`'${path}' holds no page with two versions (<page>/<UTC>.html)`);
    }
    pages.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { pages, folder: unpacked ?? path, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function archivesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => ARCHIVE.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

/** The system's tar supports every compression; a reader of our own would support one. */
async function unpack(archive: string, into: string): Promise<void> {
  try {
    await promisify(execFile)('tar', ['-xf', archive, '-C', into, '--no-same-owner']);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr ?? '';
    if (/no space left|quota|file too large/i.test(said)) throw new StorageFull(into, error);
    throw new UserError(`${archive} could not be unpacked: ${(error as Error).message.trim()}`);
  }
}

async function pageIn(folder: string, most: number | undefined): Promise<VersionedPage | undefined> {
  const names = (await readdir(folder)).filter((name) => VERSION_FILE.test(name)).sort();
  if (names.length < 2) return undefined;
  const files = names.map((file) => ({
    version: VERSION_FILE.exec(file)?.[1] ?? file,
    path: join(folder, file),
  }));
  const name = basename(folder);
  return { name, url: await addressOf(name, files), versions: endsOf(files, most) };
}

/** Neighbours stay neighbours; evenly spread versions would be further apart than anybody's visits. */
export function endsOf<T>(list: readonly T[], most: number | undefined): readonly T[] {
  if (most === undefined || list.length <= most) return list;
  const first = Math.ceil(most / 2);
  return [...list.slice(0, first), ...list.slice(list.length - (most - first))];
}

const CANONICAL =
  /<link\b(?=[^>]*\brel\s*=\s*["']?canonical\b)[^>]*\bhref\s*=\s*["']?(https?:\/\/[^"'\s>]+)/i;

/** The address given by the newest version that states one; otherwise a name that no host can have. */
async function addressOf(name: string, files: readonly VersionFile[]): Promise<string> {
  for (const { path } of files.toReversed()) {
    const found = CANONICAL.exec(await naming(path, readFile(path, 'latin1')))?.[1];
    if (found !== undefined && URL.canParse(found)) return new URL(found).href;
  }
  return `https://${name.toLowerCase().replace(/[^a-z0-9.-]+/g, '-')}.invalid/`;
}
