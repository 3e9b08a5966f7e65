import type { PageRelevance, SeenRedirect, VisitCommit } from '../../ports/catalog.ts';
import type { ImportanceBook } from '../../ports/importance-ledger.ts';
import { bulkInsert } from '../engines/bulk-statement.ts';
import { whole } from '../names/stored-text.ts';
import type { CommitScope } from './commit.ts';
import { linksOfPages } from './commit-pages.ts';
import { type BookKeeping, bookInHand, fetchParts, writeBook } from './importance-book.ts';

const SET_REDIRECT = bulkInsert(
  'redirects',
  `on conflict (from_id) do update set
    to_id = case when excluded.seen_at >= redirects.seen_at then excluded.to_id else redirects.to_id end,
    seen_at = case when excluded.seen_at > redirects.seen_at then excluded.seen_at else redirects.seen_at end`,
);

export async function writeRedirects(scope: CommitScope, redirects: readonly SeenRedirect[]): Promise<void> {
  // PostgreSQL takes each row of an upsert once.
  const newest = new Map<number, { from_id: number; to_id: number; seen_at: number }>();
  for (const { url, to, at } of redirects) {
    const row = { from_id: scope.url(url).id, to_id: scope.url(to).id, seen_at: whole(at) };
    if (row.seen_at >= (newest.get(row.from_id)?.seen_at ?? 0)) newest.set(row.from_id, row);
  }
  await scope.engine.bulk(scope.connection, SET_REDIRECT, [...newest.values()]);
}

/** What a commit tells of importance, in the order of its visits. */
export type Step =
  | { readonly kind: 'read'; readonly url: string }
  /** A visit that has no page: it counts where the URL is known as one, and is then a page that stands as it was. */
  | { readonly kind: 'again'; readonly url: string }
  | { readonly kind: 'redirect'; readonly url: string; readonly to: string };

export function stepOf({ visit, page, redirect }: VisitCommit): Step | undefined {
  const { url, outcome } = visit;
  if (redirect !== undefined) return { kind: 'redirect', url, to: redirect };
  if (page) return { kind: 'read', url };
  return outcome === 'failed' || outcome === 'deferred' ? undefined : { kind: 'again', url };
}

/** Every page that was read hands its cash on, along all links that any of its captures had. */
export async function handOn(
  scope: CommitScope,
  keeping: BookKeeping,
  steps: readonly Step[],
  known: ReadonlyMap<number, readonly number[]>,
  relevances: readonly PageRelevance[] = [],
): Promise<void> {
  const { ledger } = keeping;
  if (!ledger || steps.length + relevances.length === 0) return;
  const { engine, connection } = scope;
  const { book, keep } = await bookInHand(keeping, connection, ledger);
  const isChanged = await takeSteps(scope, book, steps, known);
  const paid = relevances.map(({ url, relevance }) => ({ id: scope.url(url).id, relevance }));
  await fetchParts(
    engine,
    connection,
    book,
    paid.map(({ id }) => id),
  );
  for (const { id, relevance } of paid) book.setRelevance(id, relevance);
  if (isChanged || paid.length > 0) await writeBook(engine, connection, book);
  keep();
}

/** Whether any of them counts. */
async function takeSteps(
  scope: CommitScope,
  book: ImportanceBook,
  steps: readonly Step[],
  known: ReadonlyMap<number, readonly number[]>,
): Promise<boolean> {
  const { engine, connection } = scope;
  const visited = steps.map((step) => ({ ...step, id: scope.url(step.url).id }));
  await fetchParts(engine, connection, book, pagesOf(visited, scope));
  const pages = visited.filter(({ kind, id }) => kind === 'read' || (kind === 'again' && book.isRead(id)));
  if (pages.length === 0 && !visited.some(({ kind }) => kind === 'redirect')) return false;
  const missing = pages.map(({ id }) => id).filter((id) => !known.has(id));
  const links = new Map([...known, ...(await linksOfPages(scope, missing))]);
  await fetchParts(
    engine,
    connection,
    book,
    pages.flatMap(({ id }) => links.get(id) ?? []),
  );
  const counted = new Set(pages);
  for (const step of visited) {
    if (step.kind === 'redirect') book.merge(step.id, scope.url(step.to).id);
    else if (counted.has(step)) book.visit(step.id, links.get(step.id) ?? []);
  }
  return true;
}

function* pagesOf(steps: readonly (Step & { readonly id: number })[], scope: CommitScope): Iterable<number> {
  for (const step of steps) {
    yield step.id;
    if (step.kind === 'redirect') yield scope.url(step.to).id;
  }
}
