import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RulesReport } from '../../src/access/directory-rules/rules-report.ts';
import type { SignedCertificate } from '../../src/model/certificate.ts';
import {
  complaints,
  daguerre,
  eachRecord,
  FAST,
  spawnDaguerre,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** `/archive/` and `/doc/` stay as they are; the front page and `/news/` change with each version. */
const ARCHIVED = 12;
const DOCS = 5;
const NEWS = 6;
const VERSIONS = 11;

const numbered = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `/${folder}/${i}.html`);
const archived = numbered('archive', ARCHIVED);
const docs = numbered('doc', DOCS);
const news = numbered('news', NEWS);

let version = 1;
let site: SmallSite;
let grown: string;

/** A page of `/deep/` that changes is linked from `/doc/0.html` alone; `extra` are pages that came later. */
const pages =
  (extra: readonly string[] = [], changed: readonly string[] = []) =>
  (path: string) => {
    if (path === '/') return page(`Front ${version}`, [...archived, ...docs, ...news, ...extra]);
    if (news.includes(path) || path === '/deep/page.html') return page(`${path} of version ${version}`);
    const words = changed.includes(path) ? ' has changed' : '';
    if (path === '/doc/0.html') return page(`${path}${words}`, ['/deep/page.html']);
    return [...archived, ...docs, ...extra].includes(path) ? page(`${path}${words}`) : undefined;
  };

const crawling = (archive: string, ...more: string[]): string[] => [
  'archive',
  `${site.url}/`,
  '--archive',
  archive,
  ...FAST,
  ...more,
];
const SKIPPING = ['--skip-by-rules', '--miss-at-most', '20%'];

interface Report {
  readonly state: string;
  readonly coverage: { readonly proven: number; readonly inferred: number; readonly skipped: number };
  readonly inferred: {
    readonly pages: number;
    readonly directories: number;
    readonly reasons: Record<string, number>;
  };
  readonly notes: readonly string[];
}

beforeAll(async () => {
  site = await startSite(pages());
  grown = join(await temporaryFolder(), 'grown');
  for (version = 1; version <= VERSIONS; version++) {
    const { code, stderr } = await daguerre(crawling(grown));
    if (code !== 0) throw new Error(stderr);
  }
}, 240_000);
afterAll(() => site.close());

async function copied(): Promise<string> {
  const archive = join(await temporaryFolder(), 'copy');
  await cp(grown, archive, { recursive: true });
  return archive;
}

/** Paths asked for meanwhile, robots.txt left out. */
async function asking<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly asked: readonly string[] }> {
  const before = site.asked.length;
  const result = await work();
  return { result, asked: site.asked.slice(before).filter((path) => path !== '/robots.txt') };
}

test('rules --miss-at-most => the plan within that share', async () => {
  const { stdout } = await daguerre(['rules', '--archive', grown, '--miss-at-most', '20%']);
  expect(stdout).toContain(
    'when what is below / changes, what is below /archive/ does not (less than 10% of it): 10 of 10 times',
  );
  expect(stdout).toContain('12 directly in /archive/: nothing changed in the last 10 looks at it');
});

test('rules with the options of archive => the plan that archive makes of them', async () => {
  const archive = await copied();
  const options = ['--miss-at-most', '20%', '--refresh-every', '3', '--pin', '/doc/', '/archive/[01]\\.html'];
  const { stdout } = await daguerre(['rules', '--archive', archive, '--json', ...options]);
  const { plan } = JSON.parse(stdout) as RulesReport;
  expect(plan).toMatchObject({ kind: 'plan', skips: [{ directory: '/archive/', pages: ARCHIVED - 2 }] });
  await daguerre(crawling(archive, '--skip-by-rules', ...options));
  const made = await withCatalog(archive, (catalog) => catalog.inferences({}));
  expect(made.map(({ directory, urls }) => [directory, urls.length])).toEqual([['/archive/', ARCHIVED - 2]]);
  const [planned] = plan.kind === 'plan' ? plan.skips : [];
  expect(made[0]).toMatchObject({ reason: planned?.reason, lastSeen: planned?.lastSeen });

  const often = await daguerre(['rules', '--archive', grown, '--json', '--refresh-every', '1']);
  expect(often.json<RulesReport>().plan).toMatchObject({ kind: 'none' });
});

test('rules after a decision to pin => the plan leaves those pages to be visited', async () => {
  const archive = await copied();
  const person = ['--why', 'watched', '--by', 'a librarian'];
  await daguerre(['decide', `${site.url}/archive/0.html`, '--pin', '--archive', archive, ...person]);
  const { stdout } = await daguerre(['rules', '--archive', archive, '--json', '--miss-at-most', '20%']);
  const { plan } = JSON.parse(stdout) as RulesReport;
  const skips = plan.kind === 'plan' ? plan.skips : [];
  expect(skips.find(({ directory }) => directory === '/archive/')?.pages).toBe(ARCHIVED - 1);
});

test.each([
  ['--miss-at-most', '200%', "--miss-at-most: '200%' is not a share"],
  ['--refresh-every', '0', '--refresh-every: 0 is too small: write a whole number from 1 on'],
  ['--pin', '(', "--pin: '(' is not a regular expression"],
])(
  '%s %s of rules and of archive => the same words, and the flag that was given',
  async (flag, value, words) => {
    const shown = await daguerre(['rules', '--archive', grown, flag, value]);
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining(words)]);
    const crawl = await daguerre(
      crawling(join(await temporaryFolder(), 'a'), '--skip-by-rules', flag, value),
    );
    expect([crawl.code, crawl.stderr]).toEqual([2, expect.stringContaining(words)]);
  },
);

describe('a crawl of a site with 11 versions', () => {
  test('--skip-by-rules => what never changed is not asked for, all else is; it replays, verifies and explains itself', async () => {
    const archive = await copied();
    site.become(pages(['/archive/new.html']));
    const { result, asked } = await asking(() => daguerre(crawling(archive, ...SKIPPING)));
    site.become(pages());
    expect(result.stderr).toContain('keep their archived version');
    expect(result.code).toBe(0);
    expect(asked.toSorted()).toEqual(['/', '/archive/new.html', '/deep/page.html', ...news]);
    const report = result.json<Report>();
    expect(report.coverage).toEqual({ proven: 9, inferred: ARCHIVED + DOCS, skipped: 0 });
    expect(report.inferred).toMatchObject({ pages: 17, directories: 2 });

    const { stdout: why } = await daguerre(['why', `${site.url}/archive/3.html`, '--archive', archive]);
    expect(why).toContain('not visited, and taken for unchanged, as all known pages directly in /archive/');
    const { stdout: text } = await daguerre(['report', site.url, '--archive', archive]);
    expect(text).toContain('inferred       17 not visited, taken for unchanged: 2 directories');
    const verified = await daguerre(['verify', '--archive', archive, '--json']);
    expect(verified.code).toBe(0);
    expect(
      verified
        .json<{ certificates: { pages: number; inferred: number }[] }>()
        .certificates.find(({ inferred }) => inferred > 0),
    ).toMatchObject({
      pages: 9,
      inferred: 17,
    });
    const kept = await withCatalog(archive, (catalog) =>
      catalog.closest(`${site.url}/archive/3.html`, Date.now()),
    );
    expect(kept).toMatchObject({ status: 200 });
  });

  test('--pin => visited; the rest of its directory is not', async () => {
    const archive = await copied();
    const { asked } = await asking(() =>
      daguerre(crawling(archive, ...SKIPPING, '--pin', '/archive/[01]\\.html')),
    );
    expect(asked.filter((path) => path.startsWith('/archive/')).toSorted()).toEqual(archived.slice(0, 2));
  });

  test('--refresh-every 2 => visited again in the second crawl', async () => {
    const archive = await copied();
    const command = crawling(archive, ...SKIPPING, '--refresh-every', '2');
    const { asked: first } = await asking(() => daguerre(command));
    const { asked: second } = await asking(() => daguerre(command));
    expect(first.filter((path) => path.startsWith('/archive/'))).toEqual([]);
    expect(second.filter((path) => path.startsWith('/archive/'))).toHaveLength(ARCHIVED);
  });

  test('kill -9 in the middle, then the same command => the same plan, each page once', {
    timeout: 60_000,
  }, async () => {
    const archive = await copied();
    const slow = pages();
    site.become((path) => {
      const body = slow(path);
      return body === undefined ? undefined : { body, after: 60 };
    });
    const planOf = () =>
      withCatalog(archive, async (catalog) =>
        catalog.inferences({ crawlId: (await catalog.crawls()).length }),
      );
    const { result, asked } = await asking(async () => {
      const before = site.asked.filter((path) => path !== '/robots.txt').length;
      const running = spawnDaguerre(crawling(archive, ...SKIPPING));
      await site.seen(before + 4);
      running.child.kill('SIGKILL');
      await running.ended;
      const planned = await planOf();
      const last = await daguerre(crawling(archive, ...SKIPPING));
      return { planned, last };
    });
    site.become(pages());
    expect(result.last.stderr).toContain('Resuming crawl');
    expect(result.planned.map(({ directory }) => directory).toSorted()).toEqual(['/archive/', '/doc/']);
    expect(await planOf()).toEqual(result.planned);
    expect(asked.filter((path) => path.startsWith('/archive/') || path.startsWith('/doc/'))).toEqual([]);
    expect(result.last.json<Report>().coverage).toEqual({ proven: 8, inferred: 17, skipped: 0 });
    expect(await complaints(archive)).toEqual([]);
  });

  test('reindex from the record files alone => the same skips, the same plan of the next crawl', {
    timeout: 60_000,
  }, async () => {
    const archive = await copied();
    await daguerre(crawling(archive, ...SKIPPING));
    const stored = () => withCatalog(archive, (catalog) => catalog.inferences({}));
    const before = await stored();
    for (const name of await readdir(archive))
      if (name.startsWith('catalog')) await rm(join(archive, name), { force: true });
    const { code, stderr } = await daguerre(['reindex', '--archive', archive]);
    expect(code, stderr).toBe(0);
    expect(await stored()).toEqual(before);
    const { asked } = await asking(() => daguerre(crawling(archive, ...SKIPPING)));
    expect(asked.toSorted()).toEqual(['/', '/deep/page.html', ...news]);
  });
});

describe('what came of skips, and what they are based on', () => {
  test('a page that changed while it was skipped => found at the refresh, beside what was promised; rules tell and draw it', {
    timeout: 60_000,
  }, async () => {
    const archive = await copied();
    const command = crawling(archive, ...SKIPPING, '--refresh-every', '2');
    site.become(pages([], ['/archive/3.html']));
    await daguerre(command);
    await daguerre(command);
    site.become(pages());
    const { stdout } = await daguerre(['rules', '--archive', archive, '--json']);
    const { calibration, rules, versions, directories } = JSON.parse(stdout) as RulesReport;
    expect(versions).toHaveLength(VERSIONS + 2);
    expect(calibration).toMatchObject({ skips: 2, pages: 17, found: 1, wrong: 1, unchecked: 0 });
    expect(calibration.promised).toBeGreaterThan(0);
    expect(rules.map(({ words }) => words)).toContain(
      `when what is below / changes, what is below /doc/ does not (less than 10% of it): ${VERSIONS - 1} of ${VERSIONS - 1} times`,
    );
    const archiveRow = directories.find(({ directory }) => directory === '/archive/');
    expect(archiveRow?.degrees.at(-2)).toBeNull();
    expect(archiveRow?.degrees.at(-1)).toBeGreaterThan(0);

    const text = (await daguerre(['rules', '--site', site.url, '--archive', archive])).stdout;
    expect(text).toContain('Skips so far that were looked at again: 2');
    expect((await daguerre(['report', site.url, '--archive', archive])).stdout).toContain('found 1;');
    const svg = (await daguerre(['rules', '--format', 'svg', '--archive', archive])).stdout;
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>$/s);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('rules of a site without history, of a site that is not there, of no archive => said in words', async () => {
    const archive = join(await temporaryFolder(), 'one');
    await daguerre(crawling(archive));
    const one = await daguerre(['rules', '--archive', archive]);
    expect(one.code).toBe(0);
    expect(one.stdout).toContain('one version is archived, and rules act from 10 on');
    const svg = await daguerre(['rules', '--archive', archive, '--format', 'svg']);
    expect(svg.stdout).not.toMatch(/NaN|undefined|Infinity/);
    const other = await daguerre(['rules', '--archive', archive, '--site', 'nowhere.example']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("no page of 'nowhere.example' is in the archive");
  });
});

describe('a forged skip is found', () => {
  let archive: string;
  beforeAll(async () => {
    archive = await copied();
    await daguerre(crawling(archive, ...SKIPPING));
  }, 60_000);

  /** The record whose target begins so in the last file, rewritten. */
  async function forged(target: string, change: (text: string) => string): Promise<readonly unknown[]> {
    const copy = join(await temporaryFolder(), 'forged');
    await cp(archive, copy, { recursive: true });
    const file = (await readdir(join(copy, 'warc'))).find((name) => name.startsWith(`main-${VERSIONS + 1}-`));
    const path = join(copy, 'warc', file ?? '');
    let at: { offset: number; text: string } | undefined;
    await eachRecord(copy, ({ url, offset, payload }, name) => {
      if (name === file && url.startsWith(target))
        at = { offset, text: Buffer.from(payload.bytes ?? []).toString() };
    });
    if (!at) throw new Error(`no ${target} in ${file}`);
    const bytes = await readFile(path);
    const head = gunzipSync(bytes.subarray(at.offset)).toString('latin1');
    expect(head).toContain(target);
    const member = memberAt(bytes, at.offset);
    const text = gunzipSync(member).toString('utf8');
    const next = change(text);
    expect(next).not.toBe(text);
    expect(Buffer.byteLength(next)).toBe(Buffer.byteLength(text));
    await writeFile(
      path,
      Buffer.concat([
        bytes.subarray(0, at.offset),
        gzipSync(next),
        bytes.subarray(at.offset + member.byteLength),
      ]),
    );
    return complaints(copy);
  }

  test('the certificate states a skip and the version that each page keeps; a changed byte of it is an error', {
    timeout: 60_000,
  }, async () => {
    let statement: SignedCertificate['statement'] | undefined;
    await eachRecord(archive, ({ url, payload }) => {
      if (!url.startsWith('urn:certificate:')) return;
      const signed = JSON.parse(Buffer.from(payload.bytes ?? []).toString()) as SignedCertificate;
      if (signed.statement.coverage?.inferred) statement = signed.statement;
    });
    expect(statement?.version).toBe(6);
    expect(statement?.coverage).toMatchObject({ proven: 8, inferred: 17, skipped: 0 });
    expect(statement?.inferred?.map(({ directory, pages: own }) => [directory, own.length])).toEqual([
      ['/archive/', 12],
      ['/doc/', 5],
    ]);
    const errors = JSON.stringify(
      await forged('urn:certificate:', (text) =>
        text.replace('"directory":"/archive/"', '"directory":"/archivf/"'),
      ),
    );
    expect(errors).toContain('signature does not fit');
    expect(errors).toContain('inferred[0].directory is stated as');
  });

  test('another page in the log of the crawl => the certificate does not fit', {
    timeout: 60_000,
  }, async () => {
    const errors = JSON.stringify(
      await forged('urn:crawl:', (text) => text.replace('/archive/3.html', '/archive/x.html')),
    );
    expect(errors).toContain('taken for unchanged');
  });
});

describe('bad input', () => {
  test.each([
    [['--skip-by-rules', '--miss-at-most', 'few'], "--miss-at-most: 'few' is not a share"],
    [['--miss-at-most', '5%'], 'add it, or leave them out'],
  ])('%j => exit code 2, in words', async (flags, words) => {
    const { code, stderr } = await daguerre(crawling(join(await temporaryFolder(), 'a'), ...flags));
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  test('a site without history => everything is visited, and the report says why', async () => {
    const archive = join(await temporaryFolder(), 'new');
    const { code, json } = await daguerre(crawling(archive, '--skip-by-rules'));
    expect(code).toBe(0);
    const { notes, coverage } = json<Report>();
    expect(notes.join()).toContain('skips nothing on');
    expect(notes.join()).toContain('0 versions are archived, and rules act from 10 on');
    expect(coverage).toEqual({ proven: 25, inferred: 0, skipped: 0 });
  });
});

/** The bytes of one gzip member. */
function memberAt(bytes: Buffer, offset: number): Buffer {
  for (let end = offset + 18; end <= bytes.byteLength; end++) {
    const isEnd =
      end === bytes.byteLength || (bytes[end] === 0x1f && bytes[end + 1] === 0x8b && bytes[end + 2] === 8);
    if (!isEnd) continue;
    try {
      gunzipSync(bytes.subarray(offset, end));
      return bytes.subarray(offset, end);
    } catch {}
  }
  throw new Error(`no gzip member at ${offset}`);
}
