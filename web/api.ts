import type { Skip, Visit } from '../src/model/crawl.ts';
import type {
  ApiError,
  ArchiveInfo,
  CrawlRow,
  InferredRow,
  ListedCapture,
  PageRow,
  SiteRow,
  Slice,
} from '../src/server/api-types.ts';

/** What the server said went wrong, in two sentences for the visitor. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly hint: string;
  constructor(error: string, hint: string) {
    super(error);
    this.hint = hint;
  }
}

type Values = Record<string, string | number | undefined>;

function get<Answer>(path: string, values: Values = {}): Promise<Answer> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return answerTo(`/api/${path}?${query}`);
}

/** Has the process that writes to the archive do something. */
function ask<Answer>(name: string, input: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return answerTo(`/api/ask/${name}`, { method: 'POST', headers, body: JSON.stringify(input) });
}

async function answerTo<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiFailure('The server does not answer.', 'Is `daguerre serve` still running?');
  }
  if (response.ok) return (await response.json()) as Answer;
  const problem = (await response.json().catch(() => ({}))) as Partial<ApiError>;
  throw new ApiFailure(problem.error ?? `The server answered ${response.status}.`, problem.hint ?? '');
}

/** Captures that one view holds at most; an archive with more of one page shows the newest by time travel. */
const MOST_CAPTURES = 5000;

export const api = {
  archive: () => get<ArchiveInfo>('archive'),
  sites: () => get<readonly SiteRow[]>('sites'),
  pages: (site: string, q: string, offset: number) => get<Slice<PageRow>>('pages', { site, q, offset }),
  async captures(url: string): Promise<readonly ListedCapture[]> {
    const rows: ListedCapture[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined && rows.length < MOST_CAPTURES) {
      const slice: Slice<ListedCapture> = await get('captures', { url, offset, limit: 1000 });
      rows.push(...slice.rows);
      offset = slice.next;
    }
    return rows;
  },
  /** The crawl that runs now. */
  stop: () => ask<{ readonly stopping: number | null }>('stop', {}),
  crawls: () => get<readonly CrawlRow[]>('crawls'),
  /** The visits that a number of the report counts. */
  settled: (crawl: number, result: string, kind: 'page' | 'resource', offset: number, limit: number) =>
    get<readonly Visit[]>('visits', { crawl, result, kind, offset, limit }),
  impaired: (crawl: number, offset: number, limit: number) =>
    get<readonly Visit[]>('visits', { crawl, impaired: 1, offset, limit }),
  skips: (crawl: number, reason: string) => get<readonly Skip[]>('skips', { crawl, reason, limit: 1000 }),
  inferences: (crawl: number) => get<readonly InferredRow[]>('inferences', { crawl }),
  thumbnail: (url: string, at: number): string =>
    `/api/thumbnail?${new URLSearchParams({ url, at: String(at) })}`,
};
