import { open } from 'node:fs/promises';
import type { Severity } from '../read-options.ts';
import { type ParsedPackage, parseDataPackage } from './datapackage.ts';
import { lineBatches } from './line-batches.ts';
import { headerFault, jsonObject, parsePageLine, type WaczPage } from './pages-file.ts';
import { openZip, type ZipArchive, type ZipEntry, ZipFault } from './zip-reader.ts';

/** What is wrong, and where. `entry` is '' if it concerns the file as a whole. */
export interface WaczProblem {
  readonly file: string;
  readonly entry: string;
  readonly reason: string;
  /** An error if absent. */
  readonly severity?: Severity;
}

export interface Wacz {
  readonly path: string;
  /** Absent when datapackage.json is missing or unreadable. */
  readonly datapackage?: ParsedPackage;
  readonly zip: ZipArchive;
  /** The WARC files in it, damaged or not. */
  readonly warcs: readonly ZipEntry[];
  /** Problems found on opening; `pages()` adds to it. */
  readonly problems: readonly WaczProblem[];
  /** False if nothing of it can be used: not a ZIP, or a package of several WACZ files. */
  readonly usable: boolean;
  entry(name: string): ZipEntry | undefined;
  /** Every listed page, extra pages last. Lines that cannot be read become problems. */
  pages(): AsyncGenerator<WaczPage>;
  close(): Promise<void>;
}

export const PAGE_LISTS = ['pages/pages.jsonl', 'pages/extraPages.jsonl'];
/** Longest datapackage.json that is read: about 300,000 resources. */
export const PACKAGE_LIMIT = 64 * 1024 * 1024;
const MULTI_WACZ = 'multi-wacz-package';
/** Faulty page lines reported one by one; the rest are only counted. */
const LINE_PROBLEMS = 20;

/**
 * Opens a WACZ and checks its structure: ZIP directory, names, datapackage. Faults of the content become
 * problems; only a file that cannot be read at all throws.
 */
export async function readWacz(path: string): Promise<Wacz> {
  const problems: WaczProblem[] = [];
  const report = (entry: string, reason: string) => problems.push({ file: path, entry, reason });
  let zip: ZipArchive;
  try {
    zip = await openZip(path);
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    const parts = await multiWaczJson(path);
    report('', parts === undefined ? `not a readable ZIP file: ${error.message}` : multiWaczReason(parts));
    return opened(path, emptyZip(path), undefined, problems, false);
  }
  try {
    if (zip.fault !== undefined) report('', zip.fault);
    checkDirectory(zip, report);
    const datapackage = await readPackage(zip, report);
    const isMulti = datapackage?.profile === MULTI_WACZ;
    return opened(path, zip, datapackage, problems, !isMulti);
  } catch (error) {
    await zip.close();
    throw error;
  }
}

type Report = (entry: string, reason: string) => void;

function checkDirectory(zip: ZipArchive, report: Report): void {
  const names = new Set<string>();
  let total = 0;
  for (const entry of zip.entries) {
    total += entry.compressedSize;
    if (entry.refused !== undefined) report(entry.name, entry.refused);
    if (names.has(entry.name)) report(entry.name, 'the ZIP has two entries of this name');
    names.add(entry.name);
  }
  // Overlapping entries are how small ZIPs unpack to huge ones.
  if (total > zip.size) report('', `its entries overlap: ${total} bytes in a ZIP of ${zip.size}`);
}

async function readPackage(zip: ZipArchive, report: Report): Promise<ParsedPackage | undefined> {
  const entry = zip.entries.find(({ name }) => name === 'datapackage.json');
  if (entry === undefined) {
    const outdated = zip.entries.some(({ name }) => name === 'webarchive.yaml');
    report(
      'datapackage.json',
      outdated
        ? 'missing: this is WACZ 0.1.0 (webarchive.yaml), which is not supported'
        : 'missing: the ZIP is not a WACZ, or not a whole one',
    );
    return undefined;
  }
  let parsed: ParsedPackage | undefined;
  try {
    parsed = parseDataPackage(await zip.text(entry, PACKAGE_LIMIT));
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    report(entry.name, error.message);
    return undefined;
  }
  if (parsed === undefined) {
    report(entry.name, 'is not a JSON object');
    return undefined;
  }
  if (parsed.profile === MULTI_WACZ) {
    const parts = parsed.resources.map(({ path }) => path);
    report(entry.name, multiWaczReason(parts));
    return parsed;
  }
  for (const fault of parsed.faults) report(entry.name, fault);
  return parsed;
}

function opened(
  path: string,
  zip: ZipArchive,
  datapackage: ParsedPackage | undefined,
  problems: WaczProblem[],
  usable: boolean,
): Wacz {
  const byName = new Map(zip.entries.map((entry) => [entry.name, entry]));
  return {
    path,
    zip,
    ...(datapackage === undefined ? {} : { datapackage }),
    warcs: zip.entries.filter(({ name }) => isWarc(name)),
    problems,
    usable,
    entry: (name) => byName.get(name),
    async *pages() {
      for (const name of PAGE_LISTS) {
        const entry = byName.get(name);
        if (entry !== undefined) {
          yield* pagesOf(zip, entry, (reason) => problems.push({ file: path, entry: name, reason }));
        }
      }
    },
    close: () => zip.close(),
  };
}

export function isWarc(name: string): boolean {
  return /^archive\/.*\.warc(\.gz)?$/i.test(name);
}

/** Pages of one list; faults are reported, and the rest is still yielded. */
export async function* pagesOf(
  zip: ZipArchive,
  entry: ZipEntry,
  report: (reason: string) => void,
): AsyncGenerator<WaczPage> {
  let number = 0;
  let faulty = 0;
  try {
    for await (const lines of lineBatches(zip.chunks(entry))) {
      for (const line of lines) {
        number++;
        if (number === 1) {
          const fault = headerFault(line);
          if (fault !== undefined) report(fault);
          // Without a header the first line may already be a page.
          if (fault === undefined || typeof parsePageLine(line) === 'string') continue;
        }
        if (line.trim() === '') continue;
        const page = parsePageLine(line);
        if (typeof page !== 'string') yield page;
        else if (++faulty <= LINE_PROBLEMS) report(`line ${number} ${page}`);
      }
    }
    if (number === 0) report(headerFault(undefined) as string);
    if (faulty > LINE_PROBLEMS) report(`${faulty - LINE_PROBLEMS} more lines are faulty`);
  } catch (error) {
    report((error as Error).message);
  }
}

/** The parts, if the file is the JSON form of a package of several WACZ files. */
async function multiWaczJson(path: string): Promise<string[] | undefined> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024 * 1024), 0, 1024 * 1024, 0);
    const json = jsonObject(buffer.subarray(0, bytesRead).toString('utf8'));
    if (json?.profile !== MULTI_WACZ) return undefined;
    const resources = Array.isArray(json.resources) ? json.resources : [];
    return resources.map((part: { path?: unknown } | null) => String(part?.path ?? ''));
  } finally {
    await handle.close();
  }
}

function multiWaczReason(parts: readonly string[]): string {
  const named = parts.length === 0 ? '' : `: ${parts.slice(0, 20).join(', ')}`;
  return `a package of several WACZ files (${MULTI_WACZ}) is not supported: import its parts one by one${named}`;
}

function emptyZip(file: string): ZipArchive {
  const none = () => {
    throw new ZipFault('not a ZIP file');
  };
  return { file, size: 0, entries: [], chunks: none, scan: none, text: none, close: async () => {} };
}
