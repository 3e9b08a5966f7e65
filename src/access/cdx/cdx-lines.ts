import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog, IndexPlace } from '../../ports/catalog.ts';
import type { CdxFields } from './cdx-fields.ts';
import type { CdxTest } from './cdx-filter.ts';
import type { KeyRange } from './key-range.ts';

/** What both dialects ask for. */
export interface CdxRequest extends KeyRange {
  readonly from?: Millis;
  readonly to?: Millis;
  readonly order: 'forward' | 'reverse' | { readonly closest: Millis };
  readonly tests: readonly CdxTest[];
  readonly collapse: readonly ((fields: CdxFields) => string)[];
  /** Lines to pass over of those that are told. */
  readonly offset: number;
  readonly limit: number;
  /** The last `limit` lines, in order. */
  readonly isLast?: boolean;
  readonly after?: IndexPlace;
  /** How a capture reads in the dialect. */
  readonly fieldsOf: (fact: CaptureFact) => CdxFields;
}

export interface CdxLine {
  readonly fact: CaptureFact;
  readonly fields: CdxFields;
  /** From where a listing goes on. */
  readonly place: IndexPlace;
}

type IndexCatalog = Pick<CaptureCatalog, 'indexLines'>;

/** Read as they are asked for: whoever takes ten lines of ten million has ten read, and a few more. */
export async function* cdxLines(catalog: IndexCatalog, request: CdxRequest): AsyncIterable<CdxLine> {
  if (request.isLast) {
    yield* lastLines(catalog, request);
    return;
  }
  let { offset, limit } = request;
  if (limit <= 0) return;
  for await (const line of collapsed(matching(catalog, request), request)) {
    if (offset-- > 0) continue;
    yield line;
    if (--limit <= 0) return;
  }
}

async function* lastLines(catalog: IndexCatalog, request: CdxRequest): AsyncIterable<CdxLine> {
  const { limit } = request;
  if (request.collapse.length === 0) {
    const found: CdxLine[] = [];
    if (limit > 0)
      for await (const line of matching(catalog, { ...request, order: 'reverse' })) {
        found.push(line);
        if (found.length >= limit) break;
      }
    yield* found.reverse();
    return;
  }
  // Of lines that are alike the first is told: that is known from the beginning only.
  const ring: CdxLine[] = [];
  let count = 0;
  for await (const line of collapsed(matching(catalog, request), request))
    if (limit > 0) ring[count++ % limit] = line;
  for (let i = Math.max(0, count - limit); i < count; i++) yield ring[i % limit] as CdxLine;
}

async function* collapsed(lines: AsyncIterable<CdxLine>, { collapse }: CdxRequest): AsyncIterable<CdxLine> {
  let before: string | undefined;
  for await (const line of lines) {
    if (collapse.length > 0) {
      const key = collapse.map((keyOf) => keyOf(line.fields)).join('\n');
      if (key === before) continue;
      before = key;
    }
    yield line;
  }
}

async function* matching(catalog: IndexCatalog, request: CdxRequest): AsyncIterable<CdxLine> {
  const { tests, order, matchType, fieldsOf } = request;
  for await (const line of typeof order === 'object'
    ? byDistance(catalog, request, order.closest)
    : inOrder(catalog, request, order === 'reverse')) {
    const { fact } = line;
    // What describes captures is no capture; and a POST has another key, which an exact URL does not name.
    if (fact.type === 'metadata') continue;
    if (matchType === 'exact' && fact.method !== 'GET' && fact.method !== '') continue;
    const fields = fieldsOf(fact);
    if (tests.every((test) => test(fields))) yield { ...line, fields };
  }
}

type Placed = Omit<CdxLine, 'fields'>;

async function* inOrder(
  catalog: IndexCatalog,
  { keys, from, to, after }: Pick<CdxRequest, 'keys' | 'from' | 'to' | 'after'>,
  isReverse: boolean,
): AsyncIterable<Placed> {
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  let last = after;
  for await (const { surt, fact } of catalog.indexLines({
    keys,
    ...span,
    isReverse,
    ...(after && { after }),
  })) {
    const read = last?.surt === surt && last.at === fact.at ? last.read + 1 : 1;
    last = { surt, at: fact.at, read };
    yield { fact, place: last };
  }
}

/** Outwards from a moment on both sides at once, the nearer first. */
async function* byDistance(
  catalog: IndexCatalog,
  { keys, from, to }: CdxRequest,
  closest: Millis,
): AsyncIterable<Placed> {
  const side = (span: { from?: Millis | undefined; to?: Millis | undefined }, isReverse: boolean) => {
    const { from: least, to: most } = span;
    const query = {
      keys,
      ...(least !== undefined && { from: least }),
      ...(most !== undefined && { to: most }),
    };
    return inOrder(catalog, query, isReverse)[Symbol.asyncIterator]();
  };
  const before = side({ from, to: Math.min(closest, to ?? closest) }, true);
  const behind = side({ from: Math.max(closest + 1, from ?? closest + 1), to }, false);
  let [left, right] = [await before.next(), await behind.next()];
  while (!left.done || !right.done) {
    const isLeft =
      !left.done && (right.done || closest - left.value.fact.at <= right.value.fact.at - closest);
    if (isLeft) {
      yield left.value as Placed;
      left = await before.next();
    } else {
      yield right.value as Placed;
      right = await behind.next();
    }
  }
}
