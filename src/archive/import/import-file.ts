import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PageInfo } from '../../model/capture.ts';
import { recordFiles } from '../../storage/archive-folder.ts';
import { adoptFile, localFile } from '../../storage/record-copies.ts';
import { type ReadProblem, readRecords } from '../../warc/read-records.ts';
import { extractWarcs } from '../../warc/wacz/extract.ts';
import { readWacz, type WaczProblem } from '../../warc/wacz/read.ts';
import type { SignatureVerdict } from '../../warc/wacz/signature.ts';
import { noteKeys } from '../certificate-files.ts';
import { isJournal } from '../journal.ts';
import { bySeverity, indexFiles } from '../open/index-files.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { looksLikeXml } from '../site-delta/import-site-delta.ts';
import type { HistoryCounts } from '../site-delta/index-site-delta.ts';
import { UserError } from '../user-error.ts';
import { importHistory } from './import-history.ts';
import type { ImportJournal } from './import-journal.ts';
import { lookAtSource, packedAnew, recordName, refuseOther, startOf } from './import-source.ts';
import { spoolPipe } from './import-sources.ts';

export interface ImportProblem {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
}

export interface Imported {
  readonly files: readonly string[];
  /** Record files that the archive already holds, byte for byte: left as they are. */
  readonly already: readonly string[];
  readonly captures: number;
  readonly pages: number;
  /** What is lost, or is not what it claims to be. */
  readonly errors: readonly ImportProblem[];
  /** What departs from the standard but can be read. */
  readonly warnings: readonly ImportProblem[];
  readonly notes: readonly ImportProblem[];
  /** For a WACZ. */
  readonly signature?: SignatureVerdict;
  /** For a site-delta: what it tells of. */
  readonly history?: HistoryCounts;
}

type OnProgress = (file: string, done: number, size: number) => void;

/** Brings one WARC, ARC or WACZ file, or a site-delta, into the archive. A file with nothing readable in it is refused. */
export async function importFile(
  archive: OpenArchive,
  path: string,
  journal: ImportJournal,
  onProgress: OnProgress,
): Promise<Imported> {
  if ((await lookAtSource(path)) === 'pipe') return importPipe(archive, path, journal, onProgress);
  const importOne = /\.wacz$/i.test(path)
    ? importWacz
    : looksLikeXml(await startOf(path))
      ? importedHistory
      : importRecords;
  const imported = await importOne(archive, path, onProgress);
  const name = basename(path);
  // An interrupted import has left its records, but no note of where they came from.
  if (imported.files.length > 0 || !(await journal.has(name))) {
    const { size } = await stat(path);
    await journal.add(imported, { name, sha256: await digestOf(path), bytes: size });
  }
  return imported;
}

const importedHistory: typeof importRecords = async (archive, path, onProgress) => ({
  ...NOTHING,
  ...(await importHistory(archive, path, await digestOf(path), onProgress)),
});

async function importPipe(
  archive: OpenArchive,
  path: string,
  journal: ImportJournal,
  onProgress: OnProgress,
): Promise<Imported> {
  const folder = await mkdtemp(join(archive.folder.tmp, 'pipe-'));
  try {
    return await importFile(archive, await spoolPipe(path, folder), journal, onProgress);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importRecords(archive: OpenArchive, path: string, onProgress: OnProgress): Promise<Imported> {
  await refuseOther(path);
  const name = await recordName(path);
  const state = await firstRecord(path);
  const notes: ImportProblem[] = [];
  const errors: ImportProblem[] = [];
  let source = path;
  const folder = await mkdtemp(join(archive.folder.tmp, 'import-'));
  try {
    if (state !== 'apart') {
      source = join(folder, name);
      const { records, brokenOff } = await packedAnew(path, source);
      if (records === 0) throw unreadable(path, state);
      if (brokenOff !== undefined) errors.push({ file: path, offset: 0, reason: brokenOff });
      const reason = `its records share gzip members: ${records} records were compressed again, one by one, so that each can be found`;
      notes.push({ file: path, offset: 0, reason });
    }
    const twin = await twinOf(archive, source);
    if (twin !== undefined) return { ...NOTHING, already: [twin] };
    const free = await freeName(archive, name);
    const staged = join(folder, `staged-${free}`);
    await copyFile(source, staged, constants.COPYFILE_FICLONE);
    const imported = await adopt(archive, [{ staged, name: free }], onProgress);
    return { ...imported, errors: [...errors, ...imported.errors], notes: [...notes, ...imported.notes] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NOTHING: Imported = {
  files: [],
  already: [],
  captures: 0,
  pages: 0,
  errors: [],
  warnings: [],
  notes: [],
};

async function importWacz(archive: OpenArchive, path: string, onProgress: OnProgress): Promise<Imported> {
  const folder = await mkdtemp(join(archive.folder.tmp, 'wacz-'));
  try {
    const { warcs, problems, signature } = await extractWarcs(path, folder);
    const named: { staged: string; name: string }[] = [];
    const already: string[] = [];
    const taken = new Set<string>();
    for (const warc of warcs) {
      const twin = await twinOf(archive, warc.path);
      if (twin !== undefined) already.push(twin);
      else {
        const name = await freeName(archive, await recordName(warc.path), taken);
        taken.add(name);
        named.push({ staged: warc.path, name });
      }
    }
    const found = problems.map(placed);
    if (warcs.length === 0) {
      throw new UserError(
        `${path} holds no record file that can be read: ${found[0]?.reason ?? 'it is empty'}`,
      );
    }
    const imported = await adopt(archive, named, onProgress);
    const list = await indexPageList(archive, path);
    const { errors, warnings, notes } = bySeverity([...found, ...list.problems.map(placed)]);
    return {
      ...imported,
      already,
      pages: Math.max(imported.pages, list.pages),
      errors: [...errors, ...imported.errors],
      warnings: [...warnings, ...imported.warnings],
      notes: [...notes, ...imported.notes],
      signature,
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
  for (const { staged, name } of files) await adoptFile(folder, staged, name);
  const names = files.map(({ name }) => name);
  const { captures, pages, problems } = await indexFiles(folder, catalog, names, onProgress);
  await noteKeys(folder, catalog, names);
  const { errors, warnings, notes } = bySeverity(problems);
  return {
    files: names,
    already: [],
    captures,
    pages,
    errors,
    warnings: [...warnings, ...nothingIn(names, captures)],
    notes,
  };
}

/** A file without a single record is hardly what the user meant to import. */
function nothingIn([file]: readonly string[], captures: number): ImportProblem[] {
  if (file === undefined || captures > 0) return [];
  return [
    { file, offset: 0, reason: 'no capture in it: its records are kept, but there is nothing to show' },
  ];
}

/** A problem inside a WACZ, located by the name of its entry. */
const placed = ({ file, entry, reason, severity }: WaczProblem): ReadProblem => ({
  file: `${file}${entry && `/${entry.slice(0, 200)}`}`,
  offset: 0,
  reason,
  ...(severity && { severity }),
});

/**
 * The page list of a WACZ knows titles that script-rendered pages do not have in their HTML. Unreadable lines are only
 * warnings: the pages themselves are in the records.
 */
async function indexPageList(
  { catalog }: OpenArchive,
  path: string,
): Promise<{ readonly pages: number; readonly problems: readonly WaczProblem[] }> {
  const wacz = await readWacz(path);
  // Problems of the container are already known from its extraction.
  const known = wacz.problems.length;
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
    const problems = wacz.problems.slice(known);
    return { pages: pages.length, problems: problems.map((one) => ({ ...one, severity: 'warning' })) };
  } finally {
    await wacz.close();
  }
}

/** A record file of the archive with exactly the same bytes. */
async function twinOf({ folder }: OpenArchive, path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  const alike = (await recordFiles(folder)).filter((known) => known.size === size);
  if (alike.length === 0) return undefined;
  const digest = await digestOf(path);
  for (const { file } of alike) {
    if ((await digestOf(await localFile(folder, file))) === digest) return file;
  }
  return undefined;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

async function freeName(
  { folder }: OpenArchive,
  name: string,
  alsoTaken: ReadonlySet<string> = new Set(),
): Promise<string> {
  const taken = new Set([...(await recordFiles(folder)).map(({ file }) => file), ...alsoTaken]);
  // Another archive's journal, or what calls itself one, must not be taken for ours.
  if (!taken.has(name) && !isJournal(name)) return name;
  const [, stem, ending] = /^(.*?)((?:\.(?:warc|arc))(?:\.gz)?)$/is.exec(name) ?? [];
  for (let number = 2; ; number++) {
    const candidate = `${stem}-${number}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

type FirstProblem = { readonly offset: number; readonly reason: string } | undefined;

/** Whether records can be read by position. A wholly unreadable file may still be a gzip file cut short. */
async function firstRecord(path: string): Promise<'apart' | 'shared' | FirstProblem> {
  let first: FirstProblem;
  const onProblem = (problem: { offset: number; reason: string }): void => {
    first ??= problem;
  };
  for await (const { shared } of readRecords(path, { onProblem })) return shared ? 'shared' : 'apart';
  return first;
}

function unreadable(path: string, first: 'shared' | FirstProblem): UserError {
  const why = typeof first === 'object' ? `: ${first.reason} (at offset ${first.offset})` : '';
  return new UserError(`${path} holds no record that can be read${why}. It was left alone.`);
}
