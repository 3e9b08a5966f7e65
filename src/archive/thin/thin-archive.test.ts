import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownCaptures } from '../../../test/shown-captures.ts';
import { HOUR, START, visitEditions } from '../../../test/visited-archive.ts';
import { captureResolver } from '../../access/resolve-capture.ts';
import { findChromium } from '../../capture/browser/find-chromium.ts';
import { type OpenArchive, openForReading, openForWriting } from '../open/open-archive.ts';
import { reindex } from '../reindex.ts';
import { verify } from '../verify/verify.ts';
import { type ThinOptions, thinArchive } from './thin-archive.ts';

/** Text that hardly compresses. */
function noise(seed: string, size: number): string {
  const blocks: Buffer[] = [];
  for (let length = 0; length < size; length += 32)
    blocks.push(createHash('sha256').update(`${seed} ${length}`).digest());
  return Buffer.concat(blocks).toString('base64').slice(0, size);
}

const page = (title: string, text: string): string =>
  `<!doctype html><title>${title}</title><a href="/">home</a><a href="/a">a</a><p>${text}</p>`;

/** The front page changes every hour except each third; the other page every fourth. */
const edition = (hour: number) => ({
  '/': page('Home', noise(`home ${hour - (hour % 3 === 2 ? 1 : 0)}`, 3000)),
  '/a': page('A', noise(`a ${Math.floor(hour / 4)}`, 3000)),
});

const editions = (count: number, from = 0) => Array.from({ length: count }, (_, i) => edition(from + i));

let archive: string;
beforeEach(async () => {
  archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterEach(() => rm(archive, { recursive: true, force: true }));

const writing = async <T>(work: (open: OpenArchive) => Promise<T>): Promise<T> => {
  const open = await openForWriting({ archive }, 'test');
  try {
    return await work(open);
  } finally {
    await open.close();
  }
};

const thin = (options: Partial<ThinOptions> = {}) =>
  writing((open) => thinArchive(open, { now: START + 100 * HOUR, ...options }));

/** What replay shows for each capture. */
async function replayed(): Promise<ReadonlyMap<string, string>> {
  const open = await openForReading({ archive });
  try {
    return await shownCaptures(open);
  } finally {
    await open.close();
  }
}

async function told() {
  const open = await openForReading({ archive });
  try {
    const { catalog } = open;
    const [captures, patterns, files] = [[] as unknown[], [] as unknown[], await catalog.warcFiles()];
    for await (const { eventId: _, ...fact } of catalog.captures({})) captures.push(fact);
    for await (const one of catalog.pagePatterns({})) patterns.push(one);
    return {
      ...{ captures, patterns, files: files.map(({ file, length }) => [file, length]) },
      versions: await catalog.versions({}),
      pages: await catalog.pages({}),
      changes: await catalog.changes({}),
    };
  } finally {
    await open.close();
  }
}

const problems = async () => {
  const { errors, warnings } = await verify({ archive }, {});
  return [...errors, ...warnings];
};

const hourOf = (at: number): number => Math.floor((at - START) / HOUR);

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: thinning rendered pages, because there is no Chromium');

/** What replay of each kept version shows for everything that it loaded. */
async function shownParts(): Promise<ReadonlyMap<string, string>> {
  const open = await openForReading({ archive });
  const shown = new Map<string, string>();
  try {
    const resolver = captureResolver(open.catalog, open.reader);
    for (const { url, at, kept } of await open.catalog.versions({})) {
      const info = kept ? await open.catalog.closest(`urn:pageinfo:${url}`, at) : undefined;
      if (info?.at !== at) continue;
      const { payload } = await open.reader.read(info);
      const { resources } = JSON.parse(Buffer.from(payload.bytes ?? []).toString());
      for (const part of Object.keys(resources)) {
        const found = await resolver.resolve(part, at);
        if (found.kind !== 'found') throw new Error(`${part} at ${at}: ${found.kind}`);
        const hash = createHash('sha256');
        for await (const chunk of found.capture.payload.chunks()) hash.update(chunk);
        shown.set(`${url} ${at} ${part}`, hash.digest('hex'));
      }
    }
  } finally {
    await open.close();
  }
  return shown;
}

describe.skipIf(noChromium)('thinArchive of rendered pages', () => {
  test('kept versions show every part as before; the least salient change goes first', {
    timeout: 240_000,
  }, async () => {
    const picture = (name: string) => ({
      headers: { 'content-type': 'image/svg+xml' },
      body: `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><text y="20">${name}</text><!--${noise(name, 4000)}--></svg>`,
    });
    const stories = ['Rain', 'Storm', 'Storm', 'Flood', 'Fair', 'Harvest'];
    const { url } = await visitEditions(
      archive,
      stories.map((story, hour) => ({
        '/': `<!doctype html><html lang="en"><title>Daily</title><link rel="stylesheet" href="/style.css"><h1>The Daily</h1>
          <main><h2>${story}</h2><img src="/${story}.svg"><img src="/logo.svg"><p>${`${story}, and all there is to say of it. `.repeat(12)}</p></main>
          <footer><p>${hour} visitors</p></footer>`,
        '/style.css': {
          headers: { 'content-type': 'text/css' },
          body: `main{width:${600 + Math.floor(hour / 3)}px}`,
        },
        '/logo.svg': picture('logo'),
        [`/${story}.svg`]: picture(story),
      })),
      { render: true },
    );
    const before = await shownParts();
    expect([...before.keys()].some((one) => one.endsWith('/Storm.svg'))).toBe(true);
    const first = await thin({ storage: 1, dryRun: true });
    // Only the number of visitors changed at the third visit.
    expect(hourOf(first.versions[0]?.at ?? 0)).toBe(2);
    const report = await thin({ storage: 1 });
    expect(report.versions.length).toBeGreaterThan(1);
    const after = await shownParts();
    expect(after.size).toBeLessThan(before.size);
    for (const [part, digest] of after) expect([part, before.get(part)]).toEqual([part, digest]);
    expect(await problems()).toEqual([]);
    const known = await told();
    expect(known.changes).toHaveLength(5);
    await reindex({ archive }, { onMended: () => {}, onProgress: () => {} });
    expect(await told()).toEqual(known);
    expect(url).toContain('127.0.0.1');
  });
});

describe('thinArchive', () => {
  test('dry run => tells what would go, and changes nothing', async () => {
    const { url } = await visitEditions(archive, editions(12));
    const before = await told();
    const report = await thin({ storage: 75_000, dryRun: true });
    expect(report).toMatchObject({ dryRun: true, storage: 75_000, over: 0 });
    expect(report.versions.length).toBeGreaterThan(2);
    expect(report.versions.every((one) => one.url.startsWith(url))).toBe(true);
    expect(report.before).toBeGreaterThan(75_000);
    expect(await told()).toEqual(before);
  });

  test('within the budget => nothing goes, no file is touched', async () => {
    await visitEditions(archive, editions(4));
    const before = await readdir(join(archive, 'warc'));
    expect(await thin({ storage: 1e9 })).toMatchObject({ versions: [], files: 0, over: 0 });
    expect(await readdir(join(archive, 'warc'))).toEqual(before);
  });

  test('over it => fits; kept versions replay as before, verify is content, reindex tells the same', async () => {
    await visitEditions(archive, editions(16), { rotateSize: 30_000 });
    const before = await replayed();
    const { before: bytes } = await thin({ storage: 1e9, dryRun: true });
    const storage = Math.round(bytes * 0.7);
    const report = await thin({ storage });
    expect(report.after).toBeLessThanOrEqual(storage);
    expect(report.after).toBeGreaterThan(storage * 0.85);
    const after = await replayed();
    expect(after.size).toBe(before.size - report.visits);
    for (const [capture, digest] of after) expect(before.get(capture)).toBe(digest);
    expect(await problems()).toEqual([]);
    const known = await told();
    const dropped = known.versions.filter(({ kept }) => !kept);
    expect(dropped).toHaveLength(report.visits);
    for (const { importance, sha256 } of dropped)
      expect([importance <= 1, sha256.length]).toEqual([true, 64]);
    await rm(join(archive, 'catalog.sqlite'), { force: true });
    await reindex({ archive }, { onMended: () => {}, onProgress: () => {} });
    expect(await told()).toEqual(known);
  });

  test('as little as possible => first and last versions stay, and what goes says when and why', async () => {
    const { url } = await visitEditions(archive, editions(12));
    const report = await thin({ storage: 1 });
    expect(report.over).toBeGreaterThan(0);
    const hours = [...(await replayed()).keys()]
      .filter((one) => one.startsWith(`${url}/ `))
      .map((one) => hourOf(Number(one.split(' ')[1])));
    // 9 and 10 are the last version but one and the last, which 11 saw again.
    expect(hours).toEqual([0, 10, 11]);
    await writing(async ({ catalog, reader }) => {
      const fact = await catalog.closest(`urn:pageinfo:${url}/`, START + 3 * HOUR);
      const { payload } = await reader.read(fact ?? expect.unreachable());
      const info = JSON.parse(Buffer.from(payload.bytes ?? []).toString());
      expect(info.version).toMatchObject({ kept: false, importance: 1 });
      expect(info.dropped).toMatchObject({
        at: START + 100 * HOUR,
        why: expect.stringContaining('importance 1.000'),
      });
      expect(info.dropped.bytes).toBeGreaterThan(2000);
    });
    expect(await thin({ storage: 1 })).toMatchObject({ versions: [], files: 0 });
  });

  test('pinned pages and certified captures stay, and the certificate can still be proven', async () => {
    const { url } = await visitEditions(archive, editions(12), { certified: new Set([4, 5]) });
    await writing(async (open) => {
      const book = await open.decisions();
      await book.add({ targets: [`${url}/a`], act: { kind: 'pin' }, by: 'test', why: 'wanted' });
    });
    const before = await replayed();
    const report = await thin({ storage: 1 });
    expect(report.staying.certified).toBeGreaterThan(0);
    expect(report.staying.pinned).toBeGreaterThan(0);
    const after = await replayed();
    const of = (path: string, from: ReadonlyMap<string, string>) =>
      [...from.keys()].filter((one) => one.startsWith(`${url}${path} `));
    expect(of('/a', after)).toEqual(of('/a', before));
    expect(of('/', after).map((one) => hourOf(Number(one.split(' ')[1])))).toEqual([0, 4, 5, 10, 11]);
    const { errors, warnings, certificates } = await verify({ archive }, {});
    expect([...errors, ...warnings]).toEqual([]);
    expect(certificates).toHaveLength(2);
  });

  test('a version that came back later => its payload stays for as long as a kept visit refers to it', async () => {
    const states = ['one', 'two', 'three', 'two', 'four'];
    const { url } = await visitEditions(
      archive,
      states.map((state) => ({ '/': page('Home', noise(state, 3000)) })),
    );
    const home = async () =>
      [...(await replayed()).keys()]
        .filter((one) => one.startsWith(`${url}/ `))
        .map((one) => hourOf(Number(one.split(' ')[1])));
    expect((await thin({ storage: 1 })).staying['referred-to']).toBe(1);
    // The visit that refers to it is gone, so now it may go.
    expect(await home()).toEqual([0, 1, 4]);
    await thin({ storage: 1 });
    expect(await home()).toEqual([0, 4]);
    expect(await problems()).toEqual([]);
  });

  test('thinned, visited on, thinned again => all holds', async () => {
    const { url } = await visitEditions(archive, editions(10));
    await thin({ storage: 1 });
    const port = Number(new URL(url).port);
    await visitEditions(archive, editions(6, 10), { from: 10, port });
    const report = await thin({ storage: 1 });
    expect(report.versions.length).toBeGreaterThan(0);
    expect(await problems()).toEqual([]);
    const known = await told();
    await reindex({ archive }, { onMended: () => {}, onProgress: () => {} });
    expect(await told()).toEqual(known);
  });

  test('a budget of one site => only its versions go', async () => {
    const other = await visitEditions(archive, editions(8));
    const { url } = await visitEditions(archive, editions(8));
    const { host } = new URL(url);
    const report = await thin({ sites: new Map([[host, 1]]) });
    expect(new Set(report.versions.map((one) => new URL(one.url).host))).toEqual(new Set([host]));
    expect([...(await replayed()).keys()].filter((one) => one.startsWith(`${other.url}/ `))).toHaveLength(8);
  });
});
