import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture, digest, pageOf } from '../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import type { MirrorFact } from '../model/mirror.ts';
import { findMirrors } from './find-mirrors.ts';
import { withoutHost } from './stored/same-pages.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Seen = readonly [url: string, at: number, bytes: string];

/** Payloads are compared by their digests alone: none may be read. */
async function mirrorsAmong(name: string, seen: readonly Seen[], known?: readonly MirrorFact[]) {
  const catalog = await openSqliteCatalog(join(folder, `${name}.sqlite`));
  try {
    const captures = seen.map(([url, at, bytes]) => capture(url, at, { digest: digest(bytes) }));
    const pages = seen.map(([url, at]) => pageOf(url, at));
    await catalog.index({ captures, pages, fileLengths: new Map() });
    const unread = async (): Promise<undefined> => undefined;
    const reader = { read: () => Promise.reject(new Error('not asked for')), close: async () => {} };
    const ports = {
      catalog: { ...catalog, keptVersions: async () => new Map() },
      reader,
      pageReader: { readSource: unread },
    };
    return await findMirrors(ports, 99, known);
  } finally {
    await catalog.close();
  }
}

const site = (
  host: string,
  directory: string,
  count: number,
  bytes: (i: number) => string,
  at = 10,
): Seen[] => Array.from({ length: count }, (_, i) => [`https://${host}${directory}${i}.html`, at, bytes(i)]);

test('one directory of a large site is the same on another => that part; other sites => none', async () => {
  const found = await mirrorsAmong('part', [
    ...site('a.example', '/', 30, (i) => `a ${i}`),
    ...site('a.example', '/doc/', 25, (i) => `doc ${i}`),
    ...site('b.example', '/', 12, (i) => `b ${i}`),
    ...site('b.example', '/doc/', 25, (i) => `doc ${i}`, 20),
    ...site('c.example', '/', 30, (i) => `c ${i}`),
  ]);
  expect(found).toEqual([
    {
      ...{ mirror: 'b.example', origin: 'a.example', path: '/doc/', exclusions: [], pages: 25, agreeing: 25 },
      ...{ behind: 0, standing: 'automatic', checkedAt: 99 },
    },
  ]);
});

test('one shows earlier versions of the other, and lacks pages => it is the mirror, and behind', async () => {
  const [found] = await mirrorsAmong('behind', [
    ...site('old.example', '/', 22, (i) => `page ${i}`, 5),
    ...site('new.example', '/', 24, (i) => `page ${i}`, 10),
    ...site('new.example', '/', 3, (i) => `newer ${i}`, 20),
  ]);
  expect(found).toMatchObject({
    ...{ mirror: 'old.example', origin: 'new.example', pages: 22, agreeing: 19, behind: 5, since: 10 },
    standing: 'automatic',
  });
});

test.each(['automatic', 'ended', 'rejected'] as const)(
  'a copy that was %s goes its own way => it stays the mirror, with the figures of today; the origin is none',
  async (standing) => {
    const known: MirrorFact = {
      ...{
        mirror: 'copy.example',
        origin: 'origin.example',
        path: '/',
        exclusions: [],
        pages: 40,
        agreeing: 40,
      },
      ...{ behind: 0, standing, checkedAt: 15 },
    };
    const seen = [
      ...site('origin.example', '/', 40, (i) => `page ${i}`, 5),
      ...site('copy.example', '/', 40, (i) => `page ${i}`, 10),
      ...site('copy.example', '/', 20, (i) => `own ${i}`, 20),
    ];
    expect(await mirrorsAmong(`fork-${standing}`, seen, [known])).toEqual([
      { ...known, agreeing: 20, standing: 'suspected', checkedAt: 99 },
    ]);
  },
);

test('eight pages in common => suspected: a person decides', async () => {
  const seen = ['a.example', 'b.example'].flatMap((host) => site(host, '/', 8, (i) => `page ${i}`));
  expect(await mirrorsAmong('few', seen)).toMatchObject([{ standing: 'suspected', agreeing: 8 }]);
});

test('the own host in a text, with port and www. or without => one word', () => {
  const text = '<a href="http://www.example.org:8080/x">example.org</a> other.example';
  expect(withoutHost(text, new URL('http://www.example.org:8080/'))).toBe(
    '<a href="http://{host}/x">{host}</a> other.example',
  );
});
