import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BIN, daguerre, FAST, type Finished, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

async function configured(name: string, text: string): Promise<Finished> {
  const file = join(folder, `${name}.yaml`);
  await writeFile(file, text);
  return daguerre(['archive', '--config', file, '--archive', join(folder, name)]);
}

/** One file with a mistake in every line but the first: every line has to be complained of. */
const MISTAKES: readonly (readonly [line: string, complaint: RegExp])[] = [
  ['scopeTyp: host', /scopeTyp/],
  ['scopeType: planet', /scopeType: .*"page".*"prefix".*"host".*"domain"/],
  ['# a comment', /^$/],
  ['delay: soon', /delay: 'soon' is not a duration.*ms, s, m, h, d/],
  ['sizeLimit: 3 acres', /sizeLimit: '3 acres' is not a size.*mb.*gib/],
  ['depth: -1', /depth: '-1' is not a whole number/],
  ['workers: 0', /workers: .*1/],
  ['robots: sometimes', /robots: .*boolean/],
  ['render: perhaps', /render: .*"auto".*"always".*"never"/],
  ['store: some', /store: .*"all".*"important"/],
  ['storeBudget: lots', /storeBudget: 'lots' is not a size/],
  ['timezone: Mars/Base', /timezone: no time zone is named 'Mars\/Base'/],
  ['exclude: [1]', /exclude: expected a text, or a list of texts/],
  ["selectLinks: ['a:hover->href']", /selectLinks: 'a:hover' is no selector that can be followed; accepted/],
  ['sitemapFromDate: someday', /sitemapFromDate: 'someday' is no time; write a day/],
  [
    "blockRules: [{ url: 'x', frame: 'y' }]",
    /blockRules.*unknown; a block rule takes: url, type, inFrameUrl/,
  ],
];

describe.concurrent('a configuration with mistakes => exit code 2, file and line, what is accepted', () => {
  it('mistakes of every kind => each is told', async () => {
    const lines = ['seeds: [http://x.invalid/]', ...MISTAKES.map(([line]) => line)];
    const { code, stderr } = await configured('wrong', lines.join('\n'));
    expect(code).toBe(2);
    for (const [i, [, complaint]] of MISTAKES.entries()) {
      const told = stderr.split('\n').filter((line) => line.includes(`wrong.yaml:${i + 2}: `));
      expect(told.join('')).toMatch(complaint);
    }
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(join(folder, 'wrong'))).toBe(false);
  });

  it('mistakes in the settings of a seed => each with its own line, and what is accepted', async () => {
    const lines = [
      'seeds:',
      '  - http://x.invalid/',
      '  - url: http://y.invalid/',
      '    scopeTyp: host',
      '  - url: http://z.invalid/',
      '    scopeType: planet',
      '    depth: deep',
      "    exclude: ['([']",
      '  - 7',
      '  - scopeType: host',
    ];
    const { code, stderr } = await configured('wrong-seeds', lines.join('\n'));
    expect(code).toBe(2);
    const told = (line: number): string =>
      stderr
        .split('\n')
        .filter((text) => text.includes(`wrong-seeds.yaml:${line}: `))
        .join();
    expect(told(4)).toMatch(/scopeTyp: unknown; a seed takes: url, scopeType, include, exclude, depth/);
    expect(told(6)).toMatch(/seeds\.2\.scopeType: .*"page".*"prefix".*"host".*"domain"/);
    expect(told(7)).toMatch(/seeds\.2\.depth: 'deep' is not a whole number/);
    expect(told(8)).toMatch(/seeds\.2\.exclude: '\(\[' is not a regular expression/);
    expect(told(9)).toMatch(/expected an address, or 'url: <address>' with: scopeType/);
    expect(told(10)).toMatch(/seeds\.4\.url: expected an address/);
    expect(existsSync(join(folder, 'wrong-seeds'))).toBe(false);
  });

  it.each([
    ['bad-syntax', 'seeds:\n  - http://x.invalid/\ndepth: [1\n', /bad-syntax\.yaml:[34]: /],
    ['unknown-key', 'depth: 1\ndepht: 2\n', /unknown-key\.yaml:2: depht: unknown; accepted: seeds, .*depth/],
    [
      'no-perimeter',
      'depth: 1\nperimeter: nat\n',
      /no-perimeter\.yaml:2: perimeter: no perimeter is named 'nat'/,
    ],
    ['not-a-map', '- http://x.invalid/\n', /not-a-map\.yaml:1: expected 'key: value' lines/],
  ])('%s', async (name, text, complaint) => {
    const { code, stderr } = await configured(name, text);
    expect(code).toBe(2);
    expect(stderr).toMatch(complaint);
  });

  it('no such file => its name', async () => {
    const { code, stderr } = await daguerre(['archive', '--config', join(folder, 'nowhere.yaml')]);
    expect(code).toBe(2);
    expect(stderr).toContain('nowhere.yaml');
  });
});

describe.concurrent('a command with a mistake => exit code 2 and a clear word', () => {
  it.each([
    ['no URL', ['archive'], "no URL to begin with: try 'daguerre archive https://example.org/'"],
    ['not a URL', ['archive', 'example'], "'example'"],
    ['ftp', ['archive', 'ftp://x.invalid/'], "'ftp://x.invalid/' cannot be archived"],
    ['bad --exclude', ['archive', 'http://x.invalid/', '--exclude', '(['], '(['],
    ['bad --depth', ['archive', 'http://x.invalid/', '--depth', 'two'], "'two' is not a whole number"],
    ['unknown flag', ['archive', '--fast', 'http://x.invalid/'], "unknown option '--fast'"],
    ['unknown command', ['archvie', 'http://x.invalid/'], 'Did you mean archive?'],
    ['bad --port', ['serve', '--port', 'http'], "'http' is not a whole number"],
  ])('%s', async (name, args, word) => {
    const archive = join(folder, `command-${name}`);
    const { code, stderr } = await daguerre(args, { env: { DAGUERRE_ARCHIVE: archive } });
    expect(stderr).toContain(word);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
    // A mistake leaves nothing behind.
    expect(existsSync(archive)).toBe(false);
  });

  it.each(['verify', 'serve', 'export'])(
    '%s where there is no archive => says so, makes none',
    async (name) => {
      const archive = join(folder, `none-${name}`);
      const { code, stderr } = await daguerre([name, '--archive', archive]);
      expect(code).toBe(2);
      expect(stderr).toContain(`there is no archive at ${archive}`);
      expect(existsSync(archive)).toBe(false);
    },
  );
});

describe.concurrent('--help', () => {
  it('every command => examples', async () => {
    const { stdout: overview } = await daguerre(['--help']);
    const names = [...(overview.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([a-z]+) /gm)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(14);
    for (const name of names) {
      if (name === 'help' || name === 'daguerre') continue;
      const { code, stdout } = await daguerre([name as string, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/\nExamples?:\n {2}daguerre /);
      expect(stdout).toContain(`daguerre ${name}`);
    }
  }, 300_000);

  it('daguerre => every command, examples, exit codes', async () => {
    const { code, stdout } = await daguerre(['--help']);
    expect(code).toBe(0);
    for (const name of ['archive', 'serve', 'demo', 'import', 'export', 'reindex', 'verify'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(stdout).toContain('Exit codes: 0 ok');
  });
});

it('whoever read the output left (`daguerre --help | head -1`) => no complaint, exit code 0', async () => {
  const child = spawn(process.execPath, [BIN, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  expect((await once(child, 'close'))[0]).toBe(0);
  expect(complaint).toBe('');
});

it('settings of the file hold, a flag wins over one of them', async () => {
  const site = await startSite({
    '/': page('Home', ['/a', '/b', '/secret']),
    '/a': page('A', ['/deep']),
    '/b': page('B'),
    '/secret': page('Secret'),
    '/deep': page('Deep'),
  });
  try {
    const file = join(folder, 'good.yaml');
    const seeds = `seeds:\n  - ${site.url}/\n`;
    await writeFile(file, `${seeds}exclude: /secret\ndepth: 0\nrobots: false\nuserAgent: tester/1\n`);
    const args = ['archive', '--config', file, '--archive', join(folder, 'good'), ...FAST, '--depth', '1'];
    const { code, json, stderr } = await daguerre(args);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ captured: 3, skips: { excluded: 1, depth: 1 } });
    expect(site.asked.toSorted()).toEqual(['/', '/a', '/b']);
  } finally {
    await site.close();
  }
});

it('seeds with a scope of their own => each crawled by its own, the settings kept with the crawl', async () => {
  const narrow = await startSite({
    '/docs/': page('Docs', ['/docs/a', '/docs/private', '/blog/']),
    '/docs/a': page('A', ['/docs/b']),
    '/docs/b': page('B', ['/docs/c']),
    '/docs/private': page('Private'),
  });
  const wide = await startSite(
    {
      '/start/': page('Start', ['/elsewhere', '/start/1', '/start/2', '/start/3']),
      '/elsewhere': page('Elsewhere'),
      '/start/1': page('1'),
      '/start/2': page('2'),
      '/start/3': page('3'),
    },
    '127.0.0.2',
  );
  const plain = await startSite({ '/a/': page('Plain', ['/a/x', '/b/']), '/a/x': page('X') }, '127.0.0.3');
  try {
    const file = join(folder, 'own-scopes.yaml');
    const text = `seeds:
  - ${plain.url}/a/
  - url: 127.0.0.1:${narrow.port}/docs/
    depth: 1
    exclude: /private
  - url: ${wide.url}/start/
    scopeType: host
    pageLimit: 4
robots: false
`;
    await writeFile(file, text);
    const archive = join(folder, 'own-scopes');
    const args = ['archive', '--config', file, '--archive', archive, ...FAST];
    const { code, json } = await daguerre(args);
    expect(code).toBe(0);
    expect(plain.asked.toSorted()).toEqual(['/a/', '/a/x']);
    expect(narrow.asked.toSorted()).toEqual(['/docs/', '/docs/a']);
    expect(wide.asked).toHaveLength(4);
    expect(wide.asked).toContain('/elsewhere');
    expect(json()).toMatchObject({
      captured: 8,
      skips: { 'out-of-scope': 2, excluded: 1, depth: 1, 'page-limit': 1 },
    });
    const [crawl] = await withCatalog(archive, (catalog) => catalog.crawls());
    expect(crawl?.spec.seedScopes).toMatchObject([
      { url: `${narrow.url}/docs/`, scope: { type: 'prefix', depth: 1, exclude: ['/private'] } },
      { url: `${wide.url}/start/`, scope: { type: 'host', exclude: [] }, pages: 4 },
    ]);
  } finally {
    for (const site of [narrow, wide, plain]) await site.close();
  }
});
