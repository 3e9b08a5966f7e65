import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daguerre, eachRecord, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const APP = `<title>App</title><div id="shown"></div><a href="#/one">one</a> <a href="#/two">two</a> <a href="/story">out</a>
<script>
  const show = () => { document.title = 'App ' + location.hash; shown.textContent = 'route ' + location.hash; };
  onhashchange = show; show();
</script>`;

const HOME = `<title>Home</title><main><a class="story" href="/story">story</a></main><nav><a href="/nav">nav</a></nav>
<span data-url="/data">data</span>
<img src="/kept.png"><img src="/left.gif"><script src="/own.js"></script>
<iframe src="/frame"></iframe><iframe src="/ad-frame"></iframe>`;

const FAST = ['--allow-private', '--delay', '0'] as const;

let folder: string;
let site: SmallSite;
beforeAll(async () => {
  folder = await temporaryFolder();
  const script = { headers: { 'content-type': 'text/javascript' }, body: '1' };
  const picture = { headers: { 'content-type': 'image/gif' }, body: 'GIF89a' };
  site = await startSite({
    '/': HOME,
    '/story': page('Story'),
    '/nav': page('Nav'),
    '/data': page('Data'),
    '/frame': '<script src="/inner.js"></script><img src="/kept-too.png">',
    '/app': APP,
    '/own.js': script,
    '/inner.js': script,
    '/kept.png': picture,
    '/kept-too.png': picture,
    '/left.gif': picture,
  });
});
afterAll(() => site.close());

async function archived(name: string, ...args: string[]) {
  const from = site.asked.length;
  const finished = await daguerre([
    ...['archive', ...FAST, '--no-sitemaps', '--archive', join(folder, name), '--json'],
    ...args,
  ]);
  expect(finished.code).toBe(0);
  return {
    report: JSON.parse(finished.stdout),
    asked: site.asked.slice(from).filter((path) => path !== '/robots.txt'),
  };
}

const why = async (name: string, path: string): Promise<string> =>
  (await daguerre(['why', `${site.url}${path}`, '--archive', join(folder, name)])).stdout;

describe('block rules', () => {
  const RULES = `
seeds: ['SITE/']
scopeType: page
blockRules:
  - url: \\.gif$
    resourceTypes: image
  - resourceTypes: [script]
    inFrameUrl: /frame$
  - url: /ad-frame$
    resourceTypes: document
`;
  it('by type, and by frame => not asked for in the browser, counted by rule, told by why', async () => {
    const file = join(folder, 'rules.yaml');
    await writeFile(file, RULES.replace('SITE', site.url));
    const { report, asked } = await archived('rules', '--config', file);
    expect(asked.toSorted()).toEqual(['/', '/frame', '/kept-too.png', '/kept.png', '/own.js']);
    expect(report.skips.blocked).toBe(3);
    expect(await why('rules', '/inner.js')).toContain('everything of type script in frames /frame$');
  });

  it('without a browser => not asked for either', async () => {
    const { report, asked } = await archived(
      ...(['rules-http', `${site.url}/`, '--scope-type', 'page', '--render', 'never'] as const),
      ...['--block-rules', '\\.gif$', 'own'],
    );
    expect(asked).not.toContain('/left.gif');
    expect(asked).not.toContain('/own.js');
    expect(asked).toContain('/kept.png');
    expect(report.skips.blocked).toBe(2);
  });

  it('a rule that blocks the seed => refused, and nothing is made', async () => {
    const { code, stderr } = await daguerre(['archive', `${site.url}/`, '--block-rules', '127\\.0', ...FAST]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/would block the seed http.* itself/);
  });
});

describe('seeds and links', () => {
  it('page-spa => what differs in the fragment alone is a page of its own, and all else is out', async () => {
    const { report } = await archived('app', `${site.url}/app`, '--scope-type', 'page-spa');
    expect(report).toMatchObject({ new: 3, failed: 0, skips: { 'out-of-scope': 1 } });
    expect(await why('app', '/app#/two')).toMatch(/\/app#\/two is in the archive: one capture/);
    const again = await archived('app', `${site.url}/app`, '--scope-type', 'page-spa');
    expect(again.report).toMatchObject({ new: 0, unchanged: 3 });
    const { code, stdout } = await daguerre(['verify', '--archive', join(folder, 'app')]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('all well')]);
  });

  it.each(['auto', 'never'])(
    '--select-links, --render %s => those links alone are followed',
    async (render) => {
      const { asked } = await archived(
        ...([`links-${render}`, `${site.url}/`, '--render', render] as const),
        ...['--select-links', 'main a.story->href', '[data-url]->@data-url'],
      );
      expect(asked).toEqual(expect.arrayContaining(['/', '/story', '/data']));
      expect(asked).not.toContain('/nav');
    },
  );

  it('a file of seeds, one with a browser by the configuration => all are captured, as each says', async () => {
    await writeFile(join(folder, 'seeds.txt'), `# two\n${site.url}/story\n${site.url}/nav\n`);
    const file = join(folder, 'seeds.yaml');
    await writeFile(
      file,
      `seedFile: seeds.txt\nseeds:\n  - url: ${site.url}/app\n    render: auto\n    scopeType: page\nscopeType: page\nrender: never\n`,
    );
    const { report, asked } = await archived('seeds', '--config', file);
    expect(report.new).toBe(3);
    expect(asked.toSorted()).toEqual(['/app', '/nav', '/story']);
    const layouts: string[] = [];
    await eachRecord(join(folder, 'seeds'), async ({ url }) => {
      if (url.startsWith('urn:layout:')) layouts.push(url);
    });
    expect(layouts).toEqual([`urn:layout:${site.url}/app`]);
  });

  it('--dry-run => nothing is asked and nothing made; --dry-run-asks robots => robots.txt alone', async () => {
    const from = site.asked.length;
    const args = [
      'archive',
      `${site.url}/story`,
      `${site.url}/nav`,
      ...FAST,
      '--archive',
      join(folder, 'dry'),
    ];
    const { code, stdout } = await daguerre([...args, '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      asked: 'nothing',
      requests: [],
      seeds: [{ url: `${site.url}/story` }, { url: `${site.url}/nav` }],
    });
    expect(site.asked).toHaveLength(from);
    const robots = await daguerre([...args, '--dry-run-asks', 'robots']);
    expect(robots.stdout).toMatch(/robots\.txt: names 0 sitemaps/);
    expect(site.asked.slice(from)).toEqual(['/robots.txt']);
    expect((await daguerre(['verify', '--archive', join(folder, 'dry')])).code).not.toBe(0);
  });
});

it('a page, then a wall in its place => told by report and why; the captured version stays the last', async () => {
  const { report } = await archived('wall', `${site.url}/story`, '--scope-type', 'page');
  expect(report.new).toBe(1);
  site.become({ '/story': '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>' });
  const second = await daguerre([
    ...['archive', `${site.url}/story`, '--scope-type', 'page', ...FAST, '--archive', join(folder, 'wall')],
  ]);
  expect(second.stdout).toMatch(/1 bot-wall: a wall against robots answered in place of the page/);
  expect(await why('wall', '/story')).toMatch(/one capture[\s\S]*a wall of Cloudflare/);
  const changes = await daguerre(['changes', '--archive', join(folder, 'wall')]);
  expect(changes.stdout + changes.stderr).toMatch(
    /1 visit of these pages met an answer that is not the page: 1 bot-wall/,
  );
});
