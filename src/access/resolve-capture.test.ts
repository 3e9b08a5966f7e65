import { describe, expect, it } from 'vitest';
import { type Shot, smallArchive } from '../../test/e2e/small-archive.ts';
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

describe('captureHistory', () => {
  it('a, a, b, 304, b, error => first, same, changed, same, same, changed', async () => {
    const { catalog, close } = await smallArchive([
      { url: 'http://x.org/', at: T, body: 'a' },
      { url: 'http://x.org/', at: T + 1, body: 'a', revisit: 'identical-payload-digest' },
      { url: 'http://x.org/', at: T + 2, body: 'b' },
      { url: 'http://x.org/', at: T + 3, status: 304, revisit: 'server-not-modified' },
      { url: 'http://x.org/', at: T + 4, body: 'b' },
      { url: 'http://x.org/', at: T + 5, status: 500, body: 'b' },
    ]);
    const changes: string[] = [];
    for await (const { change } of captureHistory(catalog, { url: 'http://x.org/' })) changes.push(change);
    await close();
    expect(changes).toEqual(['first', 'same', 'changed', 'same', 'same', 'changed']);
  });
});
