import { describe, expect, it } from 'vitest';
import type { StoredVersion, VersionLook } from '../ports/catalog.ts';
import {
  type AnalysisTask,
  type AnalysisWish,
  after,
  type Before,
  NOTHING_BEFORE,
  taskFor,
} from './plan-analysis.ts';

const look = (
  layoutAt: number | undefined,
  comparedAt?: number,
  more: Partial<VersionLook> = {},
): VersionLook => ({
  ...(layoutAt !== undefined && { layoutAt }),
  ...(comparedAt !== undefined && { comparedAt }),
  madeAt: 1000,
  analyser: 'now',
  recut: false,
  facts: [],
  ...more,
});
const version = (at: number, seen?: VersionLook, payload = `p${at}`): StoredVersion => ({
  at,
  payload,
  ...(seen && { look: seen }),
});

/** What is done with each version; one that is analysed gets a layout of its own. */
function tasks(versions: readonly StoredVersion[], wish: AnalysisWish = {}): (AnalysisTask | undefined)[] {
  let before: Before = NOTHING_BEFORE;
  return versions.map((one) => {
    const task = taskFor(one, before, wish, ({ look: seen }) => seen?.analyser === 'now');
    const compared = before.layout?.at;
    before = after(one, task ? look(one.at, compared, { madeAt: 2000 }) : one.look, before);
    return task;
  });
}

describe('which versions are looked at', () => {
  it('none was => each, but for those with the bytes of the one before', () => {
    expect(tasks([version(1), version(2, undefined, 'p1'), version(3)])).toEqual(['new', undefined, 'new']);
  });

  it('all were, each compared with the one before => none', () => {
    expect(tasks([version(1, look(1)), version(2, look(2, 1)), version(3, look(2, 2))])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('one between two that were => it, and the next alone', () => {
    expect(tasks([version(1, look(1)), version(2), version(3, look(3, 1)), version(4, look(4, 3))])).toEqual([
      undefined,
      'new',
      'successor',
      undefined,
    ]);
  });

  it('killed after the one between was stored => the next is still out of date', () => {
    expect(tasks([version(1, look(1)), version(2, look(2, 1)), version(3, look(3, 1))])).toEqual([
      undefined,
      undefined,
      'successor',
    ]);
  });

  it('the one before has another layout since => compared again; one that looked the same goes with it', () => {
    const recut = look(1, undefined, { recut: true, madeAt: 3000 });
    expect(tasks([version(1, recut), version(2, look(1, 1)), version(3, look(3, 1))])).toEqual([
      undefined,
      undefined,
      'successor',
    ]);
  });

  it('--again => those of another analyser; --retry => those that came to nothing; a period => only in it', () => {
    const old = look(1, undefined, { analyser: 'older' });
    expect(tasks([version(1, old)], { again: true })).toEqual(['again']);
    expect(tasks([version(1, old)])).toEqual([undefined]);
    expect(tasks([version(1, look(undefined))])).toEqual([undefined]);
    expect(tasks([version(1, look(undefined))], { retry: true })).toEqual(['failed']);
    expect(tasks([version(1), version(2), version(3)], { from: 2, to: 2 })).toEqual([
      undefined,
      'new',
      undefined,
    ]);
  });

  it('the bytes of a version that nobody looked at, before the period => looked at', () => {
    expect(tasks([version(1), version(2, undefined, 'p1')], { from: 2 })).toEqual([undefined, 'new']);
  });

  it('a crawl compared the first version with that of another scheme => left as it is', () => {
    expect(tasks([version(2, look(2, 1))])).toEqual([undefined]);
  });

  it('what crawls have left => those whose snapshot is archived, and what came after one that was looked at later', () => {
    const seen = (at: number, payload?: string): StoredVersion => ({
      ...version(at, undefined, payload),
      isSeen: true,
    });
    const left = { left: true };
    expect(tasks([version(1), seen(2), seen(3, 'p2')], left)).toEqual([undefined, 'new', 'new']);
    // The last is compared with the one before it, but was weighted when the second was not known.
    const late = [version(1, look(1)), seen(2), version(3, look(3, 1)), version(4, look(4, 3))];
    expect(tasks(late, left)).toEqual([undefined, 'new', 'successor', 'successor']);
    expect(tasks(late)).toEqual([undefined, 'new', 'successor', undefined]);
  });
});
