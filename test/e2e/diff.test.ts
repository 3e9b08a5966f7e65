import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daguerre, temporaryFolder } from './daguerre.ts';

/** A page that looks otherwise each time it is shown. */
const RANDOM = `<!doctype html><title>Lots</title><h1>A page that draws lots</h1>
<p id="lot"></p><script>document.getElementById('lot').textContent = 'The lot of ' + Math.random() + ' was drawn today'</script>`;

const NO_BROWSER = { env: { CHROME_PATH: '/nowhere' } };

let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(file('beside'));
  await writeFile(file('old.html'), RANDOM);
  await copyFile(file('old.html'), file('new.html'));
  await copyFile(file('old.html'), file('beside/new.html'));
});

describe('diff of files', () => {
  it('equal bytes, scripts that draw lots => nothing changed, without a browser', async () => {
    const { stdout, stderr, code } = await daguerre(['diff', file('old.html'), file('new.html')], NO_BROWSER);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Nothing changed: both files hold the very same bytes\n/);
    const json = await daguerre(['diff', file('old.html'), file('new.html'), '--json'], NO_BROWSER);
    expect(json.json()).toMatchObject({ importance: 0, salience: 0, operations: [] });
    const elsewhere = await daguerre(['diff', file('old.html'), file('beside/new.html')], NO_BROWSER);
    expect(elsewhere.stderr).toContain('beside the two files were not compared');
    const xml = await daguerre(['diff', file('old.html'), file('new.html'), '--format', 'videlta']);
    expect(xml.stdout).toMatch(/<Delta [^>]*salience="0"/);
    expect(xml.stdout).not.toContain('<Block');
  }, 60_000);

  it('a picture named page.html, to diff and to segment => what it is, exit 2', async () => {
    await writeFile(file('picture.html'), Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'));
    for (const args of [
      ['diff', file('old.html'), file('picture.html')],
      ['segment', file('picture.html')],
    ]) {
      const { stderr, code } = await daguerre(args, NO_BROWSER);
      expect(code).toBe(2);
      expect(stderr).toContain('picture.html is no HTML: it is a picture (PNG)');
    }
  });

  it('a script without end and --time-limit 2s => it is stopped, and the page shown', async () => {
    await writeFile(file('endless.html'), '<p>Here it ends.</p><script>for (;;);</script>');
    const { stdout, stderr, code } = await daguerre(['segment', file('endless.html'), '--time-limit', '2s']);
    expect(code).toBe(0);
    expect(stdout).toContain('Here it ends.');
    expect(stderr).toContain('scripts were stopped: a script ran without end');
  }, 60_000);

  it('a story that moved => its headline, and from where to where', async () => {
    const story = (
      name: string,
    ) => `<article style="margin:40px 0"><h2><a href="/${name}">${name} is what this story tells of</a></h2>
      <p>${`${name} was in the news today, said the mayor of the town of ${name}. `.repeat(6)}</p></article>`;
    const names = ['Bridges', 'Ferries', 'Harbours', 'Lighthouses', 'Trams', 'Windmills'];
    const page = (order: readonly string[]) =>
      `<!doctype html><title>Paper</title><h1>The Daily Paper</h1>${order.map(story).join('')}`;
    await writeFile(file('before.html'), page(names));
    await writeFile(file('after.html'), page(['Windmills', ...names.slice(0, -1)]));
    const { stdout } = await daguerre(['diff', file('before.html'), file('after.html')]);
    expect(stdout).toMatch(/moved here “Windmills/);
    expect(stdout).toMatch(/\(from [a-z ,]+\)/);
  }, 60_000);
});

describe('diff of an address', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      response.writeHead(request.url === '/gone' ? 404 : 503, { 'content-type': 'text/html' });
      response.end('<h1>Sorry</h1><p>This service is not available at the moment.</p>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it.each([
    ['/', 'The page answers 503, and an error page stands in its place', 503],
    ['/gone', 'The page is gone: it answers 404, and an error page stands in its place', 404],
  ])(
    '%s answers with an error => the first line says so',
    async (path, words, status) => {
      const args = ['diff', file('old.html'), `${url}${path}`, '--allow-private'];
      const { stdout } = await daguerre(args);
      expect(stdout.split('\n')[0]).toBe(words);
      const json = await daguerre([...args, '--json']);
      expect(json.json()).toMatchObject({ errorPage: { new: status } });
    },
    60_000,
  );
});

describe('captures that nobody looked at', () => {
  let server: Server;
  let url: string;
  let archive: string;
  beforeAll(async () => {
    archive = await temporaryFolder();
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(RANDOM);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (let visit = 0; visit < 2; visit++) {
      const args = ['archive', url, '--archive', archive, '--allow-private', '--render', 'never'];
      await daguerre([...args, '--no-robots', '--delay', '0s']);
    }
  }, 60_000);
  afterAll(() => server.close());

  it('equal payloads => nothing changed, without a browser', async () => {
    const args = ['diff', `${url}@first`, `${url}@last`, '--archive', archive];
    const { stdout, code } = await daguerre(args, NO_BROWSER);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing changed: both captures hold the very same bytes\n/);
  });

  it('changes => names daguerre analyse', async () => {
    const { stderr } = await daguerre(['changes', '--archive', archive]);
    expect(stderr).toContain("'daguerre analyse' makes layouts and deltas");
  });
});
