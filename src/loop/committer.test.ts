import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { capture, entry, SPEC } from '../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import { attended, type VirtualClock, virtualClock } from '../lab/crawl/virtual-clock.ts';
import type { EventDraft } from '../model/capture.ts';
import type { Catalog } from '../ports/catalog.ts';
import { type Committer, createCommitter } from './committer.ts';

let clock: VirtualClock;
let catalog: Catalog;
let crawlId: number;
/** What was done, in order. */
let done: string[];
let length: number;
let failure: Error | undefined;

beforeEach(async () => {
  clock = virtualClock(1_000_000);
  catalog = attended(await openSqliteCatalog(':memory:'), clock);
  crawlId = (await catalog.createCrawl('key', SPEC, clock.now())).id;
  done = [];
  length = 0;
  failure = undefined;
});
afterEach(() => catalog.close());

/** A real catalog; records that are only counted. */
function committer(syncEvery: number): Committer {
  return createCommitter({
    crawlId,
    clock,
    syncEvery,
    catalog: {
      async commit(batch) {
        done.push(`catalog: ${batch.captures.length} captures, ${[...batch.fileLengths.values()]} bytes`);
        return catalog.commit(batch);
      },
    },
    recorder: {
      async record(drafts) {
        if (failure) throw failure;
        done.push(`records: ${drafts.map(({ id }) => id).join(' ')}`);
        length += 100 * drafts.length;
        return drafts.map(({ url, at, id }) => [capture(url, at, { file: 'a.warc.gz', eventId: id })]);
      },
    },
    store: {
      sync: async () => {
        done.push('sync');
      },
      lengths: () => new Map([['a.warc.gz', length]]),
    },
  });
}

const draft = (id: string): EventDraft => ({
  id,
  url: `https://example.org/${id}`,
  at: 5,
  exchanges: [],
  derived: [],
});
const event = (id: string) => ({ kind: 'event', draft: draft(id) }) as const;

describe('the order of writes', () => {
  test('items of one moment => recorded together, fsync, then one transaction that names the length', async () => {
    const { commit } = committer(0);
    await Promise.all([commit(event('a')), commit(event('b'))]);
    expect(done).toEqual(['records: a b', 'sync', 'catalog: 2 captures, 200 bytes']);
    expect((await catalog.captureByRecordId('none')) ?? 'none').toBe('none');
  });

  test('a batch gathers a moment; hurried, it is written at once', async () => {
    const one = committer(0);
    const before = clock.now();
    await one.commit(event('a'));
    expect(clock.now() - before).toBe(60);
    const second = one.commit(event('b'));
    await Promise.resolve();
    one.hurry();
    await second;
    expect(clock.now() - before).toBe(60);
  });

  test('fsync at its cadence => not before every transaction; drained, everything is on disk', async () => {
    const one = committer(1_000);
    await one.commit(event('a'));
    await one.commit(event('b'));
    await clock.sleep(1_000);
    await one.commit(event('c'));
    await one.drain();
    expect(done.filter((what) => !what.startsWith('records'))).toEqual([
      'catalog: 1 captures, 100 bytes',
      'catalog: 1 captures, 200 bytes',
      'sync',
      'catalog: 1 captures, 300 bytes',
      'sync',
    ]);
  });

  test('more than are packed together => the next are recorded while these are committed, in order', async () => {
    const { commit } = committer(Number.POSITIVE_INFINITY);
    const names = Array.from({ length: 100 }, (_, i) => String(i));
    await Promise.all(names.map((name) => commit(event(name))));
    expect(
      done.filter((what) => what.startsWith('records')).map((what) => what.split(' ').length - 1),
    ).toEqual([64, 36]);
    expect(done.at(-1)).toBe('catalog: 36 captures, 10000 bytes');
  });
});

describe('what callers learn', () => {
  const found = (url: string) =>
    ({ kind: 'frontier', discovered: [entry(url)], skips: [], denials: [] }) as const;

  test('new entries => handed on once; those that are known, not', async () => {
    const { commit } = committer(0);
    const answers = await Promise.all([
      commit(found('https://example.org/1')),
      commit(found('https://example.org/2')),
      commit(found('https://example.org/1')),
    ]);
    const urls = answers.flatMap(({ enqueued }) => enqueued.map(({ url }) => url));
    expect(urls.sort()).toEqual(['https://example.org/1', 'https://example.org/2']);
    expect((await commit(found('https://example.org/1'))).enqueued).toEqual([]);
  });

  test('a visit => told the facts of its own records alone', async () => {
    const { commit } = committer(0);
    const { enqueued } = await commit(found('https://example.org/1'));
    const facts: string[][] = [];
    const visit = (id: string) =>
      ({
        kind: 'visit',
        draft: draft(id),
        complete: (captures: readonly { readonly url: string }[]) => {
          facts.push(captures.map(({ url }) => url));
          return {
            visit: {
              url: 'https://example.org/1',
              at: 5,
              duration: 1,
              reason: '',
              outcome: 'failed',
              bytes: 0,
            },
            settlement: { entryId: enqueued[0]?.id ?? 0, state: 'failed' },
            captures: [],
            discovered: [],
            skips: [],
          } as const;
        },
      }) as const;
    const [committed] = await Promise.all([commit(visit('x')), commit(event('y'))]);
    expect(facts).toEqual([['https://example.org/x']]);
    expect(committed.visit?.settlement.state).toBe('failed');
    expect((await catalog.tally(crawlId)).failed).toBe(1);
  });

  test('records that cannot be written => the caller fails, and so do all after it: the catalog names none', async () => {
    const one = committer(0);
    failure = new Error('no space left');
    await expect(one.commit(event('a'))).rejects.toThrow('no space left');
    failure = undefined;
    await expect(one.commit(event('b'))).rejects.toThrow('no space left');
    await one.drain();
    expect(done.filter((what) => what.startsWith('catalog') || what === 'sync')).toEqual([]);
  });
});
