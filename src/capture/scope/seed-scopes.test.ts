import { describe, expect, it } from 'vitest';
import type { ScopeSpec } from '../../model/crawl.ts';
import { ScopeError } from './scope-rules.ts';
import { compileSeedScopes } from './seed-scopes.ts';

const GENERAL: ScopeSpec = {
  type: 'prefix',
  include: [],
  exclude: [],
  depth: Number.POSITIVE_INFINITY,
  extraHops: 0,
};
const HOME = 'https://a.org/docs/';
const NEWS = 'https://b.org/news/';

const own = (more: Partial<ScopeSpec>, pages?: number) => ({
  url: NEWS,
  scope: { ...GENERAL, ...more },
  ...(pages !== undefined && { pages }),
});
const at = (depth: number, extraHops = 0) => ({ depth, extraHops });

describe('seeds with a scope of their own', () => {
  it('none has one => the general scope', () => {
    const { judge } = compileSeedScopes([HOME, NEWS], GENERAL);
    expect(judge('https://b.org/news/x', at(1)).in).toBe(true);
    expect(judge('https://b.org/x', at(1))).toMatchObject({ in: false, reason: 'out-of-scope' });
  });

  it('one has another type => it holds for its own seed alone', () => {
    const { judge } = compileSeedScopes([HOME, NEWS], GENERAL, [own({ type: 'host' })]);
    expect(judge('https://b.org/x', at(1)).in).toBe(true);
    expect(judge('https://a.org/x', at(1))).toMatchObject({ in: false, reason: 'out-of-scope' });
  });

  it('all have one => the general scope takes nothing, of type any neither', () => {
    const { judge } = compileSeedScopes([NEWS], { ...GENERAL, type: 'any' }, [own({})]);
    expect(judge('https://c.org/', at(1)).in).toBe(false);
  });

  it('refused for different reasons => the one that settings would lift', () => {
    const { judge } = compileSeedScopes([HOME, NEWS], GENERAL, [own({ depth: 1, exclude: ['/print'] })]);
    expect(judge('https://b.org/news/x', at(2))).toMatchObject({ reason: 'depth' });
    expect(judge('https://b.org/news/print', at(1))).toMatchObject({ reason: 'excluded' });
    expect(judge('https://a.org/docs/print', at(9)).in).toBe(true);
  });

  it('a page limit of 2 => the seed and one more; those known before count after a resume', () => {
    const first = compileSeedScopes([NEWS], GENERAL, [own({}, 2)]);
    expect(first.judge('https://b.org/news/1', at(1)).in).toBe(true);
    expect(first.judge('https://b.org/news/1', at(1)).in).toBe(true);
    expect(first.judge('https://b.org/news/2', at(1))).toMatchObject({
      reason: 'page-limit',
      detail: `page limit of 2 of the seed ${NEWS}`,
    });
    const resumed = compileSeedScopes([NEWS], GENERAL, [own({}, 2)]);
    resumed.observe('https://b.org/news/2');
    expect(resumed.judge('https://b.org/news/1', at(1)).in).toBe(false);
  });

  it('a seed that redirects => its target gets the scope of the seed', () => {
    const scopes = compileSeedScopes([HOME, NEWS], GENERAL, [own({ type: 'host' })]);
    scopes.addSeed('https://new-b.org/', NEWS);
    expect(scopes.judge('https://new-b.org/anything/x', at(1)).in).toBe(true);
    scopes.addSeed('https://new-a.org/docs/', HOME);
    expect(scopes.judge('https://new-a.org/blog/', at(1)).in).toBe(false);
  });

  it('a scope that cannot be => the seed is named', () => {
    const compile = () => compileSeedScopes([NEWS], GENERAL, [own({ type: 'custom' })]);
    expect(compile).toThrow(ScopeError);
    expect(compile).toThrow(`seed ${NEWS}: `);
  });
});

describe('what seeds say beside their scope', () => {
  it('a seed with another way to read => for the pages that its scope takes, and no place of its limit is used up', () => {
    const seed = { ...own({}, 2), render: 'never' as const };
    const { renderOf, judge } = compileSeedScopes([HOME, NEWS], GENERAL, [seed]);
    for (const path of ['1', '2', '3']) expect(renderOf(`${NEWS}${path}`)).toBe('never');
    expect(renderOf(`${HOME}x`)).toBeUndefined();
    expect(judge(`${NEWS}1`, at(1)).in).toBe(true);
    expect(judge(`${NEWS}2`, at(1))).toMatchObject({ in: false, reason: 'page-limit' });
  });

  it('page-spa => pages of the seed differ in their fragment, those of others do not', () => {
    const { hasHashPages, judge } = compileSeedScopes([HOME, NEWS], GENERAL, [
      own({ type: 'page-spa', depth: 1 }),
    ]);
    expect([hasHashPages(NEWS), hasHashPages(HOME), hasHashPages(`${NEWS}x`)]).toEqual([true, false, false]);
    expect(judge(`${NEWS}#/one`, at(1)).in).toBe(true);
    expect(judge(`${NEWS}#/one`, at(2))).toMatchObject({ in: false, reason: 'depth' });
    expect(judge(`${NEWS}x`, at(1))).toMatchObject({ in: false, reason: 'out-of-scope' });
  });
});
