import { describe, expect, it } from 'vitest';
import { type Shot, smallArchive } from '../../test/e2e/small-archive.ts';
import { pageOf } from '../catalog/conformance/examples.conformance.ts';
import { DamagedRecord } from '../ports/record-store.ts';
import { captureHistory } from './capture-history.ts';
import { captureResolver } from './resolve-capture.ts';

const T = Date.UTC(2024, 0, 1);
const HTML = [['Content-Type', 'text/html']] as const;

async function shown(shots: readonly Shot[], url: string, at: number): Promise<string> {
  const { catalog, reader, close } = await smallArchive(shots);
  const found = await captureResolver(catalog, reader).resolve(url, at);
  await close();
  if (found.kind !== 'found') return found.kind;
  const { status, headers, payload } = found.capture;
  return `${status} ${Buffer.from(payload.bytes ?? []).toString()} ${headers.map(([n, v]) => `${n}=${v}`).join(' ')}`;
}

describe('captureResolver', () => {
  const versions: Shot[] = [
    { url: 'http://x.org/', at: T, body: 'old', headers: HTML },
    { url: 'http://x.org/', at: T + 300, body: 'new', headers: HTML },
  ];

  it('two captures 300 ms apart => the nearer one', async () => {
    expect(await shown(versions, 'http://x.org/', T + 100)).toContain('old');
    expect(await shown(versions, 'http://x.org/', T + 200)).toContain('new');
  });

  it('https or www asked, http archived => found; another host => not-archived', async () => {
    expect(await shown(versions, 'https://www.x.org/', T)).toContain('old');
    expect(await shown(versions, 'http://y.org/', T)).toBe('not-archived');
  });

  it('revisit => its own head, the payload of the original', async () => {
    const shots: Shot[] = [
      { url: 'http://x.org/', at: T, body: 'page', headers: [...HTML, ['X-Seen', '1']] },
      {
        url: 'http://x.org/',
        at: T + 1000,
        body: 'page',
        headers: [...HTML, ['X-Seen', '2']],
        revisit: 'identical-payload-digest',
      },
    ];
    expect(await shown(shots, 'http://x.org/', T + 1000)).toBe('200 page Content-Type=text/html X-Seen=2');
  });

  it('304 revisit => status and head of the original', async () => {
    const shots: Shot[] = [
      { url: 'http://x.org/', at: T, body: 'page', headers: HTML },
      { url: 'http://x.org/', at: T + 1000, status: 304, revisit: 'server-not-modified' },
    ];
    expect(await shown(shots, 'http://x.org/', T + 1000)).toBe('200 page Content-Type=text/html');
  });

  it('revisit without its original => original-missing', async () => {
    const shots: Shot[] = [
      { url: 'http://x.org/', at: T, body: 'gone', revisit: 'identical-payload-digest' },
    ];
    expect(await shown(shots, 'http://x.org/', T)).toBe('original-missing');
  });

  it('http => https redirect, asked for https, only http kept => not-archived, no loop', async () => {
    const shots: Shot[] = [
      { url: 'http://x.org/', at: T, status: 301, headers: [['Location', 'https://x.org/']] },
    ];
    expect(await shown(shots, 'https://x.org/', T)).toBe('not-archived');
    expect(await shown(shots, 'http://x.org/', T)).toContain('301');
  });

  it('a page that redirects to itself => its nearest capture that does not', async () => {
    const shots: Shot[] = [
      { url: 'http://x.org/', at: T, status: 302, headers: [['Location', '/']] },
      { url: 'http://x.org/', at: T + 50, body: 'page', headers: HTML },
    ];
    expect(await shown(shots, 'http://x.org/', T)).toContain('200 page');
  });

  it('POST spelled by wabac => the POST capture; GET of the same URL => not it', async () => {
    const shots: Shot[] = [
      { url: 'http://x.org/api', at: T, method: 'POST', body: 'posted' },
      { url: 'http://x.org/api', at: T + 9000, body: 'got' },
    ];
    expect(await shown(shots, 'http://x.org/api?__wb_method=POST&a=1', T)).toContain('posted');
    expect(await shown(shots, 'http://x.org/api', T)).toContain('got');
  });

  it('a resource record => 200 with its media type', async () => {
    const shots: Shot[] = [{ url: 'urn:text:http://x.org/', at: T, body: 'words', resource: 'text/plain' }];
    expect(await shown(shots, 'urn:text:http://x.org/', T)).toBe('200 words Content-Type=text/plain');
  });
});

describe('captureResolver where records are damaged', () => {
  const url = 'http://x.org/';
  /** What is shown at `at` when the records of these moments cannot be read. */
  async function shownDespite(
    shots: readonly Shot[],
    damaged: readonly number[],
    at: number,
  ): Promise<string> {
    const { catalog, reader, close } = await smallArchive(shots);
    const bad = new Set<string>();
    for await (const fact of catalog.captures({ url })) if (damaged.includes(fact.at)) bad.add(place(fact));
    const read: typeof reader.read = (position) =>
      bad.has(place(position))
        ? Promise.reject(new DamagedRecord(position, 'its bytes are flipped'))
        : reader.read(position);
    try {
      const found = await captureResolver(catalog, { read }).resolve(url, at);
      if (found.kind !== 'found') return found.kind;
      const { payload, fact, standsFor } = found.capture;
      const text = Buffer.from(payload.bytes ?? []).toString();
      return `${text} of ${fact.at - T}${standsFor ? ` for ${standsFor.at - T}` : ''}`;
    } catch (error) {
      if (error instanceof DamagedRecord) return 'damaged';
      throw error;
    } finally {
      await close();
    }
  }
  const place = ({ file, offset }: { file: string; offset: number }): string => `${file} ${offset}`;
  const shot = (at: number, body: string, more: Partial<Shot> = {}): Shot => ({
    ...{ url, at: T + at, body, headers: HTML },
    ...more,
  });

  it('the nearest is damaged => the same bytes from farther off before other bytes; none left => the damage is told', async () => {
    const shots = [shot(0, 'old'), shot(10, 'page'), shot(90, 'page'), shot(95, 'new')];
    expect(await shownDespite(shots, [T + 10], T + 10)).toBe('page of 90 for 10');
    expect(await shownDespite(shots, [T + 10, T + 90], T + 10)).toBe('old of 0 for 10');
    expect(await shownDespite(shots, [T, T + 10, T + 90, T + 95], T + 10)).toBe('damaged');
  });

  it('the original of a revisit is damaged => another record with its payload', async () => {
    const revisit = { revisit: 'identical-payload-digest' } as const;
    const shots = [shot(0, 'page'), shot(10, 'page', revisit), shot(90, 'page')];
    expect(await shownDespite(shots, [T], T + 10)).toBe('page of 10');
  });
});

describe('captureHistory', () => {
  it('a, a, b, 304, b, error without layouts => first, same bytes, not comparable, same bytes twice, not comparable', async () => {
    const { catalog, close } = await smallArchive([
      { url: 'http://x.org/', at: T, body: 'a' },
      { url: 'http://x.org/', at: T + 1, body: 'a', revisit: 'identical-payload-digest' },
      { url: 'http://x.org/', at: T + 2, body: 'b' },
      { url: 'http://x.org/', at: T + 3, status: 304, revisit: 'server-not-modified' },
      { url: 'http://x.org/', at: T + 4, body: 'b' },
      { url: 'http://x.org/', at: T + 5, status: 500, body: 'b' },
    ]);
    const changes: string[] = [];
    for await (const { comparison } of captureHistory(catalog, { url: 'http://x.org/' }))
      changes.push(comparison.kind);
    await close();
    expect(changes).toEqual([
      ...['first', 'same-bytes', 'not-comparable', 'same-bytes', 'same-bytes', 'not-comparable'],
    ]);
  });

  it('other bytes that look the same => same to a reader; a delta decides, also one that tells a reader nothing', async () => {
    const url = 'http://x.org/';
    const { catalog, close } = await smallArchive(
      ['a', 'b', 'c', 'd', 'd'].map((body, i) => ({ url, at: T + i, body, headers: HTML })),
    );
    const version = (at: number, look: number) => ({
      ...pageOf(url, T + at),
      version: {
        ...{ sha256: String(at), size: 1, look: String(T + look), basis: 'layout' as const, importance: 0.1 },
        ...{ indexed: true, kept: true, reason: 'no-pattern' as const, threshold: 0, accumulated: 0 },
      },
    });
    const course = { changed: [], renamed: [], came: [], went: [] };
    const change = (from: number, to: number, importance: number) => ({
      ...{ url, from: T + from, to: T + to, importance, salience: importance, operations: [], course },
    });
    await catalog.index({
      captures: [],
      pages: [version(0, 0), version(1, 0), version(2, 2), version(3, 3), version(4, 4)],
      changes: [change(0, 2, 0.4), change(2, 3, 0), change(3, 4, 0.2)],
      fileLengths: new Map(),
    });
    const changes: string[] = [];
    for await (const { comparison } of captureHistory(catalog, { url })) changes.push(comparison.kind);
    await close();
    expect(changes).toEqual(['first', 'same-to-reader', 'changed', 'same-to-reader', 'changed']);
  });
});
