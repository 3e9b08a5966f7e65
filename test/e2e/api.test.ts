import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CrawlRow, Problem } from '../../src/server/api-types.ts';
import { daguerre, FAST, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/* What is written and run through the API of `serve`: crawls, decisions, pings, rules that are tried. */

const TOKEN = 'a-token-of-this-test-alone';
let site: SmallSite;
let server: Running;
let url: string;
/** Answers that wait. */
let held: ServerResponse[] = [];
const events: { readonly name: string; readonly id: string | undefined; readonly data: unknown }[] = [];
const listening = new AbortController();

beforeAll(async () => {
  site = await startSite({
    '/': page('Home'),
    '/long/': page('Long', ['/long/1', '/long/2']),
    '/long/1': (_request, response) => void held.push(response),
    '/long/2': page('Two'),
  });
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  expect((await daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST])).code).toBe(0);
  await writeFile(join(folder, 'crawls.yaml'), 'allowPrivate: true\ndelay: 0\nrender: never\n');
  await writeFile(
    join(folder, 'server.yaml'),
    'crawls: crawls.yaml\ntokens:\n  - { name: cms, role: admin, token: env:API_TOKEN }\n',
  );
  server = spawnDaguerre(
    [...['serve', '--archive', archive, '--config', join(folder, 'server.yaml')], ...PORTS],
    { env: { API_TOKEN: TOKEN } },
  );
  ({ url } = JSON.parse(await server.said('}\n')) as { url: string });
  void listen();
});
afterAll(async () => {
  listening.abort();
  server?.child.kill('SIGINT');
  await server?.ended;
  await site?.close();
});

const PORTS = ['--port', '0', '--replay-port', '0', '--json'];
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };

async function ask<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...AUTHORIZATION, ...json, ...more };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${url}/api/${path}`, { method, headers, ...sent });
  const said = (await answer.json()) as T & Partial<Problem>;
  return { status: answer.status, said, etag: answer.headers.get('etag') ?? '' };
}

/** As a browser would, to the end of the test. */
async function listen(): Promise<void> {
  const { body } = await fetch(`${url}/api/events`, { headers: AUTHORIZATION, signal: listening.signal });
  let text = '';
  const read = async (): Promise<void> => {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8');
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text.slice(0, end))?.[1];
        const [name, data] = [field('event'), field('data')];
        if (name !== undefined) events.push({ name, id: field('id'), data: JSON.parse(data ?? 'null') });
        text = text.slice(end + 2);
      }
    }
  };
  await read().catch(() => {});
}

/** Waits for an event, or for whatever else will be. */
async function until<T>(found: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const one = await found();
    if (one !== undefined) return one;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const event = (name: string, part: object) =>
  until(() =>
    events.find((one) => one.name === name && expect.objectContaining(part).asymmetricMatch(one.data)),
  );

it('a crawl is started, told of, refused beside itself, stopped and resumed by the same request', async () => {
  const wanted = { urls: [`${site.url}/long/`] };
  const started = await ask<{ crawl: number }>('POST', 'crawls', wanted);
  expect([started.status, started.said.crawl]).toEqual([202, expect.any(Number)]);
  const id = started.said.crawl;
  await event('crawl', { id, state: 'running' });
  await until(() => held[0]);
  expect((await ask('POST', 'crawls', { urls: [`${site.url}/`] })).status).toBe(409);
  expect((await ask('POST', 'crawls/stop')).said).toEqual({ stopping: expect.any(Number) });
  for (const response of held) response.end(page('Waited'));
  await event('crawl', { id, state: 'stopped' });
  expect((await ask('POST', 'crawls/stop')).status).toBe(409);
  held = [];
  expect((await ask<{ crawl: number }>('POST', 'crawls', wanted)).said).toMatchObject({ crawl: id });
  await until(() => {
    for (const response of held) response.end(page('Waited'));
    return events.find(({ name, data }) => name === 'crawl' && (data as CrawlRow).state === 'finished');
  });
  const { said } = await ask<CrawlRow>('GET', `crawls/${id}`);
  expect([said.state, said.tally.captured + said.tally.unchanged]).toEqual(['finished', 3]);
  // Of a page that was visited while the crawl went on: the last visits of one that ends may be folded before anybody looks.
  const visit = await event('visit', { crawl: id, outcome: 'captured', url: `${site.url}/long/` });

  // Whoever comes back with the id of an event hears what came after it, and nothing twice.
  const again = new AbortController();
  const { body } = await fetch(`${url}/api/events`, {
    headers: { ...AUTHORIZATION, 'last-event-id': visit.id as string },
    signal: again.signal,
  });
  expect(body).not.toBeNull();
  again.abort();
});

it('a crawl with settings of its own is resumed by its number => the same crawl, under those settings', async () => {
  held = [];
  const wanted = { urls: [`${site.url}/long/1`], scopeType: 'page', pageLimit: 1, revisit: 'sharp' };
  const { said: begun } = await ask<{ crawl: number }>('POST', 'crawls', wanted);
  await until(() => held[0]);
  expect((await ask('POST', `crawls/${begun.crawl}/resume`)).status).toBe(409);
  await ask('POST', 'crawls/stop');
  for (const response of held) response.end(page('Waited'));
  await event('crawl', { id: begun.crawl, state: 'stopped' });
  held = [];
  const resumed = await ask<{ crawl: number }>('POST', `crawls/${begun.crawl}/resume`);
  expect([resumed.status, resumed.said.crawl]).toEqual([202, begun.crawl]);
  await until(() => {
    for (const response of held) response.end(page('Waited'));
    return events.find(
      ({ name, data }) =>
        name === 'crawl' && (data as CrawlRow).id === begun.crawl && (data as CrawlRow).state === 'finished',
    );
  });
  const { said } = await ask<CrawlRow>('GET', `crawls/${begun.crawl}`);
  expect(said).toMatchObject({ state: 'finished', spec: { revisit: 'sharp', scope: { type: 'page' } } });
  expect(said.spec.limits.pages).toBe(1);
  expect((await ask('POST', `crawls/${begun.crawl}/resume`)).said.detail).toMatch(/is finished/);
  expect((await ask('POST', 'crawls/999/resume')).said.detail).toMatch(/there is no crawl 999/);
});

it('allow-private, seeds that are flags or no addresses, files => refused', async () => {
  for (const body of [
    { urls: [`${site.url}/`], allowPrivate: true },
    { urls: ['--config=/etc/passwd'] },
    { urls: ['file:///etc/passwd'] },
    { urls: [] },
  ])
    expect([body, (await ask('POST', 'crawls', body)).status]).toEqual([body, 400]);
});

it('two people decide about one page => the second is told, and nothing is written', async () => {
  const target = `${site.url}/`;
  const path = `decisions?target=${encodeURIComponent(target)}`;
  const draft = { targets: [target], act: { kind: 'pin' }, why: 'the front page' };
  const { etag } = await ask('GET', path);
  const first = await ask<{ decisions: { by: string }[] }>('POST', 'decisions', draft, { 'if-match': etag });
  expect([first.status, first.said.decisions[0]?.by]).toEqual([200, 'cms']);
  const second = await ask('POST', 'decisions', { ...draft, act: { kind: 'out' } }, { 'if-match': etag });
  expect([second.status, second.said.detail]).toEqual([412, expect.stringContaining('somebody has decided')]);
  const now = await ask<{ rows: unknown[] }>('GET', path);
  expect(now.said.rows).toHaveLength(1);
  expect(now.etag).not.toBe(etag);
  expect((await ask('POST', 'decisions', draft, { 'if-match': 'no tag' })).status).toBe(400);
});

it('a rule is tried on the past; a wrong one, a ping without a watch, a plan without one => told', async () => {
  const tried = await ask('POST', 'alerts/dry-run', { rule: { name: 'all', when: { importance: 0 } } });
  expect([tried.status, tried.said]).toEqual([200, { rules: [{ rule: 'all', alerts: 0, messages: [] }] }]);
  const wrong = await ask('POST', 'alerts/dry-run', { rule: { name: 'all', when: { never: 1 } } });
  expect([wrong.status, wrong.said.detail]).toEqual([
    400,
    expect.stringMatching(/^when\.never: unknown; .*\nwhen: name a condition/),
  ]);
  expect((await ask('POST', 'pings', { url: `${site.url}/` })).status).toBe(409);
  expect((await ask('GET', 'plan')).status).toBe(404);
});
