import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type DeltaItem, readSiteDelta } from './read-site-delta.ts';

const BEFORE = Date.UTC(2026, 0, 1);

async function read(...chunks: (string | Uint8Array)[]): Promise<DeltaItem[]> {
  async function* bytes() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
  const items: DeltaItem[] = [];
  for await (const item of readSiteDelta(bytes(), BEFORE)) items.push(item);
  return items;
}

const delta = (inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<site-delta version="1"><website url="example.org">${inside}</website></site-delta>`;
const page = (documents: string, url = 'https://example.org/'): string =>
  `<page url="${url}" archive="k7mq-2xrt-9hbd">${documents}</page>`;
const problems = (items: readonly DeltaItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'problem' ? [item.reason] : []));
const documents = (items: readonly DeltaItem[]) =>
  items.flatMap((item) => (item.kind === 'page' ? item.page.documents : []));

describe('what is no site-delta, or means harm, is refused by line and column', () => {
  test.each<[string, string | Uint8Array, string]>([
    [
      'billion laughs',
      `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>${delta('&lol2;')}`,
      'a DOCTYPE is refused',
    ],
    [
      'an external entity',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><site-delta version="1"/>',
      'a DOCTYPE is refused',
    ],
    [
      'an entity that nobody defined',
      delta(page('').replace('example.org/', 'example.org/&x;')),
      'undefined entity',
    ],
    ['10,000 levels of our own elements', '<website url="a.example">'.repeat(10_000), 'more than 8 deep'],
    ['10,000 levels of others', `<a>${'<a>'.repeat(9_999)}`, 'more than 8 deep'],
    ['other XML', '<a/>', '<a> cannot stand as the root: this is no site-delta'],
    ['HTML', '<!doctype html><title>x</title>', 'incorrect syntax'],
    ['another version', '<site-delta version="2"/>', "its version is '2'"],
    [
      'a truncated file',
      delta(page('<document date="2020-01-01" status="new"/>')).slice(0, -30),
      'unclosed tag',
    ],
    ['cut off inside an attribute', delta(page('<document date="2020-01-01')).slice(0, 150), 'unclosed tag'],
    ['UTF-16', Buffer.from(`\ufeff${delta('')}`, 'utf16le'), 'it is not UTF-8'],
    ['gzip', gzipSync(delta('')), 'it is compressed by gzip: unpack it first'],
    ['gzip, cut off', gzipSync(delta('')).subarray(0, 40), 'it is compressed by gzip: unpack it first'],
    ['bytes of Latin-1', Buffer.from(delta(page('', 'https://example.org/ä')), 'latin1'), 'it is not UTF-8'],
    [
      'another encoding by its own word',
      '<?xml version="1.0" encoding="ISO-8859-1"?><site-delta version="1"/>',
      'ISO-8859-1',
    ],
    ['text between elements', delta('hello'), 'text has no meaning here'],
    ['an attribute twice', '<site-delta version="1" version="1"/>', 'duplicate attribute'],
    ['a site that is none', '<site-delta version="1"><website url="::"/></site-delta>', "'::' names no site"],
    [
      'a processing instruction',
      '<?xml-stylesheet href="x"?><site-delta version="1"/>',
      'processing instructions',
    ],
  ])('%s', async (_, text, problem) => {
    await expect(read(text)).rejects.toThrow(/^line \d+, column \d+: /);
    await expect(read(text)).rejects.toThrow(problem);
  });

  test('an attribute of a gigabyte => refused once 256 kB of it were read', async () => {
    let sent = 0;
    async function* endless() {
      yield Buffer.from('<site-delta version="1"><website url="');
      const piece = Buffer.alloc(64 << 10, 'x');
      for (; sent < 1 << 30; sent += piece.byteLength) yield piece;
    }
    const reading = async (): Promise<void> => {
      for await (const _ of readSiteDelta(endless(), BEFORE));
    };
    await expect(reading()).rejects.toThrow('longer than 262144 characters');
    expect(sent).toBeLessThan(1 << 20);
  });

  test('a comment, or white space, of a megabyte => refused likewise', async () => {
    await expect(read(`<!--${'x'.repeat(1 << 20)}--><site-delta version="1"/>`)).rejects.toThrow(
      'longer than',
    );
    await expect(read(`<site-delta version="1">${' '.repeat(1 << 20)}</site-delta>`)).rejects.toThrow(
      'longer than',
    );
  });
});

describe('an element that says what cannot be is left out and told', () => {
  const good = `<document date="2020-01-01T00:00:00Z" status="new" sha256="${'a'.repeat(64)}"/>`;

  test.each<[string, string, string, number]>([
    [
      'an unknown status',
      '<document date="2020-01-02" status="burnt"/>',
      "'burnt' is no status of a document",
      1,
    ],
    ['no date', '<document status="new"/>', 'date="" is no date', 1],
    [
      "the paper's own date",
      '<document date="2002-Jan-01" status="new"/>',
      'date="2002-Jan-01" is no date',
      1,
    ],
    ['a day that is none', '<document date="2020-13-01" status="new"/>', 'is no date', 1],
    ['a date in the future', '<document date="2026-01-02" status="new"/>', 'lies in the future', 1],
    [
      'another document of the same access',
      good.replace('"new"', '"updated"'),
      'says otherwise: the first stays',
      1,
    ],
    [
      'a digest that is none',
      '<document date="2020-01-02" status="new" sha256="xyz"/>',
      'sha256="xyz" has no meaning',
      2,
    ],
    [
      'a reason that is none',
      '<document date="2020-01-02" status="skipped" inferred="magic"/>',
      'inferred="magic"',
      2,
    ],
    [
      'a status of HTTP that is none',
      '<document date="2020-01-02" status="error"><error httperror="0"/></document>',
      'no status of HTTP',
      2,
    ],
    [
      'an unknown attribute',
      '<document date="2020-01-02" status="new" colour="red"/>',
      "no attribute 'colour'",
      2,
    ],
  ])('%s', async (_, second, problem, kept) => {
    const items = await read(delta(page(`${good}\n${second}`)));
    expect(problems(items)).toEqual([expect.stringMatching(/^line 3, column \d+: /)]);
    expect(problems(items)[0]).toContain(problem);
    expect(documents(items)).toHaveLength(kept);
  });

  test('a page without address => left out; one of another host => taken: a site may be several', async () => {
    const items = await read(delta(page(good, 'https://other.example/') + page(good, 'ftp://example.org/')));
    expect(problems(items).map((text) => text.replace(/^.*?: /, ''))).toEqual([
      "'ftp://example.org/' is no address of a page: it is left out",
    ]);
    expect(documents(items)).toHaveLength(1);
  });

  test('the same page twice => both, with a note; the very same document twice => once', async () => {
    const items = await read(
      delta(page(good + good) + page('<document date="2020-01-02" status="unchanged"/>')),
    );
    expect(problems(items)).toEqual([
      expect.stringContaining('stands there twice: its documents are joined'),
    ]);
    expect(documents(items)).toHaveLength(2);
  });

  test('more crawls of a site than are kept => those past 100,000 are left out and told; each site anew', async () => {
    const crawls = Array.from(
      { length: 100_002 },
      (_, i) => `<crawl start="${new Date(i * 1000).toISOString()}"/>`,
    );
    const items = await read(
      delta(crawls.join('')).replace(
        '</site-delta>',
        `<website url="b.example">${crawls[0]}</website></site-delta>`,
      ),
    );
    expect(items.filter(({ kind }) => kind === 'crawl')).toHaveLength(100_001);
    expect(problems(items)).toEqual(
      Array<unknown>(2).fill(expect.stringContaining('more than 100000 crawls and mirrors of one site')),
    );
  });

  test('more documents of a page than are kept => those past 100,000 are left out and told', async () => {
    const many = Array.from(
      { length: 100_001 },
      (_, i) => `<document date="${new Date(i * 1000).toISOString()}" status="unchanged"/>`,
    );
    const items = await read(delta(page(many.join(''))));
    expect(documents(items)).toHaveLength(100_000);
    expect(problems(items)).toEqual([expect.stringContaining('more than 100000 documents of one page')]);
  });

  test('dates out of order => oldest first, without complaint', async () => {
    const items = await read(
      delta(
        page(
          '<document date="2020-01-03" status="updated"/><document date="2020-01-02T10:00:00+02:00" status="new"/>',
        ),
      ),
    );
    expect(problems(items)).toEqual([]);
    expect(documents(items).map(({ at, status }) => [new Date(at).toISOString(), status])).toEqual([
      ['2020-01-02T08:00:00.000Z', 'new'],
      ['2020-01-03T00:00:00.000Z', 'updated'],
    ]);
  });
});
