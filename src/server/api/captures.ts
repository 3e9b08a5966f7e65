import { z } from 'zod';
import { captureHistory, type HistoryEntry } from '../../access/capture-history.ts';
import { archivedUrl } from '../../access/capture-name.ts';
import { formatTimestamp } from '../../access/replay-url.ts';
import type { CaptureFact } from '../../model/capture.ts';
import { RequestProblem } from '../api-error.ts';
import type { ServedArchive } from '../served-archive.ts';
import { anAddress, given, inOrder, since, site, until, url } from './parameters.ts';
import { list, type Part, part } from './route.ts';
import { CAPTURE, type CaptureRow } from './schemas/sites.ts';

/** The capture that the next one is compared with: a part of a list may begin after it. */
const LEAD = z.object({
  at: z.number(),
  status: z.number(),
  mime: z.string(),
  file: z.string(),
  digest: z.object({ sha256: z.string(), sha1: z.string(), size: z.number() }),
});
const AFTER = z.object({ url: z.string(), at: z.number(), recordId: z.string(), lead: LEAD.optional() });
type After = z.infer<typeof AFTER>;

interface Asked {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit: number;
  readonly after: After | undefined;
}

export const CAPTURE_ROUTES = [
  list({
    path: '/captures',
    summary:
      'Captures of a page, oldest first, each compared with the one before; or of a site or all, newest first',
    description:
      '`comparison` is the one meaning of "changed": first, same-bytes, same-to-reader, changed (with importance, salience and ' +
      'why) or not-comparable (why). It is told in the list of one page.',
    input: z.object({
      url: url.optional(),
      site: site.optional(),
      since: since.optional(),
      until: until.optional(),
    }),
    name: 'Capture',
    row: CAPTURE,
    after: AFTER,
    async rows({ url: page, site: of, ...asked }, { archive }) {
      inOrder(asked);
      if (page !== undefined && of !== undefined)
        throw new RequestProblem(400, 'url and site: which of them?', 'give one of the two');
      const { catalog } = await archive();
      return page === undefined ? latest(of, asked, catalog) : historyOf(page, asked, catalog);
    },
  }),
];

async function latest(
  site: string | undefined,
  { since: from, until: to, limit, after }: Asked,
  catalog: ServedArchive['catalog'],
): Promise<Part<CaptureRow, After>> {
  const facts = await catalog.latestCaptures({ ...given({ site, from, to, after }), limit: limit + 1 });
  return part(facts.map(captureRow), limit, ({ url, at, recordId }) => ({ url, at, recordId }));
}

async function historyOf(
  page: string,
  { since: from, until: to, limit, after }: Asked,
  catalog: ServedArchive['catalog'],
): Promise<Part<CaptureRow, After>> {
  const stored = after?.url ?? (await archivedUrl(page, catalog)) ?? anAddress(page);
  const query = { url: stored, ...given({ from, to, after }), limit: limit + 1 };
  const entries: HistoryEntry[] = [];
  for await (const entry of captureHistory(catalog, query, after?.lead)) entries.push(entry);
  const { rows, next } = part(entries, limit, ({ fact, before }) => ({
    url: fact.url,
    at: fact.at,
    recordId: fact.recordId,
    lead: leadOf(before),
  }));
  return {
    rows: rows.map(({ fact, comparison, impaired, partialChange }) => ({
      ...captureRow(fact),
      comparison,
      ...given({ impaired, partialChange }),
    })),
    next,
  };
}

const leadOf = ({ at, status, mime, file, digest }: HistoryEntry['before']): After['lead'] => ({
  ...{ at, status, mime, file, digest },
});

export const captureRow = (fact: CaptureFact): CaptureRow => ({
  url: fact.url,
  at: fact.at,
  timestamp: formatTimestamp(fact.at),
  type: fact.type,
  method: fact.method,
  status: fact.status,
  mime: fact.mime,
  size: fact.digest.size,
  stored: fact.length,
  sha256: fact.digest.sha256,
  ...given({ truncated: fact.truncated }),
  file: fact.file,
  offset: fact.offset,
  recordId: fact.recordId,
});
