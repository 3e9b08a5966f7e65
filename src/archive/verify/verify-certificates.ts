import { createPageReader } from '../../capture/page-reader.ts';
import type { SignedCertificate } from '../../model/certificate.ts';
import { CRAWL_LOG } from '../../model/derived-uris.ts';
import { header } from '../../model/exchange.ts';
import type { InferredDirectory } from '../../model/inference.ts';
import type { Millis } from '../../model/time.ts';
import type { FoundUrl } from '../../science/sharpness/breadth-first-places.ts';
import { checkStatement, untoldCuts } from '../../science/sharpness/check-certificate.ts';
import { CertificateError, readCertificate } from '../../science/sharpness/read-certificate.ts';
import { crawlOf, logLines } from '../../stages/crawl-log.ts';
import { isEntry } from '../../stages/stored/log-schema.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { fingerprint } from '../../storage/ed25519.ts';
import type { KnownKey } from '../../storage/key-list.ts';
import { recordPaths } from '../../storage/record-copies.ts';
import { type CertificateRecord, recordsNamed } from '../../warc/certificate-records.ts';
import { digestBytes } from '../../warc/digest.ts';
import type { ReadProblem } from '../../warc/read-records.ts';
import { type KeySigner, signatureOf } from './signature-of.ts';

/** What `verify` says of one certificate, besides its errors. */
export interface CheckedCertificate {
  readonly file: string;
  readonly offset: number;
  readonly crawl: string;
  /** When the crawl began: a command always has the same key, however often it runs. */
  readonly startedAt: string;
  readonly pages: number;
  /** Not visited, and taken for unchanged. */
  readonly inferred: number;
  readonly strict: number;
  readonly visible: number;
  /** t*, or null where none is proven. */
  readonly date: string | null;
  /** Fingerprint of the key that signed it. */
  readonly key: string;
  /** Whose key that is: `given` by --public-key, or how the archive came to know it. */
  readonly signer: KeySigner;
}

export interface CertificateCheck {
  readonly certificates: readonly CheckedCertificate[];
  readonly errors: readonly ReadProblem[];
  /** From certificates of other archives, of whose crawls only a part is here. */
  readonly warnings: readonly ReadProblem[];
  /** Visits about which a certificate states something: ids of their records, and of the events these belong to. */
  readonly covered: { readonly records: ReadonlySet<string>; readonly events: ReadonlySet<string> };
}

/** Differences listed per certificate: one wrong number may cause hundreds. */
const LISTED = 20;

interface CrawlLog {
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  readonly seeds: readonly string[];
  readonly order: string;
  readonly found: readonly FoundUrl[];
  readonly rates: ReadonlyMap<string, number>;
  readonly inferred: readonly InferredDirectory[];
  readonly skipped: number;
  /** Unreadable lines: what they contained is not part of the check. */
  readonly damaged: number;
}

/** Recomputes every certificate from the records alone, independently of catalog and indexes. */
export async function verifyCertificates(
  folder: ArchiveFolder,
  found: readonly CertificateRecord[],
  keys: { readonly given?: string; readonly known: readonly KnownKey[] },
  lengths?: ReadonlyMap<string, number>,
): Promise<CertificateCheck> {
  const errors: ReadProblem[] = [];
  const readable: { record: CertificateRecord; certificate: SignedCertificate }[] = [];
  for (const record of found) {
    try {
      readable.push({ record, certificate: readCertificate(record.text) });
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      errors.push({ file: record.file, offset: record.offset, reason: `certificate: ${error.message}` });
    }
  }
  const covered = { records: new Set<string>(), events: new Set<string>() };
  if (readable.length === 0) return { certificates: [], errors, warnings: [], covered };
  const { records, contradicted, partAt, logs, shown } = await evidenceOf(
    folder,
    readable.map(({ certificate }) => certificate),
    lengths,
  );
  const certificates: CheckedCertificate[] = [];
  const warnings: ReadProblem[] = [];
  for (const { record, certificate } of readable) {
    const { statement } = certificate;
    const log = logs.get(logKey(statement.crawl.key, Date.parse(statement.crawl.startedAt)));
    const signature = signatureOf(record, certificate, keys);
    const named = statement.pages.flatMap(({ visit, revisit }) => [visit.record, revisit?.record ?? '']);
    for (const id of named) {
      covered.records.add(id);
      const event = records.get(id)?.eventId;
      if (event !== undefined) covered.events.add(event);
    }
    const absent = named.filter((id) => id !== '' && !records.has(id)).length;
    // A certificate signed by a key that somebody trusts must be proven in full; one that came along with other
    // records may have left its own behind.
    const isPartial = signature.signer === 'imported' && (absent > 0 || !log);
    const faults = [
      ...signature.faults,
      ...named.filter((id) => contradicted.has(id)).map((id) => `the record ${id} stands twice, and differs`),
      ...checkStatement(statement, {
        certificate: { ...record, part: partAt(record) },
        isPartial,
        record: (id) => records.get(id),
        ...(log && { log }),
        visiblyUnchanged({ visit, revisit }) {
          const [before, after] = [shown.get(visit.sha256), shown.get(revisit?.sha256 ?? '')];
          return before === undefined || after === undefined ? undefined : before === after;
        },
      }),
    ];
    const { file, offset } = record;
    if (isPartial) {
      const reason = `certificate: only a part of its crawl was imported, ${absent} of the records it names are not here: import the rest to have it proven`;
      warnings.push({ file, offset, reason });
    }
    if (log && log.damaged > 0) {
      const reason = `certificate: ${log.damaged} lines of the log of its crawl are damaged, and were left out of the check`;
      warnings.push({ file, offset, reason });
    }
    const cut = untoldCuts(statement, (id) => records.get(id));
    if (statement.version === 1 && cut.length > 0) {
      const reason = `certificate: of version 1, which does not say that ${cut.length} of its pages were cut short (the first: ${cut[0]}): of those it proves nothing`;
      warnings.push({ file, offset, reason });
    }
    for (const fault of faults.slice(0, LISTED))
      errors.push({ file, offset, reason: `certificate: ${fault}` });
    if (faults.length > LISTED) {
      errors.push({ file, offset, reason: `certificate: ${faults.length - LISTED} more differences` });
    }
    certificates.push({
      file,
      offset,
      crawl: statement.crawl.key,
      startedAt: statement.crawl.startedAt,
      // Counted, not taken from the statement, which may have been altered.
      pages: statement.pages.length,
      inferred: (statement.inferred ?? []).reduce(
        (sum, { pages, unseen = [] }) => sum + pages.length + unseen.length,
        0,
      ),
      strict: statement.pages.filter(({ revisit }) => revisit?.outcome === 'same').length,
      visible: statement.sharp?.visible ?? 0,
      date: statement.date?.strict?.time ?? null,
      key: fingerprint(certificate.publicKey),
      signer: signature.signer,
    });
  }
  return { certificates, errors, warnings, covered };
}

const logKey = (key: string, startedAt: Millis): string => `${key} ${startedAt}`;

async function evidenceOf(
  folder: ArchiveFolder,
  certificates: readonly SignedCertificate[],
  lengths: ReadonlyMap<string, number> | undefined,
) {
  const logs = new Map<string, CrawlLog>();
  const ids = new Set<string>();
  const wantedLogs = new Set<string>();
  const payloads = new Set<string>();
  /** By digest of a payload: digest of what a reader sees of it. */
  const shown = new Map<string, string>();
  const pageReader = createPageReader();
  for (const { statement } of certificates) {
    wantedLogs.add(CRAWL_LOG + statement.crawl.key);
    for (const { visit, revisit, visiblyUnchanged } of statement.pages) {
      if (revisit && visiblyUnchanged !== undefined && revisit.sha256 !== visit.sha256) {
        payloads.add(visit.sha256).add(revisit.sha256);
      }
      ids.add(visit.record);
      if (revisit) ids.add(revisit.record);
    }
    for (const { pages } of statement.inferred ?? []) for (const { record } of pages) ids.add(record);
  }
  const named = await recordsNamed(
    recordPaths(folder),
    {
      ids,
      prefix: CRAWL_LOG,
      payloads,
      async onPayload(sha256, { url, http, payload, fields }) {
        if (!http || header(fields, 'warc-truncated') !== undefined) return;
        // The transfer coding has been removed already.
        const headers = http.headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
        const response = { ...http, headers, body: payload, framing: 'identity' as const };
        const visible = await pageReader.readVisible({ url, response });
        if (visible) shown.set(sha256, digestBytes(Buffer.from(visible.text)).sha256);
      },
      async onTarget({ url, payload }) {
        if (!wantedLogs.has(url)) return;
        const head = await crawlOf(payload);
        if (!head) return;
        // A crawl that was stopped and resumed has a log for each run, and the last one has everything. File names do
        // not say which that is: a crawl may have a different number after `reindex`.
        const { key, startedAt, finishedAt } = head;
        const known = logs.get(logKey(key, startedAt));
        if (known && known.finishedAt > finishedAt) return;
        const found: FoundUrl[] = [];
        const rates = new Map<string, number>();
        const inferred: InferredDirectory[] = [];
        let [skipped, damaged] = [0, 0];
        for await (const line of logLines(payload, () => damaged++)) {
          if (!isEntry(line)) {
            if ('inferred' in line) inferred.push(line.inferred);
            else if ('skipped' in line) skipped += line.skipped.entries;
            continue;
          }
          if (line.state === 'skipped') skipped++;
          const { url: of, isSeed, via, kind, rate } = line;
          if (kind !== 'page' && kind !== 'sitemap') continue;
          found.push({ url: of, isSeed, ...(via !== undefined && { via }) });
          if (rate !== undefined) rates.set(of, rate);
        }
        const { seeds, order } = head.spec;
        const facts = { seeds, order, found, rates, inferred, skipped, damaged };
        logs.set(logKey(key, startedAt), { startedAt, finishedAt, ...facts });
      },
    },
    lengths,
  );
  return { ...named, logs, shown };
}
