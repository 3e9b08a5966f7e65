import { basename } from 'node:path';
import type { CdxjEntry } from '../cdxj.ts';
import type { CertificateRecord } from '../certificate-records.ts';
import { CompactSet } from '../compact-set.ts';
import { base32, parseDigest } from '../digest.ts';
import type { ProblemPlace, Severity } from '../read-options.ts';
import { count } from './check-range.ts';
import { positionKey } from './links.ts';
import type { RangeReport, RecordReference, Tally, TallyKind } from './range-report.ts';
import type { Verification } from './verify-archive.ts';

const TALLIES: Readonly<Record<TallyKind, { severity: Severity; text: (count: number) => string }>> = {
  concurrent: {
    severity: 'note',
    text: (n) => `${some(n, 'record')} from here on: WARC-Concurrent-To names one that is not in the archive`,
  },
  elsewhere: {
    severity: 'note',
    text: (n) =>
      `${some(n, 'revisit')} from here on: the URL or time of the original is not in the archive as named; ` +
      'the payload is, and replay serves it',
  },
  'bare-redirect': {
    severity: 'note',
    text: (n) =>
      `${some(n, 'revisit')} of a redirect from here on: the original is not in the archive; ` +
      'the record itself says where it leads',
  },
  'from-the-future': {
    severity: 'warning',
    text: (n) =>
      `${some(n, 'record')} from here on: dated in the future, by a clock that was wrong; taken as dated`,
  },
  'covers-chunks': {
    severity: 'note',
    text: (n) =>
      `${some(n, 'payload digest')} from here on: taken over the chunked body as it was sent, not over the payload`,
  },
  'breaks-off': {
    severity: 'warning',
    text: (n) =>
      `${some(n, 'payload digest')} from here on: taken over another part of a chunked body that breaks off; ` +
      'the block is whole, as its digest shows',
  },
  'digest-of-nothing': {
    severity: 'warning',
    text: (n) =>
      `${some(n, 'revisit')} from here on: the block digest is that of no bytes, as wget writes it, ` +
      'and shows nothing of the block',
  },
  'same-id': {
    severity: 'warning',
    text: (n) => `${some(n, 'record')} from here on: another record has the same WARC-Record-ID`,
  },
  'unknown-version': {
    severity: 'error',
    text: (n) =>
      `${some(n, 'record')} from here on: the version of WARC is not known; checked as WARC/1.1, as far as that goes`,
  },
};

function some(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** Combines the reports of all ranges, in the order of the files. */
export class Conclusions {
  readonly #found: Record<Severity, ProblemPlace[]> = { error: [], warning: [], note: [] };
  readonly #keys = new CompactSet();
  readonly #ids = new CompactSet();
  readonly #lines = new CompactSet();
  readonly #links: { readonly file: string; readonly link: RecordReference }[] = [];
  readonly #tallies = new Map<string, Partial<Record<TallyKind, Tally>>>();
  readonly #indexable = new Map<string, number>();
  readonly #listed = new Map<string, number>();
  readonly #certificates: CertificateRecord[] = [];
  #records = 0;

  add(severity: Severity, place: ProblemPlace): void {
    this.#found[severity].push(place);
  }

  report(report: RangeReport): void {
    const { file } = report.range;
    this.#records += report.records;
    this.#indexable.set(file, (this.#indexable.get(file) ?? 0) + report.indexable);
    this.#certificates.push(...report.certificates);
    for (const { severity, offset, reason } of report.findings) this.add(severity, { file, offset, reason });
    for (const key of report.keys) this.#keys.addKey(key);
    report.ids.forEach((id, i) => {
      if (!this.#ids.addKey(id)) this.#count(file, 'same-id', report.idOffsets[i] as number);
    });
    for (const [kind, { count: times, offset }] of Object.entries(report.tallies))
      this.#count(file, kind as TallyKind, offset, times);
    for (const link of report.links) this.#links.push({ file, link });
  }

  /** Called once all records are known: a reference may point into a later file. */
  links(): void {
    for (const { file, link } of this.#links) {
      const found = link.wanted.find(({ key }) => this.#keys.hasKey(key));
      if (found) {
        if (found.tally) this.#count(file, found.tally, link.offset);
      } else if ('tally' in link.missing) this.#count(file, link.missing.tally, link.offset);
      else this.add(link.missing.severity, { file, offset: link.offset, reason: link.missing.reason });
    }
  }

  line(index: string, entry: CdxjEntry & { readonly lineOffset: number }): void {
    const file = basename(entry.filename);
    const key = positionKey({ ...entry, file }, entry.timestamp.slice(0, 14), normalDigest(entry.digest));
    if (this.#keys.hasKey(key)) {
      const isFirst = this.#lines.addKey(key);
      // A line in the index of another file finds the record as well, but not if that index is lost.
      if (isFirst && index === `${file}.cdxj`) this.#listed.set(file, (this.#listed.get(file) ?? 0) + 1);
      return;
    }
    const reason = `no record of ${entry.url} with this time and digest in ${entry.filename} at ${entry.offset}`;
    this.add('error', { file: index, offset: entry.lineOffset, reason });
  }

  missingLines(file: string, index: string): void {
    const wanted = this.#indexable.get(file) ?? 0;
    const listed = this.#listed.get(file) ?? 0;
    if (listed >= wanted) return;
    const reason = `names ${listed} of the ${wanted} captures in ${file}: 'daguerre reindex' writes it anew`;
    this.add('error', { file: index, offset: 0, reason });
  }

  all(): Verification {
    for (const [file, tallies] of this.#tallies) {
      for (const [kind, tally] of Object.entries(tallies)) {
        const { severity, text } = TALLIES[kind as TallyKind];
        this.add(severity, { file, offset: tally.offset, reason: text(tally.count) });
      }
    }
    return {
      records: this.#records,
      errors: ordered(this.#found.error),
      warnings: ordered(this.#found.warning),
      notes: ordered(this.#found.note),
      certificates: this.#certificates,
    };
  }

  #count(file: string, kind: TallyKind, offset: number, times = 1): void {
    const tallies = this.#tallies.get(file) ?? {};
    this.#tallies.set(file, tallies);
    count(tallies, kind, offset, times);
  }
}

/** By file and offset, so that the order does not depend on threads. Record files come before their indexes. */
function ordered(places: readonly ProblemPlace[]): readonly ProblemPlace[] {
  const isIndex = ({ file }: ProblemPlace): number => (file.endsWith('.cdxj') ? 1 : 0);
  return places.toSorted(
    (a, b) =>
      isIndex(a) - isIndex(b) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : a.offset - b.offset || (a.reason < b.reason ? -1 : 1)),
  );
}

function normalDigest(digest: string): string {
  const parsed = parseDigest(digest);
  if (parsed?.algorithm === 'sha256') return `sha256:${parsed.bytes.toString('hex')}`;
  if (parsed?.algorithm === 'sha1') return `sha1:${base32(parsed.bytes)}`;
  return digest;
}
