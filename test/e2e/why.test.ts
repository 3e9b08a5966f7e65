import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRAWL_SETTINGS, crawlSpec } from '../../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../../src/archive/crawl/run-crawl.ts';
import { UNANSWERED } from '../../src/archive/given/seed-addresses.ts';
import { openForWriting } from '../../src/archive/open/open-archive.ts';
import { systemClock } from '../../src/archive/system-clock.ts';
import { daguerre, FAST, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

interface Report {
  readonly captures: { readonly count: number } | null;
  readonly crawl: { readonly id: number } | null;
  readonly finding: { readonly kind: string; readonly reason?: string; readonly via?: string };
}

let site: SmallSite;
let archive: string;

const why = async (url: string, ...more: string[]): Promise<Report> =>
  (await daguerre(['why', url, '--archive', archive, '--json', ...more])).json<Report>();

beforeAll(async () => {
  archive = await temporaryFolder();
  const links = ['/a', '/secret/1', '/robots/1', '/gone', 'http://127.0.0.2:1/elsewhere'];
  // More than the sample of a rule holds: these are told by running the rules again.
  const many = Array.from({ length: 40 }, (_, i) => `/secret/${i + 2}`);
  site = await startSite((path) => {
    if (path === '/robots.txt') return { body: 'User-agent: *\nDisallow: /robots/' };
    if (path === '/') return page('Home', [...links, ...many]);
    if (path === '/a') return page('A', ['/deep/1']);
    if (path === '/deep/1') return page('Deep', ['/deep/2']);
    return undefined;
  });
  const crawl = ['archive', `${site.url}/`, '--archive', archive, ...FAST];
  await daguerre([...crawl, '--exclude', '/secret/', '--depth', '2']);
});
afterAll(() => site.close());

describe('why a URL is in the archive, or is not', () => {
  it('captured => when; failed => how', async () => {
    expect(await why(`${site.url}/a`)).toMatchObject({
      captures: { count: 1 },
      finding: { kind: 'visited', outcome: 'captured', status: 200 },
    });
    expect((await why(`${site.url}/gone`)).finding).toMatchObject({
      kind: 'visited',
      outcome: 'failed',
      status: 404,
    });
  });

  it.each([
    ['/secret/1', 'excluded', 'stored'],
    ['/secret/41', 'excluded', 'rules'],
    ['/secret/nobody-ever-linked-it', 'excluded', 'rules'],
    ['/robots/1', 'robots', 'stored'],
    ['/robots/nobody-ever-linked-it', 'robots', 'rules'],
    ['/deep/2', 'depth', 'stored'],
  ])('%s => left out by %s, as the %s say', async (path, reason, known) => {
    const { captures, finding } = await why(`${site.url}${path}`);
    expect(captures).toBeNull();
    expect(finding).toMatchObject({ kind: 'left-out', reason, known });
  });

  it('another site => out of scope; never linked => never seen; in words', async () => {
    expect((await why('http://127.0.0.2:1/elsewhere', '--crawl', '1')).finding).toMatchObject({
      reason: 'out-of-scope',
      via: `${site.url}/`,
    });
    expect((await why(`${site.url}/nowhere`)).finding).toEqual({ kind: 'never-seen' });
    const told = await daguerre(['why', `${site.url}/secret/41`, '--archive', archive]);
    expect(told.stdout).toContain(`${site.url}/secret/41 is not in the archive.`);
    expect(told.stdout).toMatch(
      /Crawl 1 .*finished: its rules leave it out, matches an --exclude pattern: .*; found on/,
    );
  });

  it('a crawl that ended at its page limit => the limit', async () => {
    const limited = await temporaryFolder();
    await daguerre(['archive', `${site.url}/`, '--archive', limited, ...FAST, '--page-limit', '1']);
    const asked = await daguerre(['why', `${site.url}/a`, '--archive', limited, '--json']);
    expect(asked.json<Report>().finding).toMatchObject({ kind: 'left-out', reason: 'page-limit' });
  });

  it('a crawl that has not come to it yet => it waits', async () => {
    const hanging = await startSite((path) => {
      if (path === '/robots.txt') return undefined;
      return path === '/' ? page('Home', ['/1', '/2', '/3']) : () => {};
    });
    const running = await temporaryFolder();
    const { child, ended } = spawnDaguerre(['archive', `${hanging.url}/`, '--archive', running, ...FAST]);
    try {
      await hanging.seen(2);
      const found = async () => {
        const asked = await daguerre(['why', `${hanging.url}/3`, '--archive', running, '--json']);
        return asked.code === 0 ? asked.json<Report>().finding.kind : asked.stderr;
      };
      await expect.poll(found, { timeout: 60_000 }).toBe('waiting');
    } finally {
      child.kill('SIGKILL');
      await ended;
      await hanging.close();
    }
  });

  it('no address, or no such crawl => a message', async () => {
    const wrong = await daguerre(['why', 'not an address', '--archive', archive]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is no address of a page')]);
    const missing = await daguerre(['why', `${site.url}/`, '--archive', archive, '--crawl', '9']);
    expect(missing.stderr).toContain('there is no crawl 9; there are: 1');
  });
});

it('https was tried in vain when the crawl began => why says so of pages of that host, and of no other', async () => {
  const folder = await temporaryFolder();
  const { host } = new URL(site.url);
  const said = `https://${host}/ ${UNANSWERED} (connection refused): asking http://${host}/ instead.`;
  const open = await openForWriting({ archive: folder }, 'archive');
  try {
    await runCrawl(open, {
      spec: crawlSpec(
        CRAWL_SETTINGS.parse({ seeds: [`${site.url}/`], render: 'never', allowPrivate: true, delay: '0s' }),
      ),
      ...{
        clock: systemClock,
        signal: new AbortController().signal,
        syncEvery: 1000,
        restart: true,
        notes: [said],
      },
    });
  } finally {
    await open.close();
  }
  const told = async (url: string) => (await daguerre(['why', url, '--archive', folder])).stdout;
  expect(await told(`${site.url}/a`)).toContain(`\n${said}\n`);
  expect(await told('http://127.0.0.2:1/elsewhere')).not.toContain(UNANSWERED);
});
