import { createHash } from 'node:crypto';
import { parseHash, type Resource } from '../../../src/warc/wacz/datapackage.ts';
import { scanFaults } from '../../../src/warc/wacz/extract.ts';
import { jsonObject } from '../../../src/warc/wacz/pages-file.ts';
import {
  PACKAGE_LIMIT,
  PAGE_LISTS,
  pagesOf,
  readWacz,
  type Wacz,
  type WaczProblem,
} from '../../../src/warc/wacz/read.ts';
import { type ZipEntry, ZipFault } from '../../../src/warc/wacz/zip-reader.ts';
import { checkIndexes } from './check-index.ts';

export interface WaczValidation {
  /** Files in the ZIP. */
  readonly entries: number;
  /** Empty when the file is a valid WACZ. */
  readonly errors: readonly WaczProblem[];
}

type Report = (entry: string, reason: string) => void;

/**
 * Checks all that py-wacz's `validate` does (datapackage, listing, sizes and hashes, digest file, storage
 * without deflation), and what it leaves out: CRCs, page lists, order and targets of the index. Signatures
 * are checked for consistency (hash, time), not cryptographically.
 */
export async function validateWacz(path: string): Promise<WaczValidation> {
  const wacz = await readWacz(path);
  try {
    const errors: WaczProblem[] = [...wacz.problems];
    const report: Report = (entry, reason) => errors.push({ file: path, entry, reason });
    if (wacz.usable) {
      await checkContents(wacz, report);
      checkWarcs(wacz, report);
      await checkDigestFile(wacz, report);
      await checkPages(wacz, report);
      await checkIndexes(wacz, report);
    }
    return { entries: wacz.zip.entries.length, errors };
  } finally {
    await wacz.close();
  }
}

/** Those two vouch for the rest, so no resource lists them. */
function isFrame(name: string): boolean {
  return name === 'datapackage.json' || name === 'datapackage-digest.json';
}

async function checkContents(wacz: Wacz, report: Report): Promise<void> {
  const resources = new Map(wacz.datapackage?.resources.map((resource) => [resource.path, resource]));
  for (const resource of resources.values()) {
    if (!wacz.entry(resource.path))
      report(resource.path, 'is listed in datapackage.json and missing from the ZIP');
  }
  for (const entry of wacz.zip.entries) {
    if (entry.refused !== undefined) continue;
    const resource = resources.get(entry.name);
    if (resource === undefined && wacz.datapackage !== undefined && !isFrame(entry.name)) {
      report(entry.name, 'is not listed in datapackage.json');
    }
    for (const reason of await entryFaults(wacz, entry, resource)) report(entry.name, reason);
  }
}

/** Reads the entry once and compares it with what its resource says. */
async function entryFaults(wacz: Wacz, entry: ZipEntry, resource: Resource | undefined): Promise<string[]> {
  try {
    return scanFaults(await wacz.zip.scan(entry, resource?.algorithm ?? 'sha256'), resource);
  } catch (error) {
    if (error instanceof ZipFault) return [error.message];
    throw error;
  }
}

function checkWarcs(wacz: Wacz, report: Report): void {
  if (wacz.warcs.length === 0) report('archive/', 'no WARC file: at least one .warc or .warc.gz is needed');
  for (const warc of wacz.warcs) {
    if (!warc.stored) report(warc.name, 'is deflated in the ZIP: WARC files must be stored');
  }
}

async function checkDigestFile(wacz: Wacz, report: Report): Promise<void> {
  const entry = wacz.entry('datapackage-digest.json');
  const target = wacz.entry('datapackage.json');
  // It is optional by the standard: only a signature needs it.
  if (entry === undefined || target === undefined) return;
  try {
    const json = jsonObject(await wacz.zip.text(entry, PACKAGE_LIMIT));
    if (json === undefined) return report(entry.name, 'is not a JSON object');
    const hash = parseHash(String(json.hash ?? ''));
    if (typeof hash === 'string') return report(entry.name, hash);
    const found = createHash(hash.algorithm)
      .update(await wacz.zip.text(target, PACKAGE_LIMIT))
      .digest('hex');
    if (found !== hash.hash) {
      report(entry.name, `datapackage.json does not match it: found ${hash.algorithm}:${found}`);
    }
    checkSignedData(json, wacz.datapackage?.created, report);
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    report(entry.name, error.message);
  }
}

function checkSignedData(digest: Record<string, unknown>, created: string | undefined, report: Report): void {
  const signed = digest.signedData as Record<string, unknown> | null | undefined;
  if (typeof signed !== 'object' || signed === null) return;
  if (signed.hash !== digest.hash) report('datapackage-digest.json', 'the signature is for another hash');
  if (signed.created !== created) {
    report(
      'datapackage-digest.json',
      `the signature is of ${String(signed.created)}, the package of ${String(created)}`,
    );
  }
}

async function checkPages(wacz: Wacz, report: Report): Promise<void> {
  for (const [i, name] of PAGE_LISTS.entries()) {
    const entry = wacz.entry(name);
    if (entry === undefined) {
      if (i === 0) report(name, 'missing: a WACZ lists its pages there');
    } else if (entry.refused === undefined) {
      for await (const _page of pagesOf(wacz.zip, entry, (reason) => report(name, reason)));
    }
  }
}
