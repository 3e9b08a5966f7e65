import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAlerts } from '../../src/archive/alerts/alert-settings.ts';
import { openAlerts } from '../../src/archive/alerts/open-alerts.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../../src/archive/crawl/crawl-settings.ts';
import { runCrawl } from '../../src/archive/crawl/run-crawl.ts';
import { openForWriting } from '../../src/archive/open/open-archive.ts';
import { systemClock } from '../../src/archive/system-clock.ts';
import { startServer } from '../../src/server/start-server.ts';
import { startHook } from '../loopback-hook.ts';
import { daguerre, temporaryFolder } from './daguerre.ts';
import { type SmallSite, startSite } from './small-site.ts';

const STORY =
  'The ferry to the islands runs again after two weeks of storm, said the harbour master on Monday.';
const page = (lead: string, ad: string, price: string): string =>
  `<!doctype html><title>News</title><main><h1 class="lead">${lead}</h1><p>${STORY}</p></main>
   <aside class="price"><p>Ferry ticket: ${price} euro</p></aside>
   <div class="ad"><a href="https://ad.doubleclick.net/clk;${ad}"><p>Buy ${ad} today</p></a></div>
   <p><a href="/a">Harbour news</a></p>`;
const OTHER = `<!doctype html><title>A</title><p>${STORY}</p>`;

describe('a site is crawled four times under rules', () => {
  let site: SmallSite;
  let hook: Awaited<ReturnType<typeof startHook>>;
  let config: string;
  let archive: string;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    archive = join(folder, 'archive');
    config = join(folder, 'rules.yaml');
    site = await startSite({ '/': page('Ferry runs again', 'shoes', '9.50'), '/a': OTHER });
    hook = await startHook();
    await writeFile(
      config,
      `
delivery: { allowPrivate: true }
alerts:
  - { name: lead, where: { site: '127.0.0.1:${site.port}' }, when: { salience: 0.2 }, send: { webhook: '${hook.url}' } }
  - { name: anything, when: { importance: 0 } }
  - { name: price, where: { css: aside.price }, when: { number: { above: 10 } } }
  - { name: gone, when: { gone: true, back: true }, send: { webhook: '${hook.url}' } }
  - { name: elsewhere, where: { site: example.org }, when: { importance: 0, gone: true } }
`,
    );
    const opened = await openForWriting({ archive }, 'test');
    try {
      const alerts = openAlerts(opened, await readAlerts(config), { clock: systemClock });
      const crawl = async (pages: Record<string, string>) => {
        site.become(pages);
        const settings = { seeds: [`${site.url}/`], allowPrivate: true, delay: 0, workers: 2 };
        const spec = crawlSpec(CRAWL_SETTINGS.parse(settings));
        const signal = new AbortController().signal;
        const clock = systemClock;
        await runCrawl(opened, { spec, clock, signal, restart: true, syncEvery: 1000, alerts: alerts.judge });
      };
      await crawl({ '/': page('Ferry runs again', 'shoes', '9.50'), '/a': OTHER });
      await crawl({ '/': page('Ferry runs again', 'hats', '9.50'), '/a': OTHER });
      await crawl({ '/': page('Bridge to the islands burnt down', 'coats', '9.50') });
      await crawl({ '/': page('Bridge to the islands burnt down', 'coats', '12.00') });
      await alerts.sendDue(systemClock.now());
    } finally {
      await opened.close();
    }
  });

  afterAll(async () => {
    await site.close();
    await hook.close();
  });

  const told = async (): Promise<
    { id: string; rule: string; url: string; summary: string; to: number }[]
  > => {
    const { stdout } = await daguerre(['alerts', 'list', '--archive', archive, '--json']);
    return (JSON.parse(stdout) as { alerts: [] }).alerts;
  };

  test('what is told => the lead, the price and the page that is gone; the advertisement alone under no rule', async () => {
    const lines = (await told()).map(
      ({ rule, url, summary }) => `${rule} ${new URL(url).pathname} ${summary}`,
    );
    expect(lines.toReversed().sort()).toEqual([
      expect.stringMatching(/^anything \/ importance .*Ferry ticket: 12.00/),
      expect.stringMatching(/^anything \/ importance .*Bridge to the islands/),
      expect.stringMatching(/^gone \/a the page is gone: .*404/),
      expect.stringMatching(/^lead \/ salience .* >= .2: the lead story/),
      expect.stringMatching(/^price \/ number 9.5 -> 12 rose above 10: /),
    ]);
  });

  test('a dry run over the past => the very same alerts, by id', async () => {
    const { stdout } = await daguerre([
      'alerts',
      'dry-run',
      '--archive',
      archive,
      '--config',
      config,
      '--json',
    ]);
    const { rules } = JSON.parse(stdout) as { rules: { messages: { alerts: { id: string }[] }[] }[] };
    const past = rules.flatMap(({ messages }) =>
      messages.flatMap(({ alerts }) => alerts.map(({ id }) => id)),
    );
    expect(past.sort()).toEqual((await told()).map(({ id }) => id).sort());
    const text = await daguerre(['alerts', 'dry-run', 'price', '--archive', archive, '--config', config]);
    expect(text.stdout).toMatch(/^price: 1 alert on 1 day, in 1 message\n {2}.*rose above 10/);
  });

  test('what was sent => once each; `alerts test` => the last one again, under another id', async () => {
    const before = hook.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(before).size).toBe(2);
    const { code, stdout } = await daguerre([
      'alerts',
      'test',
      'lead',
      '--archive',
      archive,
      '--config',
      config,
    ]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/webhook 127\.0\.0\.1:\d+ \w+: taken/)]);
    const last = hook.received.at(-1);
    expect(last?.headers['webhook-id']).toMatch(/^test-/);
    expect(JSON.parse(last?.body ?? '')).toMatchObject({ rule: 'lead', url: `${site.url}/` });
  });

  test('a feed per rule and per site => Atom with these alerts', async () => {
    const { openForReading } = await import('../../src/archive/open/open-archive.ts');
    const opened = await openForReading({ archive });
    const { createPageReader } = await import('../../src/capture/page-reader.ts');
    const server = await startServer({
      archive: async () => opened,
      pageReader: createPageReader(),
      port: 0,
      replayPort: 0,
    });
    try {
      const feed = await fetch(`${server.url}/feeds/rules/gone.atom`);
      expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
      expect(await feed.text()).toMatch(/<title>http:.*\/a: the page is gone/);
      const bySite = await (await fetch(`${server.url}/feeds/sites/127.0.0.1:${site.port}.atom`)).text();
      expect(bySite.match(/<entry>/g)).toHaveLength(5);
      expect((await fetch(`${server.url}/feeds/nothing`)).status).toBe(404);
    } finally {
      await server.close();
      await opened.close();
    }
  });

  test('reindex => the outbox is as it was, and nothing is sent again', async () => {
    const [before, sent] = [await told(), hook.received.length];
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    expect(await told()).toEqual(before);
    const opened = await openForWriting({ archive }, 'test');
    const alerts = openAlerts(opened, await readAlerts(config), { clock: systemClock });
    expect(await alerts.sendDue(systemClock.now())).toEqual({ sent: 0, failed: 0, givenUp: 0 });
    await opened.close();
    expect(hook.received).toHaveLength(sent);
  });

  test('bad input => what, where and what to do', async () => {
    const asked = (...args: string[]) => daguerre(['alerts', ...args, '--archive', archive]);
    expect((await asked('test', 'nothing', '--config', config)).stderr).toMatch(
      /has no rule 'nothing'; it has: lead, anything/,
    );
    expect((await asked('test', 'elsewhere', '--config', config)).stderr).toMatch(
      /would have told nothing so far/,
    );
    expect((await asked('dry-run', '--config', '/nowhere.yaml')).code).toBe(2);
    const bad = join(archive, '..', 'bad.yaml');
    await writeFile(bad, 'alerts:\n  - name: x\n    when: { salience: high }\n');
    const { code, stderr } = await asked('dry-run', '--config', bad);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/bad\.yaml:3: alerts\.0\.when\.salience: expected a number/),
    ]);
  });
});
