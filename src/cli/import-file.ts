import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PageInfo } from '../model/capture.ts';
import { recordFiles } from '../storage/archive-folder.ts';
import { readRecords } from '../warc/read-records.ts';
import { extractWarcs } from '../warc/wacz/extract.ts';
import { readWacz } from '../warc/wacz/read.ts';
import { noteKeys } from './certificate-files.ts';
import { UserError } from './exit-codes.ts';
import { indexFiles } from './index-files.ts';
import type { OpenArchive } from './open-archive.ts';

export interface ImportProblem {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
}

export interface Imported {
  readonly files: readonly string[];
  /** Record files that the archive holds already, byte for byte: left as they are. */
  readonly already: readonly string[];
  readonly captures: number;
  readonly pages: number;
  readonly problems: readonly ImportProblem[];
}

type OnProgress = (file: string, done: number, size: number) => void;

/** Brings one WARC, ARC or WACZ file into the archive. A file that holds nothing readable is refused. */
export async function importFile(
  archive: OpenArchive,
  path: string,
  onProgress: OnProgress,
): Promise<Imported> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile()) throw new UserError(`there is no file ${path}`);
  return /\.wacz$/i.test(path)
    ? importWacz(archive, path, onProgress)
    : importRecords(archive, path, onProgress);
}

async function importRecords(archive: OpenArchive, path: string, onProgress: OnProgress): Promise<Imported> {
  await refuseUnreadable(path);
  const twin = await twinOf(archive, path);
  if (twin !== undefined) return { files: [], already: [twin], captures: 0, pages: 0, problems: [] };
  const name = await freeName(archive, recordName(path));
  const staged = join(archive.folder.tmp, name);
  await copyFile(path, staged, constants.COPYFILE_FICLONE);
  return adopt(archive, [{ staged, name }], onProgress);
}

async function importWacz(archive: OpenArchive, path: string, onProgress: OnProgress): Promise<Imported> {
  const folder = await mkdtemp(join(archive.folder.tmp, 'wacz-'));
  try {
    const { warcs, problems } = await extractWarcs(path, folder);
    const named: { staged: string; name: string }[] = [];
    const already: string[] = [];
    for (const warc of warcs) {
      const twin = await twinOf(archive, warc.path);
      if (twin !== undefined) already.push(twin);
      else named.push({ staged: warc.path, name: await freeName(archive, basename(warc.path)) });
    }
    const found = problems.map(({ entry, reason }) => ({
      file: `${path}${entry && `/${entry}`}`,
      offset: 0,
      reason,
    }));
    if (warcs.length === 0) {
      throw new UserError(
        `${path} holds no record file that can be read: ${found[0]?.reason ?? 'it is empty'}`,
      );
    }
    const imported = await adopt(archive, named, onProgress);
    const pages = await indexPageList(archive, path);
    return {
      ...imported,
      already,
      pages: Math.max(imported.pages, pages),
      problems: [...found, ...imported.problems],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The file appears in the archive whole, by renaming; a crash before that leaves it in `tmp`. */
async function adopt(
  { folder, catalog }: OpenArchive,
  files: readonly { readonly staged: string; readonly name: string }[],
  onProgress: OnProgress,
): Promise<Imported> {
  for (const { staged, name } of files) await rename(staged, join(folder.warc, name));
  const names = files.map(({ name }) => name);
  const { captures, pages, problems } = await indexFiles(folder, catalog, names, onProgress);
  await noteKeys(folder, catalog, names);
  return { files: names, already: [], captures, pages, problems };
}

/** The page list of a WACZ knows titles that script-rendered pages have not in their HTML. */
async function indexPageList({ catalog }: OpenArchive, path: string): Promise<number> {
  const wacz = await readWacz(path);
  try {
    const pages: PageInfo[] = [];
    for await (const { url, title, at, depth, status, mime } of wacz.pages()) {
      pages.push({
        url,
        finalUrl: url,
        title,
        status: status ?? 200,
        mime: mime ?? 'text/html',
        at,
        depth: depth ?? 0,
        reason: 'imported',
        links: [],
        resources: {},
        facts: [],
      });
    }
    await catalog.index({ captures: [], pages, fileLengths: new Map() });
    return pages.length;
  } finally {
    await wacz.close();
  }
}

/** Record files are known by their ending; one that came without gets it from its first bytes. */
function recordName(path: string): string {
  const name = basename(path);
  return /\.(?:warc|arc)(?:\.gz)?$/i.test(name) ? name : `${name}.warc.gz`;
}

/** A record file of the archive with the very same bytes. */
async function twinOf({ folder }: OpenArchive, path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  const alike = (await recordFiles(folder)).filter((known) => known.size === size);
  if (alike.length === 0) return undefined;
  const digest = await digestOf(path);
  for (const { file } of alike) {
    if ((await digestOf(join(folder.warc, file))) === digest) return file;
  }
  return undefined;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

async function freeName({ folder }: OpenArchive, name: string): Promise<string> {
  const taken = new Set((await recordFiles(folder)).map(({ file }) => file));
  if (!taken.has(name)) return name;
  const [, stem, ending] = /^(.*?)((?:\.(?:warc|arc))(?:\.gz)?)$/i.exec(name) ?? [];
  for (let number = 2; ; number++) {
    const candidate = `${stem}-${number}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

async function refuseUnreadable(path: string): Promise<void> {
  let first: { offset: number; reason: string } | undefined;
  for await (const _ of readRecords(path, {
    onProblem: (problem) => {
      first ??= problem;
    },
  }))
    return;
  throw new UserError(
    `${path} holds no record that can be read${first ? `: ${first.reason} (at offset ${first.offset})` : ''}. ` +
      'It was left alone.',
  );
}
