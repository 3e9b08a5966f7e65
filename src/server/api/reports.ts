import { z } from 'zod';
import { certificateRow, storedCertificate } from '../../access/certificates.ts';
import { NoSuchReport, qualityReport } from '../../access/sharpness-report/quality-report.ts';
import type { CaptureFact } from '../../model/capture.ts';
import { CERTIFICATE as CERTIFICATES } from '../../model/certificate.ts';
import { RequestProblem } from '../api-error.ts';
import { crawlId, site } from './parameters.ts';
import { answer, COUNTED, counted, list } from './route.ts';
import { CERTIFICATE, REPORT, SIGNED_CERTIFICATE } from './schemas/reports.ts';

export const REPORT_ROUTES = [
  answer({
    method: 'GET',
    path: '/reports',
    role: 'reader',
    summary: 'How good the last capture of a site is, or that of a crawl',
    input: z.object({
      site,
      crawl: crawlId.optional(),
      failures: z.coerce.number().int().min(0).max(1000).default(50).describe('failed pages that are listed'),
    }),
    isKept: true,
    name: 'Report',
    answer: REPORT,
    async run({ site: of, crawl, failures }, { archive }) {
      try {
        const report = await qualityReport(of, crawl, await archive(), failures);
        const { weightedCompleteness: weighted } = report;
        return { ...report, weightedCompleteness: weighted && { ...weighted } };
      } catch (error) {
        if (error instanceof NoSuchReport)
          throw new RequestProblem(404, error.message, 'ask /api/crawls for those that there are');
        throw error;
      }
    },
  }),
  list({
    path: '/certificates',
    summary: 'Certificates of site captures, newest first',
    input: z.object({ crawlKey: z.string().max(1000).optional() }),
    name: 'Certificate',
    row: CERTIFICATE,
    after: COUNTED,
    async rows({ crawlKey, limit, after }, { archive }) {
      const { catalog, reader } = await archive();
      const facts: CaptureFact[] = [];
      for await (const fact of catalog.captures({ urlPrefix: CERTIFICATES }))
        if (crawlKey === undefined || fact.url === CERTIFICATES + crawlKey) facts.push(fact);
      facts.sort((a, b) => b.at - a.at);
      const { siteOf } = catalog.siteBounds();
      const { rows, next } = counted(facts, limit, after);
      const read = await Promise.all(rows.map((fact) => certificateRow(fact, reader, siteOf)));
      return { rows: read.filter((row) => row !== undefined), next };
    },
  }),
  answer({
    method: 'GET',
    path: '/certificate',
    role: 'reader',
    summary: 'One signed certificate, as it stands in its record',
    input: z.object({ recordId: z.string().max(1000) }),
    name: 'SignedCertificate',
    answer: SIGNED_CERTIFICATE,
    async run({ recordId }, { archive }) {
      const { catalog, reader } = await archive();
      const fact = await catalog.captureByRecordId(recordId);
      const certificate = fact?.url.startsWith(CERTIFICATES)
        ? await storedCertificate(fact, reader)
        : undefined;
      if (!certificate)
        throw new RequestProblem(
          404,
          `no certificate has the id '${recordId}'`,
          'ask /api/certificates for them',
        );
      return { ...certificate, statement: { ...certificate.statement } };
    },
  }),
];
