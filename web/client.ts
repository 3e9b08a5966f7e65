import type { ListPart, Problem, Slice } from '../src/server/api-types.ts';
import { csrf } from './session.ts';
import { t } from './text/language.ts';

/** What the server said went wrong, and what to do about it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly hint: string;
  constructor(status: number, detail: string, hint: string) {
    super(detail);
    this.status = status;
    this.hint = hint;
  }
}

export const noAnswer = (): ApiFailure => new ApiFailure(0, t.common.noAnswer, t.common.noAnswerHint);
export const isNoAnswer = (error: unknown): boolean => error instanceof ApiFailure && error.status === 0;

export type Part<Row> = ListPart<Row>;
export type Query = Readonly<Record<string, string | number | undefined>>;

export function get<Answer>(path: string, query: Query = {}): Promise<Answer> {
  return answerTo(`/api/${path}${asked(query)}`);
}

/** Of a list; all of its parts together up to so many rows. */
export async function getAll<Row>(path: string, query: Query, most: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const part: Part<Row> = await get(path, { limit: 1000, ...query, cursor });
    rows.push(...part.rows);
    cursor = part.next;
  } while (cursor !== undefined && rows.length < most);
  return rows;
}

/** Of a list that counts its rows: the cursor is the offset. */
export async function sliced<Row>(path: string, query: Query, cursor?: string): Promise<Part<Row>> {
  const { rows, next } = await get<Slice<Row>>(path, { ...query, offset: cursor });
  return { rows, ...(next !== undefined && { next: String(next) }) };
}

/** Rows of a list that comes bare. */
const ROWS = 200;

/** Of a list that comes bare: a part that is full may go on, unless it tells all at once. */
export async function counted<Row>(
  path: string,
  query: Query,
  cursor?: string,
  goesOn = true,
): Promise<Part<Row>> {
  const limit = Number(query.limit ?? ROWS);
  const rows = await get<readonly Row[]>(path, { ...query, ...(goesOn && { limit }), offset: cursor });
  return { rows, ...(goesOn && rows.length === limit && { next: String(Number(cursor ?? 0) + limit) }) };
}

/** With the stamp (ETag) of what is told, for who writes about it (If-Match). */
export async function getStamped<Answer>(
  path: string,
  query: Query,
): Promise<Answer & { readonly stamp?: string }> {
  const response = await responseTo(`/api/${path}${asked(query)}`);
  // Servers in between that compress an answer make its stamp a weak one.
  const stamp = response.headers.get('etag')?.replace(/^W\//, '');
  return { ...((await response.json()) as Answer), ...(stamp !== undefined && { stamp }) };
}

/** `stamp`: refused (412) where it no longer holds. */
export function send<Answer>(path: string, body: unknown, stamp?: string): Promise<Answer> {
  return answerTo(`/api/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...csrf(),
      ...(stamp !== undefined && { 'if-match': stamp }),
    },
    body: JSON.stringify(body),
  });
}

/** Values that are absent or empty are not asked for. */
export function asked(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

async function answerTo<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  return (await (await responseTo(path, init)).json()) as Answer;
}

async function responseTo(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw noAnswer();
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  throw new ApiFailure(
    response.status,
    problem.detail ?? t.common.answered(response.status),
    problem.hint ?? '',
  );
}
