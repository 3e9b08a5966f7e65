import { describe, expect, it } from 'vitest';
import type { Change } from '../model/change.ts';
import type { StoreMode } from '../model/version.ts';
import type { PageStanding } from '../ports/pattern-catalog.ts';
import { type NewVersion, openVersionKeeper } from './keep-versions.ts';

const URL_A = 'https://example.org/a';

const change = (from: number, to: number, importance: number, text = 'x'): Change => ({
  url: URL_A,
  from,
  to,
  importance,
  operations: [{ op: 'update', element: 'text', block: 'B1', weight: importance, new: text }],
  course: { changed: ['B1'], renamed: [], came: [], went: [] },
});

const standing = (more: Partial<PageStanding> = {}): PageStanding => ({
  url: URL_A,
  lastSha256: 'a'.repeat(64),
  storedSha256: 'a'.repeat(64),
  look: '0',
  accumulated: 0,
  threshold: 0.3,
  ...more,
});

function keeperOf(store: StoreMode, ...standings: PageStanding[]) {
  let asked = 0;
  const keeper = openVersionKeeper(store, {
    async *pageStandings() {
      asked++;
      yield* standings;
    },
  });
  let at = 0;
  const judge = async (payload: string, seen?: NewVersion['seen']) => {
    at += 10;
    const sha256 = payload.repeat(64).slice(0, 64);
    return await keeper.judge({ url: URL_A, at, sha256, size: 100, ...(seen && { seen }) });
  };
  return { judge, asked: () => asked };
}

const facts = async (judged: ReturnType<ReturnType<typeof keeperOf>['judge']>) => {
  const { fact } = await judged;
  return `${fact.indexed ? 'indexed' : 'not'} ${fact.kept ? 'kept' : 'left out'}: ${fact.reason} ${fact.importance}/${fact.threshold} +${fact.accumulated}`;
};

describe('Algorithm 4 on visits', () => {
  it('the first version => indexed and kept, whatever is to be stored', async () => {
    const { judge } = keeperOf('important');
    expect(await facts(judge('a'))).toBe('indexed kept: first 1/0 +0');
    expect(await facts(judge('a'))).toBe('not left out: unchanged 0/0 +0');
    expect(await facts(judge('b'))).toBe('indexed kept: no-pattern 1/0 +0');
  });

  it('below the threshold => accumulates, until the sum reaches it; then it restarts', async () => {
    const { judge } = keeperOf('important', standing());
    const seen = (importance: number, text: string, from = 0, to = 10) => ({
      layoutAt: to,
      change: change(from, to, importance, text),
    });
    expect(await facts(judge('b', seen(0.1, 'one')))).toBe('not left out: below-threshold 0.1/0.3 +0.1');
    expect(await facts(judge('c', seen(0.15, 'two')))).toBe('not left out: below-threshold 0.15/0.3 +0.25');
    expect(await facts(judge('d', seen(0.1, 'three', 0, 30)))).toBe('indexed kept: accumulated 0.1/0.3 +0');
    expect(await facts(judge('e', seen(0.3, 'four', 30, 40)))).toBe('indexed kept: important 0.3/0.3 +0');
  });

  it('the same look again, compared with the same layout => unchanged: it accumulates once', async () => {
    const { judge } = keeperOf('important', standing());
    const seen = (weight: number) => {
      const one = change(0, 10, 0.2, 'news');
      const operations = one.operations.map((operation) => ({ ...operation, weight }));
      return { layoutAt: 10, change: { ...one, operations } };
    };
    expect(await facts(judge('b', seen(0.2)))).toBe('not left out: below-threshold 0.2/0.3 +0.2');
    expect(await facts(judge('c', seen(0.1)))).toBe('not left out: unchanged 0/0.3 +0.2');
    // Back at what is archived.
    expect(await facts(judge('a', { layoutAt: 0, change: undefined }))).toBe(
      'not left out: below-threshold 0/0.3 +0.2',
    );
  });

  it('bytes differ and a reader sees the same => not indexed, left out; with `all` kept', async () => {
    const same = { layoutAt: 0, change: undefined };
    expect(await facts(keeperOf('important', standing()).judge('b', same))).toBe(
      'not left out: unchanged 0/0.3 +0',
    );
    expect(await facts(keeperOf('all', standing()).judge('b', same))).toBe('not kept: unchanged 0/0.3 +0');
    const small = { layoutAt: 10, change: change(0, 10, 0.1) };
    expect(await facts(keeperOf('all', standing()).judge('b', small))).toBe(
      'not kept: below-threshold 0.1/0.3 +0.1',
    );
  });

  it('not looked at through a browser => nobody knows what changed: kept', async () => {
    const { judge } = keeperOf('important', standing({ threshold: 5 }));
    expect(await facts(judge('b'))).toBe('not kept: below-threshold 1/5 +1');
  });

  it('the first layout of a page known without => kept', async () => {
    const { look: _, ...unlooked } = standing();
    const { judge } = keeperOf('important', unlooked);
    expect(await facts(judge('a', { layoutAt: 10, change: undefined }))).toBe('not kept: unchanged 0/0.3 +0');
  });

  it('left out, but its payload is stored => a revisit record may say so; one that was left out before is not', async () => {
    const { judge, asked } = keeperOf('important', standing());
    const same = { layoutAt: 0, change: undefined };
    expect((await judge('a', same)).payloadStored).toBe(true);
    expect((await judge('b', same)).payloadStored).toBe(false);
    expect((await judge('b', same)).payloadStored).toBe(false);
    expect((await judge('a', same)).payloadStored).toBe(true);
    expect(asked()).toBe(1);
  });

  it('as last archived => so it is told; an older version that came back is none', async () => {
    const { judge } = keeperOf('all', standing());
    expect((await judge('a')).payloadStored).toBe(true);
    expect((await judge('b')).payloadStored).toBe(false);
    expect((await judge('a')).payloadStored).toBe(false);
    expect((await judge('a')).payloadStored).toBe(true);
  });
});
