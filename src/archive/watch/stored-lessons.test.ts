import { expect, it } from 'vitest';
import {
  all,
  batch,
  capture,
  crawlWith,
  entry,
  pageOf,
  visited,
  visitOf,
} from '../../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import { Decisions } from '../../model/decisions.ts';
import type { SeenVisit } from '../../model/watch.ts';
import { lessonOf } from '../../stages/visit-lesson.ts';
import { importanceLedger } from '../open/open-archive.ts';
import { inRound, Lessons } from './lessons.ts';
import type { LiveSite } from './live-site.ts';
import { seenVisit } from './seen-visit.ts';
import { StoredLessons } from './stored-lessons.ts';
import { watchedPages } from './watched-pages.ts';

const [A, B] = ['https://example.org/a', 'https://example.org/b'] as const;
const SITE = {
  name: 'example.org',
  settings: { feeds: [] as readonly string[] },
  has: () => true,
  everyOf: () => undefined,
  wanted: [] as readonly string[],
} as unknown as LiveSite;

/** A worker visits a page twice, and another once. */
async function taught() {
  const catalog = await openSqliteCatalog(':memory:', { ledger: importanceLedger });
  const { crawlId, ids } = await crawlWith(catalog, [entry(A), entry(B)]);
  const visit = (url: string, at: number) => {
    const made = visitOf(url, { at });
    const facts = { captures: [capture(url, at)], page: pageOf(url, at) };
    const named = { ...entry(url), redirects: 0, reason: 'forced: each hour' };
    return visited(ids.get(url) ?? 0, made, {
      ...facts,
      lesson: lessonOf(named, { visit: made, ...facts }),
    });
  };
  await catalog.commit(batch(crawlId, { visits: [visit(A, 10), visit(B, 20)] }));
  await catalog.commit(batch(crawlId, { visits: [visit(A, 30)] }));
  return { catalog, crawlId };
}

/** Collects what the loop hears, in order. */
function listener() {
  const told: SeenVisit[] = [];
  const seen = async (...[lesson, kind]: Parameters<ConstructorParameters<typeof Lessons>[1]>) => ({
    ...seenVisit(lesson, { kind, isFirst: false }),
    signals: [],
  });
  return { told, lessons: new Lessons(inRound, seen, (one) => told.push(one)) };
}

it('a watch dies between learning and keeping => the next one hears the same, in the same order; once kept, nobody does', async () => {
  const { catalog, crawlId } = await taught();
  for (const isKept of [false, true]) {
    const stored = new StoredLessons(catalog);
    const { told, lessons } = listener();
    const last = await stored.hear([crawlId], lessons);
    // Read again before anything is kept, as every half second.
    await stored.hear([crawlId], lessons, last);
    await stored.hear([crawlId], lessons);
    expect(told.map(({ url, at, kind }) => [url, at, kind])).toEqual([
      [A, 10, 'forced'],
      [B, 20, 'forced'],
      [A, 30, 'forced'],
    ]);
    if (!isKept) continue;
    const learnt = stored.takeLearnt();
    await catalog.keepWatch('{}', learnt);
    stored.kept(learnt);
  }
  const { told, lessons } = listener();
  await new StoredLessons(catalog).hear([crawlId], lessons);
  expect(told).toEqual([]);
  await catalog.close();
});

it('visits that nobody has learnt from => their pages are listed as they were before, then as they are', async () => {
  const { catalog, crawlId } = await taught();
  const stored = new StoredLessons(catalog);
  const listed = async () => {
    const unlearnt = await stored.unlearntSince();
    const told = { decisions: new Decisions(), sources: new Map(), unlearnt };
    const pages = await all(watchedPages(SITE, catalog, told, 100));
    return pages.map(({ url, lastVisit }) => [url, lastVisit]);
  };
  expect(await listed()).toEqual([
    [A, undefined],
    [B, undefined],
  ]);
  await stored.hear([crawlId], listener().lessons);
  expect(await listed()).toEqual([
    [A, 30],
    [B, 20],
  ]);
  await catalog.close();
});
