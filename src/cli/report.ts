import { NoSuchReport, qualityReport } from '../access/sharpness-report/quality-report.ts';
import { reportPage } from '../access/sharpness-report/report-page.ts';
import { reportText } from '../access/sharpness-report/report-text.ts';
import { openForReading } from '../archive/open/open-archive.ts';
import { fingerprint } from '../storage/ed25519.ts';
import { openRecordReader } from '../warc/record-reader.ts';
import type { ReportFlags } from './commands/report.ts';
import { UserError } from './exit-codes.ts';
import { writeOutput } from './write-output.ts';

export async function report(site: string, flags: ReportFlags): Promise<void> {
  const archive = await openForReading(flags);
  const reader = openRecordReader(archive.folder.warc);
  try {
    const quality = await qualityReport(site, flags.crawl, { catalog: archive.catalog, reader }).catch(
      (error: unknown) => {
        throw error instanceof NoSuchReport ? new UserError(error.message) : error;
      },
    );
    const key = quality.certificate && fingerprint(quality.certificate.publicKey);
    if (flags.json || flags.format === 'json') {
      const whole = { ...quality, ...(key !== null && { keyFingerprint: key }) };
      await writeOutput(`${JSON.stringify(whole)}\n`, flags.out);
    } else if (flags.format === 'html') await writeOutput(reportPage(quality, key ?? undefined), flags.out);
    else await writeOutput(reportText(quality), flags.out);
  } finally {
    await reader.close();
    await archive.close();
  }
}
