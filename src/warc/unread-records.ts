import type { ReadProblem, Severity } from './read-options.ts';
import type { WarcRecord } from './warc-record.ts';

/** Versions whose records are read as intended. */
const KNOWN_VERSION = /^(?:WARC\/(?:0\.1\d|1\.[01])|ARC\/\d+)$/;

export function isKnownVersion({ version }: Pick<WarcRecord, 'version'>): boolean {
  return KNOWN_VERSION.test(version);
}

export function ofUnknownVersion(count: number, version: string): string {
  const records = count === 1 ? '1 record from here on has' : `${count} records from here on have`;
  return (
    `${records} the version '${version.slice(0, 40)}', which is not known: read as WARC/1.1, ` +
    'so that whatever is new in it is not understood'
  );
}

/** Types that are not captures by design, including our own of `metadata` and `resource`. */
const BESIDE_CAPTURES: ReadonlySet<string> = new Set(['warcinfo', 'request', 'metadata', 'resource']);

interface Kind {
  readonly severity: Severity;
  readonly offset: number;
  readonly text: (count: number) => string;
  count: number;
}

/**
 * Records that the index skips, or may have misunderstood: kept in their file, and reported. Thousands alike are reported
 * once.
 */
export class UnreadRecords {
  readonly #kinds = new Map<string, Kind>();

  see(record: WarcRecord, isIndexed: boolean): void {
    const { version, type, offset } = record;
    if (!isKnownVersion(record))
      this.#count(`version ${version}`, offset, 'error', (n) => ofUnknownVersion(n, version));
    if (isIndexed || BESIDE_CAPTURES.has(type)) return;
    const { severity, why } = leftOut(type);
    const named = type === '' ? 'without WARC-Type' : `of the type '${type.slice(0, 40)}'`;
    this.#count(`type ${type}`, offset, severity, (n) => {
      const records = n === 1 ? '1 record' : `${n} records`;
      return `${records} ${named} from here on ${n === 1 ? 'is' : 'are'} kept, but not indexed: ${why}`;
    });
  }

  problems(file: string): ReadProblem[] {
    return [...this.#kinds.values()].map(({ offset, severity, text, count }) => ({
      file,
      offset,
      severity,
      reason: text(count),
    }));
  }

  #count(key: string, offset: number, severity: Severity, text: Kind['text']): void {
    const known = this.#kinds.get(key);
    if (known) known.count++;
    // A file of noise may name a new type in each record.
    else if (this.#kinds.size < 100) this.#kinds.set(key, { severity, offset, text, count: 1 });
  }
}

function leftOut(type: string): { readonly severity: Severity; readonly why: string } {
  if (type === '') return { severity: 'error', why: 'nobody can say what they hold' };
  if (type === 'continuation')
    return { severity: 'error', why: 'the captures that they go on with end at their first part' };
  if (type === 'conversion') return { severity: 'note', why: 'they are made from other records' };
  return { severity: 'note', why: 'the standard knows no such type' };
}
