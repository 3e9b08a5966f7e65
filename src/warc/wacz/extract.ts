import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFullDisk, StorageFull } from '../../ports/record-store.ts';
import { named } from '../../ports/system-error.ts';
import { writeFully } from '../file-window.ts';
import type { Resource } from './datapackage.ts';
import { missingWarcs } from './missing-warcs.ts';
import { readWacz, type Wacz, type WaczProblem } from './read.ts';
import { checkSignature, type SignatureVerdict } from './signature.ts';
import { type ScannedEntry, type ZipEntry, ZipFault } from './zip-reader.ts';

export interface ExtractedWarc {
  /** Name inside the WACZ. */
  readonly entry: string;
  readonly path: string;
  readonly bytes: number;
}

export interface Extraction {
  readonly warcs: readonly ExtractedWarc[];
  /** A WARC that does not match its hash is still extracted: most of its records may be whole. */
  readonly problems: readonly WaczProblem[];
  readonly signature: SignatureVerdict;
}

/** Bytes of a name, without extension and number. */
const LONGEST_STEM = 180;
/** Size that a small WACZ may unpack to, whatever its own size. */
const SMALL_ALLOWANCE = 1024 ** 3;
/** Deflated WARCs of text grow about tenfold; a bomb grows a thousandfold. */
const GROWTH_ALLOWANCE = 20;

/**
 * Copies the WARC files of a WACZ into `dir` (which must exist) and returns their paths. Folders of the ZIP are dropped,
 * a name already taken gets a number, and each file appears under its name only once it is whole. `maxBytes` bounds all
 * of them together.
 */
export async function extractWarcs(
  path: string,
  dir: string,
  options: { readonly maxBytes?: number } = {},
): Promise<Extraction> {
  const wacz = await readWacz(path);
  try {
    const problems: WaczProblem[] = [...wacz.problems];
    const warcs: ExtractedWarc[] = [];
    const signed = await checkSignature(wacz);
    const unlisted: string[] = [];
    let left = options.maxBytes ?? Math.max(SMALL_ALLOWANCE, GROWTH_ALLOWANCE * wacz.zip.size);
    for (const entry of wacz.usable ? wacz.warcs : []) {
      // Already reported when the WACZ was opened.
      if (entry.refused !== undefined) continue;
      const report = (reason: string) => problems.push({ file: path, entry: entry.name, reason });
      if (!isListed(wacz, entry)) {
        if (signed.verdict !== 'none') {
          unlisted.push(entry.name);
          continue;
        }
        const reason = 'datapackage.json does not list this file: nothing vouches for it';
        problems.push({ file: path, entry: entry.name, reason, severity: 'warning' });
      }
      if (entry.size > left) {
        report(
          `not extracted: its ${entry.size} bytes pass the limit of unpacked bytes by ${entry.size - left}`,
        );
        continue;
      }
      const target = await freePath(dir, entry.name.slice(entry.name.lastIndexOf('/') + 1));
      const faults = await extractOne(wacz, entry, target);
      if (faults.kept) {
        left -= entry.size;
        warcs.push({ entry: entry.name, path: target, bytes: entry.size });
      }
      for (const reason of faults.reasons) report(reason);
    }
    if (wacz.usable) {
      if (wacz.warcs.length === 0)
        problems.push({ file: path, entry: 'archive/', reason: 'no WARC file in it' });
      problems.push(...(await missingWarcs(wacz)));
    }
    const signature = verdict(signed, problems, unlisted.length);
    if (signature.verdict === 'invalid') {
      const reason = `the signature is invalid: ${signature.reasons.join('; ')}`;
      problems.push({ file: path, entry: 'datapackage-digest.json', reason });
    }
    for (const entry of unlisted) {
      const reason = 'not imported: the package is signed, and its list of files does not name this one';
      problems.push({ file: path, entry, reason });
    }
    return { warcs, problems, signature };
  } finally {
    await wacz.close();
  }
}

const isListed = ({ datapackage }: Wacz, { name }: ZipEntry): boolean =>
  datapackage === undefined || datapackage.resources.some(({ path }) => path === name);

/**
 * A signature vouches for the list of files; the files must be those of the list. What the list does not name was left
 * out: for the rest, the signature holds.
 */
function verdict(
  signature: SignatureVerdict,
  problems: readonly WaczProblem[],
  unlisted: number,
): SignatureVerdict {
  const isTouched = problems.some(({ entry }) => entry.startsWith('archive/'));
  if (signature.verdict !== 'valid') return signature;
  if (!isTouched) {
    if (unlisted === 0) return signature;
    const left = `${unlisted} record file${unlisted === 1 ? '' : 's'} that it does not cover ${unlisted === 1 ? 'was' : 'were'} left out`;
    return { ...signature, reasons: [...signature.reasons, left] };
  }
  return {
    ...signature,
    verdict: 'invalid',
    reasons: ['the records are not those of the package that was signed'],
  };
}

async function extractOne(
  wacz: Wacz,
  entry: ZipEntry,
  target: string,
): Promise<{ kept: boolean; reasons: readonly string[] }> {
  const partial = `${target}.part`;
  const resource = wacz.datapackage?.resources.find((candidate) => candidate.path === entry.name);
  const out = await open(partial, 'w');
  try {
    let at = 0;
    const scanned = await wacz.zip.scan(entry, resource?.algorithm ?? 'sha256', async (chunk) => {
      await writeFully(out, chunk, at);
      at += chunk.byteLength;
    });
    await out.sync();
    await out.close();
    await rename(partial, target);
    return { kept: true, reasons: scanFaults(scanned, resource) };
  } catch (error) {
    await out.close();
    await rm(partial, { force: true });
    if (error instanceof ZipFault) return { kept: false, reasons: [`not extracted: ${error.message}`] };
    throw isFullDisk(error) ? new StorageFull(target, error) : named(target, error);
  }
}

/** How an entry differs from what the package says about it. */
export function scanFaults(scanned: ScannedEntry, resource: Resource | undefined): string[] {
  const faults: string[] = [];
  if (resource?.bytes !== undefined && resource.bytes !== scanned.bytes) {
    faults.push(`has ${scanned.bytes} bytes, datapackage.json says ${resource.bytes}`);
  }
  if (resource !== undefined && resource.hash !== scanned.hash) {
    const { algorithm, hash } = resource;
    faults.push(`does not match its hash: found ${algorithm}:${scanned.hash}, expected ${algorithm}:${hash}`);
  }
  if (!scanned.crcHolds) faults.push('does not match the CRC-32 of the ZIP: its bytes have changed');
  return faults;
}

/** `a.warc.gz`, or `a-2.warc.gz` if that is taken, and so on. */
async function freePath(dir: string, name: string): Promise<string> {
  const extension = /\.warc(\.gz)?$/i.exec(name)?.[0] ?? '';
  const own = name.slice(0, name.length - extension.length) || 'unnamed';
  // A ZIP may have names of 65,535 bytes; file systems allow 255.
  const stem = Buffer.from(own)
    .subarray(0, LONGEST_STEM)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  for (let i = 1; ; i++) {
    const path = join(dir, i === 1 ? `${stem}${extension}` : `${stem}-${i}${extension}`);
    if (!existsSync(path)) return path;
  }
}
