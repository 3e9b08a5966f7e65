import type { CaptureFact, PayloadOriginal } from '../model/capture.ts';
import type { CaptureCatalog, Secrecy } from '../ports/catalog.ts';
import { type RecordReader, type RecordStore, storedResponse } from '../ports/record-store.ts';

export interface OriginalsPorts {
  readonly catalog: Pick<CaptureCatalog, 'originals' | 'originalOf' | 'captureByRecordId'>;
  readonly reader: Pick<RecordReader, 'read'>;
  readonly store: Pick<RecordStore, 'digest'>;
}

/** Originals for which we remember whether they can be read: most are on many pages. */
const REMEMBERED = 50_000;
/** How many records of one payload are tried. */
const MOST_TRIES = 5;

/**
 * Stage: originals that may be referred to, because their records were read once during the crawl. A damaged record cannot be an
 * original: a payload that recurs is then stored whole, for itself and for everything that refers to the damaged one.
 */
export class ReadableOriginals implements Pick<CaptureCatalog, 'originals'> {
  readonly #ports: OriginalsPorts;
  readonly #known = new Map<string, Promise<PayloadOriginal | undefined>>();
  readonly #damaged = new Set<string>();

  constructor(ports: OriginalsPorts) {
    this.#ports = ports;
  }

  async originals(
    sha256: readonly string[],
    secrecy?: Secrecy,
  ): Promise<ReadonlyMap<string, PayloadOriginal>> {
    const found = await this.#ports.catalog.originals(sha256, secrecy);
    const readable = await Promise.all(
      [...found].map(async ([digest, original]) => [digest, await this.#readable(original)] as const),
    );
    return new Map(readable.flatMap(([digest, original]) => (original ? [[digest, original]] : [])));
  }

  /** What was found damaged so far, in words; one note however many there are. */
  get notes(): readonly string[] {
    const [first, ...others] = this.#damaged;
    if (first === undefined) return [];
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    return [
      `an archived record of ${first}${more} cannot be read ('daguerre verify' names it): ` +
        'what came again was not stored as a reference to it',
    ];
  }

  #readable(original: PayloadOriginal): Promise<PayloadOriginal | undefined> {
    const known = this.#known.get(original.recordId);
    if (known) return known;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    const looked = this.#look(original);
    this.#known.set(original.recordId, looked);
    return looked;
  }

  async #look(original: PayloadOriginal): Promise<PayloadOriginal | undefined> {
    const { catalog } = this.#ports;
    const passed: string[] = [];
    let fact = await catalog.captureByRecordId(original.recordId);
    while (fact && passed.length < MOST_TRIES) {
      const { url, at, recordId, digest, type, truncated } = fact;
      const isWhole = type === 'response' && truncated === undefined;
      if (isWhole && (await this.#isReadable(fact)))
        return { url, at, recordId, sha256: digest.sha256, sha1: digest.sha1 };
      passed.push(recordId);
      // The same payload may have been stored whole again since.
      fact = await catalog.originalOf({ ...fact, type: 'revisit' }, passed);
    }
    return undefined;
  }

  async #isReadable(fact: CaptureFact): Promise<boolean> {
    try {
      const record = await this.#ports.reader.read(fact);
      try {
        // Reading a compressed record has already verified its checksum.
        if (/\.gz$/i.test(fact.file)) return true;
        const response = storedResponse(record);
        if (response && (await this.#ports.store.digest(response)).sha256 === fact.digest.sha256) return true;
      } finally {
        await record.payload.release();
      }
    } catch {
      // Damaged, or its file is missing, or the disk cannot read it: whatever the cause, nothing may depend on it.
    }
    this.#damaged.add(fact.url);
    return false;
  }
}
