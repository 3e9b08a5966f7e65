import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaptureFact } from '../../src/model/capture.ts';
import type { Visit } from '../../src/model/crawl.ts';
import { header } from '../../src/model/exchange.ts';
import { openRecordReader } from '../../src/warc/record-reader.ts';
import { ANSWERS } from '../sites/hostile-answers.ts';
import { type HostileServer, startHostileServer } from '../sites/hostile-server.ts';
import {
  capturesOf,
  complaints,
  daguerre,
  eachRecord,
  FAST,
  type Finished,
  spawnDaguerre,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';

/** How each path of the hostile server has to end: a capture, whole or cut, or a fault. */
const EXPECTED: Readonly<Record<keyof typeof ANSWERS, string>> = {
  ok: 'whole',
  chunked: 'whole',
  'close-delimited': 'whole',
  http10: 'whole',
  gzip: 'whole',
  interim: 'whole',
  conditional: 'whole',
  'broken-chunk': 'cut: unspecified',
  'not-chunked': 'cut: unspecified',
  'cut-chunk': 'cut: disconnect',
  'long-length': 'cut: disconnect',
  'short-length': 'whole',
  'two-lengths': 'cut: unspecified',
  'same-length-twice': 'whole',
  'length-and-chunks': 'whole',
  'huge-trailer': 'whole',
  'bare-lf': 'whole',
  'header-injection': 'whole',
  'location-injection': 'whole',
  'huge-headers': 'fault: malformed-response',
  'invalid-utf8': 'whole',
  garbage: 'fault: malformed-response',
  http09: 'fault: malformed-response',
  endless: 'cut: length',
  'endless-chunks': 'cut: length',
  'endless-interim': 'fault: malformed-response',
  'endless-head': 'fault: malformed-response',
  'gzip-bomb': 'whole',
  'cut-gzip': 'whole',
  large: 'cut: length',
  hang: 'fault: timeout',
  'hang-after-head': 'cut: time',
  drip: 'cut: time',
  'drip-head': 'fault: timeout',
  reset: 'fault: connection-failed',
  'reset-body': 'cut: disconnect',
  'close-silently': 'fault: connection-failed',
  stale: 'whole',
  redirect: 'whole',
  loop: 'whole',
  'too-many': 'fault: server-busy',
  busy: 'fault: server-busy',
};

const LIMITS = ['--response-time', '3s', '--response-size', '5MB', '--redirects', '20', '--attempts', '2'];

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer();
});
afterAll(() => server.close());

describe('a crawl of every fault', () => {
  let archive: string;
  let run: Finished;
  let visits: readonly Visit[];
  let captures: readonly CaptureFact[];

  beforeAll(async () => {
    archive = await temporaryFolder();
    run = await daguerre(['archive', `${server.url}/`, '--archive', archive, ...FAST, ...LIMITS]);
    visits = await withCatalog(archive, (catalog) => catalog.visits({ crawlId: 1, limit: 10_000 }));
    captures = await capturesOf(archive);
  }, 300_000);

  const lastVisit = (path: string): Visit | undefined =>
    visits
      .filter(({ url, outcome }) => url === `${server.url}${path}` && outcome !== 'deferred')
      .toSorted((a, b) => a.at - b.at)
      .at(-1);
  const captureOf = (path: string): CaptureFact | undefined =>
    captures.find(({ url }) => url === `${server.url}${path}`);

  it('ends by itself with exit code 0 and nothing pending', () => {
    expect(run.stderr).not.toContain('Error');
    expect(run.code).toBe(0);
    expect(run.json()).toMatchObject({ state: 'finished', pending: 0 });
    expect(run.json<{ failures: object }>().failures).not.toHaveProperty('internal');
  });

  it.each(Object.keys(ANSWERS))('/%s => the expected fact', (name) => {
    const visit = lastVisit(`/${name}`);
    const capture = captureOf(`/${name}`);
    const ended =
      visit?.outcome === 'failed'
        ? `fault: ${visit.fault?.kind}`
        : capture?.truncated === undefined
          ? capture && 'whole'
          : `cut: ${capture.truncated}`;
    expect(ended).toBe(EXPECTED[name]);
    if (visit?.fault) expect(visit.fault.detail).toContain(`${server.url}/${name}`);
  });

  it('10,000 redirects => end at the limit of 20, each hop stored', () => {
    expect(lastVisit('/redirect/20')?.fault?.kind).toBe('redirect-limit');
    expect(lastVisit('/redirect/21')).toBeUndefined();
    expect(captureOf('/redirect/20')?.status).toBe(302);
  });

  it('a redirect loop => a fault that names the way back', () => {
    expect(lastVisit('/loop/b')?.fault).toMatchObject({ kind: 'redirect-loop' });
    expect(lastVisit('/loop/b')?.fault?.detail).toContain('/loop/a');
  });

  it('429 and 503 => tried again, the last answer stored', () => {
    for (const [path, status] of [
      ['/too-many', 429],
      ['/busy', 503],
    ] as const) {
      expect(visits.filter(({ url }) => url === `${server.url}${path}`)).toHaveLength(2);
      expect(captureOf(path)?.status).toBe(status);
    }
  });

  it('verify => all well', async () => {
    expect(await complaints(archive)).toEqual([]);
  });

  it('cut answers => WARC-Truncated with the same reason; no other record has it', async () => {
    const told = new Map<string, string>();
    await eachRecord(archive, ({ type, fields, url }) => {
      const value = header(fields, 'warc-truncated');
      if (type === 'response' && value !== undefined) told.set(url, value);
    });
    const known = captures.flatMap(({ url, truncated }) => (truncated ? [[url, truncated] as const] : []));
    expect(new Map(known)).toEqual(told);
    expect(told.size).toBeGreaterThan(8);
  });

  it('NUL, bare CR and a line without colon in a header => stored as they came, no field of ours', async () => {
    const fact = captureOf('/header-injection') as CaptureFact;
    const reader = openRecordReader(join(archive, 'warc'));
    try {
      const { fields, http, payload } = await reader.read(fact);
      const head = Buffer.from(http?.head ?? []).toString('latin1');
      expect(head).toContain('X-Nul: a\0b\r\nX-Cr: a\rSet-Cookie: evil=1\r\nno colon here\r\nX Space: 1\r\n');
      expect(Buffer.from(payload.bytes ?? []).toString()).toBe('Helloworld');
      expect(
        fields.map(([name]) => name.toLowerCase()).filter((name) => !/^(warc|content)-/.test(name)),
      ).toEqual([]);
    } finally {
      await reader.close();
    }
  });
});

describe.concurrent('a seed that cannot be reached => exit code 3 and a stored fact', () => {
  async function unreachable(seed: string) {
    const archive = await temporaryFolder();
    const run = await daguerre(['archive', seed, '--archive', archive, ...FAST, '--attempts', '1']);
    const [visit] = await withCatalog(archive, (catalog) => catalog.visits({ outcome: 'failed' }));
    expect(run.code).toBe(3);
    expect(run.json()).toMatchObject({ state: 'finished', captured: 0, failed: 1 });
    expect(run.json<{ failures: object }>().failures).toEqual({ [visit?.fault?.kind ?? '']: 1 });
    return visit;
  }

  it('http://does-not-exist.invalid/ => dns-failure', async () => {
    const visit = await unreachable('http://does-not-exist.invalid/');
    expect(visit?.fault?.kind).toBe('dns-failure');
    expect(visit?.fault?.detail).toContain('does-not-exist.invalid could not be resolved');
  });

  it('a certificate that nobody signed => tls-failure', async () => {
    const visit = await unreachable(`${server.tlsUrl}/`);
    expect(visit?.fault?.kind).toBe('tls-failure');
    expect(visit?.fault?.detail).toMatch(/self.signed certificate/);
  });

  it('a port where nothing listens => connection-refused', async () => {
    const port = await closedPort();
    const visit = await unreachable(`http://127.0.0.1:${port}/`);
    expect(visit?.fault).toMatchObject({
      kind: 'connection-refused',
      detail: expect.stringContaining(`127.0.0.1:${port} refused the connection`),
    });
  });

  it('a redirect to itself => redirect-loop, the answer stored', async () => {
    const archive = await temporaryFolder();
    const run = await daguerre(['archive', `${server.url}/loop/self`, '--archive', archive, ...FAST]);
    expect(run.code).toBe(3);
    expect(run.json()).toMatchObject({ failures: { 'redirect-loop': 1 } });
    expect((await capturesOf(archive)).map(({ url }) => url)).toContain(`${server.url}/loop/self`);
  });
});

describe('a page of 300 MB', () => {
  it('=> stored whole, in bounded memory', { timeout: 240_000 }, async () => {
    const archive = await temporaryFolder();
    const seed = `${server.url}/large/300`;
    const running = spawnDaguerre(['archive', seed, '--archive', archive, ...FAST]);
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, running.peakMemory());
    }, 100);
    const run = await running.ended;
    clearInterval(timer);
    expect(run.stderr).not.toContain('Error');
    expect(run.code).toBe(0);
    const capture = (await capturesOf(archive)).find(({ url }) => url === seed);
    expect(capture?.digest.size).toBe(300 * 1024 * 1024);
    expect(capture?.truncated).toBeUndefined();
    expect(peak).toBeLessThan(600e6);
    expect(await complaints(archive)).toEqual([]);
  });
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const listener = createServer();
  const port = await new Promise<number>((resolve) => {
    listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port));
  });
  await new Promise((resolve) => listener.close(resolve));
  // Nobody took it meanwhile.
  await expect(
    new Promise((resolve, reject) =>
      connect(port, '127.0.0.1').once('connect', resolve).once('error', reject),
    ),
  ).rejects.toThrow('ECONNREFUSED');
  return port;
}
