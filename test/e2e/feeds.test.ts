import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WebArchive, webArchive } from './web-archive.ts';

/** Feeds of changes and of searches, over an archive with a real change. */

let archive: WebArchive;
beforeAll(async () => {
  archive = await webArchive();
}, 240_000);
afterAll(() => archive?.close());

async function feed(path: string): Promise<{ titles: string[]; links: string[]; ids: string[] }> {
  const answer = await fetch(`${archive.url}/feeds/${path}`);
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')], text).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ]);
  const found = { titles: [] as string[], links: [] as string[], ids: [] as string[] };
  const inside: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, attributes }) => {
    inside.push(local);
    const of = attributes as Record<string, { value: string }>;
    if (local === 'link' && of['rel']?.value === 'alternate') found.links.push(of['href']?.value ?? '');
  });
  parser.on('text', (words) => {
    if (inside.at(-2) !== 'entry') return;
    if (inside.at(-1) === 'title') found.titles.push(words);
    if (inside.at(-1) === 'id') found.ids.push(words);
  });
  parser.on('closetag', () => void inside.pop());
  parser.write(text).close();
  return found;
}

it('changes of a site and of a page => what changed, leading to both versions; of another => nothing', async () => {
  const front = `${archive.site.url}/`;
  for (const of of [`site=${archive.host}`, `url=${encodeURIComponent(front)}`]) {
    const { titles, links, ids } = await feed(`changes.atom?${of}`);
    expect(titles[0]).toMatch(new RegExp(`^${front}: .+`));
    expect(links[0]).toContain(`/#/page?url=${encodeURIComponent(front)}&from=`);
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect((await feed('changes.atom?site=never.example')).titles).toEqual([]);
  expect((await feed('changes.atom')).titles.length).toBeGreaterThan(0);
});

it('a search => passages that came, and those that went, each leading to a version that shows it', async () => {
  const came = await feed('search.atom?q=sea+wall+breaks');
  expect(came.titles.join(' ')).toContain('Sea wall breaks at dawn');
  expect(came.links[0]).toMatch(/\/#\/replay\?url=.*&at=\d{14}/);
  const went = await feed('search.atom?q=harbour+wall&event=vanished');
  expect(went.titles.join(' ')).toContain('The harbour wall holds');
});

it.each([
  ['search.atom', 400, 'q'],
  ['search.atom?q=%22open', 400, '"'],
  ['search.atom?q=x&limit=5', 400, "no parameter 'limit'"],
  ['changes.atom?sight=x', 400, "no parameter 'sight'"],
  ['nothing.atom', 404, '/feeds/nothing.atom'],
  ['pages/x.atom', 404, 'no feed is at'],
])('%s => %i that says why', async (path, status, why) => {
  const answer = await fetch(`${archive.url}/feeds/${path}`);
  const problem = (await answer.json()) as { detail: string };
  expect([answer.status, problem.detail]).toEqual([status, expect.stringContaining(why)]);
});
