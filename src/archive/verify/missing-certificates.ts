import type { CaptureFact } from '../../model/capture.ts';
import { CERTIFICATE, certificateUri } from '../../model/certificate.ts';
import type { Crawl } from '../../model/crawl.ts';
import { CRAWL_LOG } from '../../model/derived-uris.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import { crawlOf } from '../../stages/crawl-log.ts';
import type { LogHead } from '../../stages/stored/log-schema.ts';
import type { CertificateRecord } from '../../warc/certificate-records.ts';
import type { ProblemPlace } from '../../warc/read-options.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import type { CheckedCertificate } from './verify-certificates.ts';

/**
 * Crawls that ended with a certificate which is no longer there. A crawl that is finished by its own log and captured a
 * page was sealed right after; the remaining certificates do not reveal that one was deleted.
 */
export async function missingCertificates(
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
  found: readonly CertificateRecord[],
  read: readonly CheckedCertificate[],
): Promise<ProblemPlace[]> {
  const sealed = new Set(read.map(({ crawl, startedAt }) => `${startedAt} ${crawl}`));
  // An unreadable certificate is an error of its own, and which run of its crawl it belongs to is unknown.
  const unread = new Set(found.map(({ url }) => url).filter((url) => url.startsWith(CERTIFICATE)));
  for (const { crawl } of read) unread.delete(certificateUri(crawl));
  const problems: ProblemPlace[] = [];
  for (const crawl of await catalog.crawls()) {
    const { key, startedAt } = crawl;
    if (!isSealable(crawl) || sealed.has(`${new Date(startedAt).toISOString()} ${key}`)) continue;
    if (unread.has(certificateUri(key)) || !(await hasPage(catalog, crawl))) continue;
    for await (const log of catalog.captures({ url: CRAWL_LOG + key })) {
      const head = await headOf(log, reader);
      if (head?.startedAt !== startedAt || head.state !== 'finished') continue;
      const { file, offset } = log;
      const reason =
        `certificate: the crawl of ${crawl.spec.seeds[0] ?? key} that began at ${new Date(startedAt).toISOString()} ended with one, ` +
        'and it is not among the records: nothing proves what was captured';
      problems.push({ file, offset, reason });
      break;
    }
  }
  return problems;
}

/** An unreadable log is an error of its own. */
async function headOf(log: CaptureFact, reader: RecordReader): Promise<LogHead | undefined> {
  try {
    return await crawlOf((await reader.read(log)).payload);
  } catch {
    return undefined;
  }
}

/** Crawls older than certificates have no revisit mode either. */
const isSealable = ({ state, spec }: Crawl): boolean =>
  state === 'finished' && spec.revisit !== undefined && !spec.watch;

/** A crawl that captured no page has nothing to certify. */
async function hasPage(catalog: OpenArchive['catalog'], { id }: Crawl): Promise<boolean> {
  const { captured, unchanged } = await catalog.tally(id);
  return captured + unchanged > 0;
}
