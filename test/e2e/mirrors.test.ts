import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedCertificate } from '../../src/model/certificate.ts';
import type { MirrorFact } from '../../src/model/mirror.ts';
import { complaints, daguerre, eachRecord, FAST, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** 24 pages of documents that are the same on both hosts; pages of `/cgi-bin/` differ; some name their own host. */
const documents = Array.from({ length: 24 }, (_, i) => `/doc/${i}.html`);
const named = Array.from({ length: 6 }, (_, i) => `/doc/named/${i}.html`);
const dynamic = Array.from({ length: 8 }, (_, i) => `/cgi-bin/${i}`);

let folder: string;
let grown: string;
let origin: SmallSite;
let mirror: SmallSite;

interface Change {
  readonly extra?: readonly string[];
  /** Pages that are other than they were. */
  readonly changed?: readonly string[];
}

const pages =
  (own: () => string, who: string, { extra = [], changed = [] }: Change = {}) =>
  (path: string) => {
    const words = changed.includes(path) ? 'has changed' : '';
    if (path === '/') return page('Front', [...documents, ...named, ...dynamic, ...extra], words);
    if (named.includes(path)) return page(path, [`${own()}/`], words);
    if (dynamic.includes(path)) return page(`${path} of ${who}`);
    return [...documents, ...extra].includes(path) ? page(path, [], words) : undefined;
  };

const asOrigin = (change?: Change) => pages(() => origin.url, 'the origin', change);
const asMirror = (change?: Change) => pages(() => mirror.url, 'the mirror', change);
const crawling = (archive: string, site: SmallSite, ...more: string[]) =>
  daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, ...more]);
const siteOf = ({ url }: SmallSite): string => new URL(url).host;

async function found(archive: string, ...more: string[]): Promise<readonly MirrorFact[]> {
  const run = await daguerre(['mirrors', '--archive', archive, '--json', ...more]);
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
  return run.json<{ mirrors: MirrorFact[] }>().mirrors;
}

async function asking<T>(
  site: SmallSite,
  work: () => Promise<T>,
): Promise<{ result: T; asked: readonly string[] }> {
  const before = site.asked.length;
  const result = await work();
  return { result, asked: site.asked.slice(before).filter((path) => path !== '/robots.txt') };
}

async function copied(name: string): Promise<string> {
  const archive = join(folder, name);
  await cp(grown, archive, { recursive: true });
  return archive;
}

async function siteDelta(archive: string, site: SmallSite): Promise<string> {
  const out = join(folder, 'history.xml');
  const of = ['--site', siteOf(site), '--out', out, '--archive', archive];
  expect((await daguerre(['export', '--format', 'site-delta', ...of])).code).toBe(0);
  return readFile(out, 'utf8');
}

beforeAll(async () => {
  folder = await temporaryFolder();
  grown = join(folder, 'grown');
  origin = await startSite(() => undefined);
  mirror = await startSite(() => undefined, '127.0.0.2');
  origin.become(asOrigin());
  mirror.become(asMirror());
  expect((await crawling(grown, origin)).code).toBe(0);
  expect((await crawling(grown, mirror)).code).toBe(0);
}, 60_000);
afterAll(async () => {
  await origin.close();
  await mirror.close();
});

describe('two hosts that show the same, but for one directory', () => {
  test('mirrors => found, with the exclusion; equal payloads are stored once', async () => {
    expect(await found(grown)).toEqual([
      {
        mirror: siteOf(mirror),
        origin: siteOf(origin),
        path: '/',
        exclusions: ['/cgi-bin/'],
        pages: 31,
        agreeing: 31,
        behind: 0,
        standing: 'automatic',
        checkedAt: expect.any(Number),
      },
    ]);
    const { stdout } = await daguerre(['mirrors', '--archive', grown]);
    expect(stdout).toContain(`${siteOf(mirror)} mirrors ${siteOf(origin)}: all of it, but for /cgi-bin/`);
    expect(stdout).toContain('31 of 31 pages that both have are the same; up to date');
    const types: string[] = [];
    await eachRecord(grown, (record) => {
      if (record.url.startsWith(`${mirror.url}/doc/1`)) types.push(record.type);
    });
    expect(new Set(types)).toEqual(new Set(['revisit', 'request']));
  });

  test('the origin goes on, the mirror does not => behind by so many pages, since then', async () => {
    const archive = await copied('behind');
    origin.become(asOrigin({ changed: documents.slice(0, 2), extra: ['/doc/new.html'] }));
    await crawling(archive, origin);
    origin.become(asOrigin());
    const [fact] = await found(archive);
    expect(fact).toMatchObject({
      mirror: siteOf(mirror),
      origin: siteOf(origin),
      behind: 4,
      pages: 31,
      agreeing: 28,
    });
    expect(fact?.since).toBeGreaterThan(Date.now() - 120_000);
  });

  test('kept as a fact => archive visits a sample and what is not mirrored; the rest is told as mirror; so after reindex', async () => {
    const archive = await copied('kept');
    expect(await found(archive, '--keep')).toHaveLength(1);
    const { result, asked } = await asking(mirror, () => crawling(archive, mirror));
    expect(asked).toEqual(expect.arrayContaining(['/', ...dynamic]));
    expect(asked).toHaveLength(1 + 16 + dynamic.length);
    const report = result.json<{ coverage: object; inferred: { reasons: object }; notes: string[] }>();
    expect(report.coverage).toMatchObject({ proven: 25, inferred: 14 });
    expect(report.inferred.reasons).toEqual({ mirror: 14 });
    expect(report.notes.join()).toContain(
      `mirrors ${siteOf(origin)} still: 17 of 17 pages that were compared agree`,
    );
    const { certificates } = (await daguerre(['verify', '--archive', archive, '--json'])).json<{
      certificates: { pages: number; inferred: number }[];
    }>();
    expect(certificates.at(-1)).toMatchObject({ pages: 25, inferred: 14 });

    const text = await siteDelta(archive, mirror);
    const mirrored = [...text.matchAll(/status="mirror" of="([^"]+)" record="urn:uuid:/g)].map(
      ([, url]) => url ?? '',
    );
    expect(mirrored).toHaveLength(14);
    expect(mirrored.every((url) => url.startsWith(`${origin.url}/doc/`))).toBe(true);
    expect(await siteDelta(archive, origin)).toContain(`<mirror url="${siteOf(mirror)}" depth="nolimit"`);
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    expect(await siteDelta(archive, mirror)).toBe(text);
    expect(await complaints(archive)).toEqual([]);
  }, 60_000);

  test('one of 17 differs => 2 in 19 of the rest expected to, in certificate, report and why; what was never visited is told so', async () => {
    const archive = await copied('differing');
    await found(archive, '--keep');
    origin.become(asOrigin({ extra: ['/doc/new.html'] }));
    await crawling(archive, origin);
    origin.become(asOrigin());
    const began = Date.now();
    mirror.become(asMirror({ changed: ['/'] }));
    const { result, asked } = await asking(mirror, () => crawling(archive, mirror));
    mirror.become(asMirror());
    const report = result.json<{ inferred: { pages: number; expectedMissed: number } }>();
    expect(report.inferred.pages).toBe(15);
    expect(report.inferred.expectedMissed).toBeCloseTo((15 * 2) / 19);

    let statement: SignedCertificate['statement'] | undefined;
    await eachRecord(archive, ({ url, payload }) => {
      if (url.startsWith('urn:certificate:'))
        statement = (JSON.parse(Buffer.from(payload.bytes ?? []).toString()) as SignedCertificate).statement;
    });
    expect(statement?.coverage).toMatchObject({ proven: 25, inferred: 15, skipped: 0 });
    expect(statement?.coverage?.expectedMissed).toBeCloseTo((15 * 2) / 19);
    const mirrored = statement?.inferred ?? [];
    expect(new Set(mirrored.map(({ reason }) => reason))).toEqual(new Set(['mirror']));
    expect(mirrored.flatMap(({ unseen = [] }) => unseen)).toEqual([`${mirror.url}/doc/new.html`]);
    expect(mirrored.every(({ confidence, lastSeen }) => confidence < 1 && Date.parse(lastSeen) < began)).toBe(
      true,
    );
    expect(await complaints(archive)).toEqual([]);

    const why = async (path: string): Promise<string> =>
      (await daguerre(['why', mirror.url + path, '--archive', archive])).stdout;
    const left = documents.find((path) => !asked.includes(path)) ?? '';
    const kept = mirrored.flatMap(({ pages: own }) => own).find(({ url }) => url === mirror.url + left);
    expect(await why(left)).toContain(
      `mirrors ${siteOf(origin)}: 16 of 17 pages that were compared agree. It was last visited ${kept?.time};`,
    );
    expect(await why('/doc/new.html')).toContain('agree. It was never visited;');
    const rules = await daguerre(['rules', '--site', siteOf(mirror), '--archive', archive]);
    expect(rules.stdout).toContain('Not among them: 15 pages left out since the site mirrors another');
  }, 60_000);

  test('the mirror shows something else => crawled whole, and a mirror no longer; --crawl-mirrors => crawled whole at once', async () => {
    const archive = await copied('ended');
    await found(archive, '--keep');
    const whole = await asking(mirror, () => crawling(archive, mirror, '--crawl-mirrors'));
    expect(whole.asked).toHaveLength(39);
    mirror.become(asMirror({ changed: [...documents, ...named, '/'] }));
    const { result, asked } = await asking(mirror, () => crawling(archive, mirror));
    mirror.become(asMirror());
    expect(new Set(asked).size).toBe(39);
    expect(result.json<{ notes: string[] }>().notes.join()).toContain('no longer: 0 of 17');
    expect((await found(archive)).map(({ standing }) => standing)).toEqual(['ended']);
  }, 60_000);

  test('a crawl that begins at both => both are visited whole, and a note says why', async () => {
    const archive = await copied('both');
    await found(archive, '--keep');
    const { result, asked } = await asking(mirror, () => crawling(archive, mirror, `${origin.url}/`));
    expect(asked).toHaveLength(39);
    expect(result.json<{ notes: string[] }>().notes.join()).toContain(
      `${siteOf(mirror)} is known to mirror ${siteOf(origin)}, and is visited whole: this crawl begins at both`,
    );
  }, 60_000);

  test('--reject => it is crawled as any site; a site that is none => exit code 2', async () => {
    const archive = await copied('rejected');
    expect((await found(archive, '--reject', siteOf(mirror)))[0]?.standing).toBe('rejected');
    expect((await found(archive, '--keep'))[0]?.standing).toBe('rejected');
    const { stdout } = await daguerre(['mirrors', '--archive', archive]);
    expect(stdout).not.toContain(`${siteOf(mirror)} mirrors`);
    expect(stdout).toContain(`${siteOf(mirror)} is held for no mirror, though`);
    expect((await asking(mirror, () => crawling(archive, mirror))).asked).toHaveLength(39);
    const { code, stderr } = await daguerre(['mirrors', '--archive', archive, '--confirm', 'other.example']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('other.example is not found to mirror')]);
  }, 60_000);
});
