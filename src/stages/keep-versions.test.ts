import { describe, expect, it } from 'vitest';
import type { Change } from '../model/change.ts';
import { HOSTS_AS_SITES } from '../model/site-bounds.ts';
import type { StoreMode } from '../model/version.ts';
import type { PageStanding } from '../ports/catalog.ts';
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
    siteBounds: () => HOSTS_AS_SITES,
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

/** How looks were named previously: FNV-1a, forwards and backwards. */
function weakHash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x811c9dc5;
  for (let i = 0, j = text.length - 1; j >= 0; i++, j--) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(j), 0x01000193);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

/**
 * Two texts for which `around(text)` has the same weak hash. Blocks that take the forward state to the same value are
 * found by a birthday search, and concatenated: half a million texts with one forward hash, two of which share the
 * backward one.
 */
function colliding(around: (text: string) => string): readonly [string, string] {
  const [prefix = '', suffix = ''] = around('\u0000').split('\\u0000');
  let state = 0x811c9dc5;
  for (let i = 0; i < prefix.length; i++) state = Math.imul(state ^ prefix.charCodeAt(i), 0x01000193);
  const choices: (readonly [string, string])[] = [];
  for (let n = 0; choices.length < 19; n++) {
    const seen = new Map<number, string>();
    for (let i = 0; ; i++) {
      // Scattered: neighbours share their first letters, and hardly ever collide.
      const block = (Math.imul(n * 1e7 + i, 0x9e3779b1) >>> 0).toString(36).padStart(8, '0');
      let after = state;
      for (let c = 0; c < 8; c++) after = Math.imul(after ^ block.charCodeAt(c), 0x01000193);
      const twin = seen.get(after);
      if (twin !== undefined) {
        choices.push([twin, block]);
        state = after;
        break;
      }
      seen.set(after, block);
    }
  }
  // From the end: once two texts have reached the same state, whatever precedes them keeps it equal.
  const step = (from: number, text: string): number => {
    let at = from;
    for (let i = text.length - 1; i >= 0; i--) at = Math.imul(at ^ text.charCodeAt(i), 0x01000193);
    return at;
  };
  // For both choices of each block, from the last to the first: bit i of an index says which one block i has.
  let states = Int32Array.of(step(0x811c9dc5, suffix));
  for (const [one, other] of choices.toReversed()) {
    const next = new Int32Array(2 * states.length);
    states.forEach((state, place) => {
      next[2 * place] = step(state, one);
      next[2 * place + 1] = step(state, other);
    });
    states = next;
  }
  const textAt = (place: number): string => choices.map((pair, i) => pair[(place >> i) & 1]).join('');
  const seen = new Map<number, number>();
  for (const [place, at] of states.entries()) {
    const twin = seen.get(at);
    if (twin !== undefined) return [textAt(twin), textAt(place)];
    seen.set(at, place);
  }
  throw new Error('no collision: the weak hash is not the one that this knows how to break');
}

describe('Algorithm 4 on visits', () => {
  it('the first version => indexed and kept, whatever is to be stored', async () => {
    const { judge } = keeperOf('important');
    expect(await facts(judge('a'))).toBe('indexed kept: first 1/0 +0');
    expect(await facts(judge('a'))).toBe('not left out: unchanged 0/0 +0');
    expect(await facts(judge('b'))).toBe('indexed kept: no-pattern 1/0 +0');
  });

  it('two looks that the hash of old could not tell apart => two versions', async () => {
    const operationsOf = (text: string) =>
      JSON.stringify(change(0, 10, 0.2, text).operations.map(({ weight: _, ...operation }) => operation));
    const [one, other] = colliding(operationsOf);
    expect(one).not.toBe(other);
    expect(weakHash(operationsOf(one))).toBe(weakHash(operationsOf(other)));
    const { judge } = keeperOf('important', standing());
    expect(await facts(judge('b', { layoutAt: 10, change: change(0, 10, 0.2, one) }))).toContain(
      'below-threshold',
    );
    // If taken for unchanged, it would be left out, and its importance lost.
    expect(await facts(judge('c', { layoutAt: 20, change: change(0, 20, 0.2, other) }))).toBe(
      'indexed kept: accumulated 0.2/0.3 +0',
    );
  });

  it('not seen whole => kept and indexed, however little of it changed; never unchanged', async () => {
    const { judge } = keeperOf('important', standing());
    const part = (from: number, to: number): NewVersion['seen'] => ({
      layoutAt: to,
      change: { ...change(from, to, 0), operations: [], partial: true },
    });
    expect(await facts(judge('a', part(0, 10)))).toBe('indexed kept: partial 0/0.3 +0');
    expect(await facts(judge('a', part(10, 20)))).toBe('indexed kept: partial 0/0.3 +0');
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

  it('a threshold learnt from salience => versions are measured by it, and accumulate it', async () => {
    const { judge } = keeperOf('important', standing({ weigh: 'salience' }));
    const seen = (importance: number, salience: number, text: string, to: number) => ({
      layoutAt: to,
      change: { ...change(0, to, importance, text), salience, why: 'because' },
    });
    // A new lead on a long page; a rotation of promos; two of them.
    const lead = await judge('b', seen(0.01, 0.6, 'lead', 10));
    expect(lead.fact).toMatchObject({
      reason: 'important',
      basis: 'salience',
      importance: 0.01,
      salience: 0.6,
    });
    const promos = await judge('c', seen(0.5, 0.2, 'promos', 20));
    expect(promos.fact).toMatchObject({ reason: 'below-threshold', kept: false, accumulated: 0.2 });
    expect((await judge('d', seen(0.5, 0.2, 'others', 30))).fact).toMatchObject({ reason: 'accumulated' });
  });

  it('the same change, its saliences and their order weighed by another past => unchanged', async () => {
    const { judge } = keeperOf('important', standing());
    const seen = (...saliences: [string, number][]) => {
      const one = change(0, 10, 0.1);
      const operations = saliences.flatMap(([text, salience]) =>
        one.operations.map((operation) => ({ ...operation, new: text, salience })),
      );
      return { layoutAt: 10, change: { ...one, operations } };
    };
    expect(await facts(judge('b', seen(['x', 0.2], ['y', 0.1])))).toContain('below-threshold');
    expect(await facts(judge('c', seen(['y', 0.05], ['x', 0.01])))).toContain('unchanged');
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
    // Back to what is archived.
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
