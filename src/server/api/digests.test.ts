import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SmallArchive, smallArchive } from '../../../test/e2e/small-archive.ts';
import { raw } from '../../../test/served-example.ts';
import { type RunningServer, startServer } from '../start-server.ts';

const T = Date.UTC(2024, 0, 1);
let archive: SmallArchive;
let server: RunningServer;
beforeAll(async () => {
  archive = await smallArchive([
    { url: 'http://x.org/', at: T, headers: [['Content-Type', 'text/html']], body: '<p>x', title: 'Home' },
  ]);
  server = await startServer({ ...archive, port: 0, replayPort: 0, webRoot: '/nowhere' });
});
afterAll(async () => {
  await server.close();
  await archive.close();
});

it('captures that nobody looked at => told, in each format', async () => {
  const span = 'from=2024-01-01&to=2024-01-07';
  const json = await raw(`${server.url}/api/digest?url=http://x.org/&${span}`);
  expect(JSON.parse(json.body)).toMatchObject({ url: 'http://x.org/', versions: 0, unread: 1, sections: [] });
  const page = await raw(`${server.url}/digest/http://x.org/?${span}`);
  expect(page.body).toContain('1 captures that nobody looked at');
  expect(page.headers['content-security-policy']).toContain("style-src 'sha256-");
  const atom = await raw(`${server.url}/digest/http://x.org/?${span}&format=atom`);
  expect(atom.headers['content-type']).toContain('application/atom+xml');
});

it.each([
  ['/api/digest?url=http://x.org/&from=2024-02-01&to=2024-01-01', 400],
  ['/api/digest?url=http://x.org/&from=then', 400],
  ['/api/digest?url=http://x.org/never', 404],
  ['/digest/x.org?format=pdf', 400],
])('%s => %i', async (path, status) => {
  expect((await raw(`${server.url}${path}`)).status).toBe(status);
});
