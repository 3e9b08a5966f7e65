import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CaptureFact } from '../../src/model/capture.ts';
import { openRecordReader } from '../../src/warc/record-reader.ts';
import { capturesOf } from '../daguerre-process.ts';

/** A promise of the README that did not hold. */
export interface Breach {
  readonly action: string;
  readonly promise: string;
  readonly detail: string;
}

/**
 * What an archive has ever reported as captured. Each look adds what is new, after reading its record, and names
 * what has gone.
 */
export class Ledger {
  readonly folder: string;
  readonly #known = new Map<string, string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Captures that were reported once and are not there any more, or whose record cannot be read. */
  async look(): Promise<string[]> {
    const lost: string[] = [];
    const captures = await answersOf(this.folder);
    const now = new Set(captures.map(({ recordId }) => recordId));
    for (const [id, url] of this.#known) if (!now.has(id)) lost.push(`${url} (${id}) has gone`);
    const reader = openRecordReader(join(this.folder, 'warc'));
    try {
      for (const { recordId, file, offset, length, type, url } of captures) {
        if (this.#known.has(recordId)) continue;
        const read = await reader.read({ file, offset, length }).then(
          (record) => record.type,
          (error: unknown) => String(error),
        );
        if (read !== type) lost.push(`${url} at ${file}:${offset} reads as ${read}`);
        this.#known.set(recordId, url);
      }
    } finally {
      await reader.close();
    }
    return lost;
  }
}

/**
 * Page infos are no captures but what the archive says of them; those of unchanged pages have no row
 * (decisions/0023), and stay in the records.
 */
export async function answersOf(folder: string): Promise<readonly CaptureFact[]> {
  return (await capturesOf(folder)).filter(({ url }) => !url.startsWith('urn:pageinfo:'));
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
