import { z } from 'zod';
import type { Role } from '../../archive/serve/server-settings.ts';
import type { RequestContext } from './context.ts';

/** What is common to every route. The table of them gives checks, types and OpenAPI. */
interface RouteHead {
  /** Below `/api`; `:name` stands for a parameter. */
  readonly path: string;
  /** In a sentence, for OpenAPI. */
  readonly summary: string;
  readonly description?: string;
  readonly role: Role;
  /** Answered to those who have not said yet who they are. */
  readonly isOpen?: true;
  /** Few tries are let through. */
  readonly isLogin?: true;
}

/** One question with one answer. */
export interface AnswerRoute extends RouteHead {
  readonly kind: 'answer';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Of the path and the query string together: no name stands in both. */
  readonly input: z.ZodObject;
  readonly body?: z.ZodType;
  /** Names the schema of the answer in OpenAPI. */
  readonly name: string;
  readonly answer: z.ZodType;
  /** Takes a while, and stays the same while nothing is written. */
  readonly isKept?: true;
  readonly run: (input: never, context: RequestContext) => Promise<unknown>;
}

/** A list that is read in parts. */
export interface ListRoute extends RouteHead {
  readonly kind: 'list';
  readonly method: 'GET';
  /** Without `limit`, `cursor` and `fields`, which every list has. */
  readonly input: z.ZodObject;
  /** Names the schema of a row in OpenAPI. */
  readonly name: string;
  readonly row: z.ZodObject;
  /** Computed each time: it tells of more than what stands in the catalog. */
  readonly isFresh?: true;
  /** Where a part begins: what the cursor holds. */
  readonly after: z.ZodType;
  readonly rows: (input: never, context: RequestContext) => Promise<Part<unknown, unknown>>;
}

/** What sends its answer itself: pictures, streams. */
export interface RawRoute extends RouteHead {
  readonly kind: 'raw';
  readonly method: 'GET' | 'POST';
  readonly input: z.ZodObject;
  /** Media type of the answer, for OpenAPI. */
  readonly type: string;
  readonly send: (input: never, context: RequestContext) => Promise<unknown>;
}

export type Route = AnswerRoute | ListRoute | RawRoute;

/** Some rows of a list, and where the next ones begin. */
export interface Part<Row, After> {
  readonly rows: readonly Row[];
  readonly next?: After | undefined;
  /** Of what it shows, where writers agree on that; of its text unless given. */
  readonly etag?: string;
}

/** Of a question without parameters. */
export const NO_INPUT = z.object({});

type Shape = z.ZodObject;
type Typed<T, Changed extends string> = Omit<T, Changed | 'kind'>;

/** Types of the schemas reach the function here; the table needs none of them. */
export function answer<I extends Shape, A extends z.ZodType, B extends z.ZodType = z.ZodUndefined>(
  route: Typed<AnswerRoute, 'input' | 'answer' | 'body' | 'run'> & {
    readonly input: I;
    readonly body?: B;
    readonly answer: A;
    readonly run: (
      input: z.output<I> & { readonly body: z.output<B> },
      context: RequestContext,
    ) => Promise<z.input<A>>;
  },
): Route {
  return { kind: 'answer', ...route } as AnswerRoute;
}

export function list<I extends Shape, R extends z.ZodObject, K extends z.ZodType>(
  route: Typed<ListRoute, 'input' | 'row' | 'after' | 'rows' | 'method' | 'role'> & {
    readonly input: I;
    readonly row: R;
    readonly after: K;
    readonly rows: (
      input: z.output<I> & { readonly limit: number; readonly after: z.output<K> | undefined },
      context: RequestContext,
    ) => Promise<Part<z.input<R>, z.input<K>>>;
  },
): Route {
  return { kind: 'list', method: 'GET', role: 'reader', ...route } as ListRoute;
}

export function raw<I extends Shape>(
  route: Typed<RawRoute, 'input' | 'send'> & {
    readonly input: I;
    readonly send: (input: z.output<I>, context: RequestContext) => Promise<unknown>;
  },
): Route {
  return { kind: 'raw', ...route } as RawRoute;
}

/** One row more than asked for tells that the list goes on. */
export function part<Row, After>(
  rows: readonly Row[],
  limit: number,
  after: (last: Row) => After,
): Part<Row, After> {
  if (rows.length <= limit) return { rows };
  const shown = rows.slice(0, limit);
  return { rows: shown, next: after(shown[limit - 1] as Row) };
}

/** A list that is held in memory: its cursor counts. */
export const COUNTED = z.int().min(0);
export const counted = <Row>(rows: readonly Row[], limit: number, after = 0): Part<Row, number> => ({
  rows: rows.slice(after, after + limit),
  ...(rows.length > after + limit && { next: after + limit }),
});
