import { describe, expect, test } from 'vitest';
import type { ScopeSpec, ScopeType } from '../../model/crawl.ts';
import { compileRules, type ScopeRules } from './scope-rules.ts';

const spec = (type: ScopeType, more: Partial<ScopeSpec> = {}): ScopeSpec => ({
  type,
  include: [],
  exclude: [],
  depth: Number.POSITIVE_INFINITY,
  extraHops: 0,
  ...more,
});
const at = { depth: 1, extraHops: 0 };
const inside = (scope: ScopeRules, url: string): boolean => scope.judge(url, at).in;

describe('scope types', () => {
  const cases: [ScopeType, string, string[], string[]][] = [
    [
      'page',
      'https://example.org/a/b.html?x=1',
      ['https://example.org/a/b.html?x=1', 'http://www.example.org/a/b.html?x=1'],
      ['https://example.org/a/b.html', 'https://example.org/a/', 'https://example.org/a/b.html?x=2'],
    ],
    [
      'prefix',
      'https://example.org/a/b.html',
      ['https://example.org/a/', 'http://example.org/a/c/d?e', 'https://www2.example.org/a/x'],
      [
        'https://example.org/',
        'https://example.org/ab/c',
        'https://example.org/b/a/',
        'https://sub.example.org/a/',
      ],
    ],
    ['prefix', 'https://example.org', ['https://example.org/any/where'], ['https://example.com/']],
    [
      'host',
      'https://www.example.org/a/b.html',
      ['http://example.org/', 'https://www.example.org/z?q', 'https://www3.example.org/'],
      [
        'https://blog.example.org/',
        'https://example.org:8443/',
        'https://example.com/',
        'https://wwwexample.org/',
      ],
    ],
    [
      'host',
      'http://127.0.0.1:8080/',
      ['http://127.0.0.1:8080/a'],
      ['http://127.0.0.1:8081/a', 'http://127.0.0.1/'],
    ],
    [
      'domain',
      'https://blog.example.co.uk/x',
      ['https://example.co.uk/', 'https://a.b.example.co.uk:8080/', 'http://www.example.co.uk/'],
      ['https://other.co.uk/', 'https://co.uk/', 'https://notexample.co.uk/'],
    ],
    [
      'domain',
      'https://me.github.io/',
      ['https://me.github.io/x'],
      ['https://you.github.io/', 'https://github.io/'],
    ],
    ['domain', 'http://localhost:3000/', ['http://localhost:3000/x'], ['http://localhost:4000/']],
    [
      'domain',
      'http://127.0.0.1:3000/',
      ['http://127.0.0.1:3000/x'],
      ['http://127.0.0.2:3000/', 'http://0.0.1:3000/'],
    ],
    ['domain', 'http://[::1]:3000/', ['http://[::1]:3000/x'], ['http://[::2]:3000/']],
    ['any', 'https://example.org/', ['https://elsewhere.net/'], []],
  ];
  for (const [type, seed, ins, outs] of cases) {
    const scope = compileRules([seed], spec(type));
    test.each(ins)(`${type} of ${seed}: %s => in`, (url) => {
      expect(scope.judge(url, at)).toEqual({ in: true, extraHops: 0 });
    });
    if (outs.length > 0) {
      test.each(outs)(`${type} of ${seed}: %s => out-of-scope`, (url) => {
        expect(scope.judge(new URL(url).href, at)).toMatchObject({ in: false, reason: 'out-of-scope' });
      });
    }
  }
});

describe('patterns, depth, hops', () => {
  test('custom: only --include, and the seed itself', () => {
    const scope = compileRules(['https://example.org/'], spec('custom', { include: ['/papers/\\d+'] }));
    expect(inside(scope, 'https://other.net/papers/12')).toBe(true);
    expect(inside(scope, 'https://example.org/')).toBe(true);
    expect(inside(scope, 'https://example.org/about')).toBe(false);
  });

  test('--include widens any type; --exclude wins over include and seed', () => {
    const scope = compileRules(
      ['https://example.org/'],
      spec('host', {
        include: ['^https://cdn\\.example\\.net/'],
        exclude: ['/login', '\\.zip$', 'example\\.org/$'],
      }),
    );
    expect(inside(scope, 'https://cdn.example.net/x')).toBe(true);
    expect(scope.judge('https://cdn.example.net/x.zip', at)).toEqual({
      in: false,
      reason: 'excluded',
      detail: 'matches --exclude \\.zip$',
    });
    expect(scope.judge('https://example.org/', { depth: 0, extraHops: 0 })).toMatchObject({
      reason: 'excluded',
    });
  });

  test('depth 2 with --depth 1 => skipped as depth; the seed is in at any depth', () => {
    const scope = compileRules(['https://example.org/'], spec('host', { depth: 1 }));
    expect(scope.judge('https://example.org/a', { depth: 1, extraHops: 0 })).toMatchObject({ in: true });
    expect(scope.judge('https://example.org/a', { depth: 2, extraHops: 0 })).toEqual({
      in: false,
      reason: 'depth',
      detail: 'depth 2, and --depth is 1',
    });
    expect(scope.judge('https://example.org/', { depth: 9, extraHops: 0 })).toMatchObject({ in: true });
  });

  test('extraHops 2: out, further out, then skipped; back inside counts from 0', () => {
    const scope = compileRules(['https://example.org/'], spec('host', { extraHops: 2 }));
    expect(scope.judge('https://b.net/', { depth: 1, extraHops: 0 })).toEqual({ in: true, extraHops: 1 });
    expect(scope.judge('https://c.net/', { depth: 2, extraHops: 1 })).toEqual({ in: true, extraHops: 2 });
    expect(scope.judge('https://d.net/', { depth: 3, extraHops: 2 })).toEqual({
      in: false,
      reason: 'out-of-scope',
      detail: 'outside the host scope of the seeds, 2 of 2 extra hops made',
    });
    expect(scope.judge('https://example.org/x', { depth: 3, extraHops: 2 })).toEqual({
      in: true,
      extraHops: 0,
    });
  });

  test('page scope with one extra hop => the pages linked from the seed', () => {
    const scope = compileRules(['https://example.org/'], spec('page', { extraHops: 1 }));
    expect(scope.judge('https://example.org/a', { depth: 1, extraHops: 0 })).toEqual({
      in: true,
      extraHops: 1,
    });
    expect(scope.judge('https://example.org/b', { depth: 2, extraHops: 1 })).toMatchObject({ in: false });
  });

  test('addSeed after a redirect brings the other host in', () => {
    const scope = compileRules(['https://old.example/'], spec('host'));
    expect(inside(scope, 'https://new.example/a')).toBe(false);
    scope.addSeed('https://new.example/start');
    expect(inside(scope, 'https://new.example/a')).toBe(true);
  });

  test('a thousand seeds: each prefix is its own', () => {
    const seeds = Array.from({ length: 1000 }, (_, i) => `https://example.org/u${i}/index.html`);
    const scope = compileRules(seeds, spec('prefix'));
    expect(inside(scope, 'https://example.org/u999/deep/down/page')).toBe(true);
    expect(inside(scope, 'https://example.org/u1000/')).toBe(false);
  });
});

describe('errors name what is wrong', () => {
  test('seed without scheme => how to write it', () => {
    expect(() => compileRules(['example.org/news'], spec('host'))).toThrow(
      "seed 'example.org/news' is not an http or https URL; write it in full, for example https://example.org/news",
    );
  });
  test('seed of another scheme', () => {
    expect(() => compileRules(['ftp://example.org'], spec('host'))).toThrow(
      /seed 'ftp:\/\/example.org'.*https:\/\/example.org\//,
    );
  });
  test('bad pattern => the option and the pattern', () => {
    expect(() => compileRules(['https://a.org/'], spec('host', { exclude: ['a(b'] }))).toThrow(
      /--exclude 'a\(b' is not/,
    );
  });
  test('custom without include', () => {
    expect(() => compileRules(['https://a.org/'], spec('custom'))).toThrow(/--include/);
  });
});
