import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { complaints, daguerre, FAST, temporaryFolder, withCatalog } from './daguerre.ts';
import { bring, PAGES, signed, wacz, warcRecord, webCaptures } from './foreign-records.ts';
import { page, startSite } from './small-site.ts';

it('a WACZ that names a missing WARC, in its list or in its index => an error for each', async () => {
  const folder = await temporaryFolder();
  const line =
    'com,example)/ 20200102030405 {"url":"http://example.com/","filename":"indexed.warc.gz","offset":0}';
  await wacz(
    join(folder, 'a.wacz'),
    {
      'archive/here.warc': warcRecord('http://example.com/', 'here'),
      'pages/pages.jsonl': PAGES,
      'indexes/index.cdxj': `${line}\n`,
    },
    { listed: ['archive/listed.warc.gz'] },
  );
  const { code, report } = await bring(join(folder, 'archive'), join(folder, 'a.wacz'));
  expect(code).toBe(6);
  expect(report).toMatchObject({ files: 1, captures: 1 });
  expect(report?.errors.map(({ file }) => file.slice(file.indexOf('.wacz/') + 6))).toEqual([
    'archive/indexed.warc.gz',
    'archive/listed.warc.gz',
  ]);
  // Nobody could find out later, but for the record of the import.
  expect(await complaints(join(folder, 'archive'))).toEqual([
    expect.objectContaining({
      reason: expect.stringMatching(/a\.wacz was imported, in archive\/indexed/) as string,
    }),
    expect.objectContaining({
      reason: expect.stringMatching(/a\.wacz was imported, in archive\/listed/) as string,
    }),
  ]);
});

it('records that were put into a signed WACZ => not imported, named, exit 6; into an unsigned one => a warning', async () => {
  const folder = await temporaryFolder();
  const entries = {
    'archive/a.warc': warcRecord('http://example.com/own', 'own'),
    'archive/extra.warc': warcRecord('http://example.com/smuggled', 'smuggled'),
    'pages/pages.jsonl': PAGES,
  };
  const unlisted = ['archive/extra.warc'];
  await wacz(join(folder, 'signed.wacz'), entries, { unlisted, signed: signed((hash) => hash) });
  await wacz(join(folder, 'plain.wacz'), entries, { unlisted });
  const first = await bring(join(folder, 'one'), join(folder, 'signed.wacz'));
  expect(first).toMatchObject({ code: 6, report: { files: 1, captures: 1 } });
  expect(first.report?.errors).toEqual([
    expect.objectContaining({
      file: expect.stringMatching(/signed\.wacz\/archive\/extra\.warc$/) as string,
      reason: expect.stringMatching(/^not imported: the package is signed/) as string,
    }),
  ]);
  expect(first.report?.signatures).toMatchObject([
    {
      verdict: 'valid',
      reasons: ['nobody says whose key it is', expect.stringMatching(/^1 record file.*left out/)],
    },
  ]);
  expect((await webCaptures(join(folder, 'one'))).map(({ url }) => url)).toEqual(['http://example.com/own']);
  const second = await bring(join(folder, 'two'), join(folder, 'plain.wacz'));
  expect(second).toMatchObject({ code: 0, report: { files: 2, errors: [] } });
  expect(second.report?.warnings.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('does not list this file'),
  ]);
});

it('a signed WACZ => the verdict is told, and stored so that reindex brings it back', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const content = (body: string) => ({
    'archive/a.warc': warcRecord(`http://example.com/${body}`, body),
    'pages/pages.jsonl': PAGES,
  });
  await wacz(join(folder, 'good.wacz'), content('good'), { signed: signed((hash) => hash) });
  await wacz(join(folder, 'bad.wacz'), content('bad'), { signed: signed(() => 'something else') });
  await wacz(join(folder, 'none.wacz'), content('none'));
  const { code, report } = await bring(
    archive,
    ...['good', 'bad', 'none'].map((name) => join(folder, `${name}.wacz`)),
  );
  expect(code).toBe(6);
  expect(report?.signatures.map(({ verdict }) => verdict)).toEqual(['valid', 'invalid', 'none']);
  expect(report?.errors.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('the signature is invalid: the signature does not fit the key'),
  ]);
  await rm(join(archive, 'catalog.sqlite'), { force: true });
  expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
  const stored = await withCatalog(archive, async (catalog) => {
    const urls: string[] = [];
    for await (const { url } of catalog.captures({ urlPrefix: 'urn:import:' })) urls.push(url);
    return urls.toSorted();
  });
  expect(stored).toEqual(['urn:import:bad.wacz', 'urn:import:good.wacz', 'urn:import:none.wacz']);
  const [file = ''] = (await readdir(join(archive, 'warc'))).filter((name) => name.startsWith('import-'));
  const text = gunzipSync(await readFile(join(archive, 'warc', file))).toString();
  expect(text).toContain('"signature":{"verdict":"valid"');
  expect(text).toContain('"signature":{"verdict":"invalid"');
  const verified = await daguerre(['verify', '--archive', archive, '--json']);
  expect(verified.code).toBe(0);
  const { imports, warnings } = verified.json<{
    imports: { source: string; signature: { verdict: string } }[];
    warnings: { reason: string }[];
  }>();
  expect(imports.map(({ source, signature }) => [source, signature.verdict]).toSorted()).toEqual([
    ['bad.wacz', 'invalid'],
    ['good.wacz', 'valid'],
    ['none.wacz', 'none'],
  ]);
  expect(warnings.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^found when bad\.wacz was imported.*the signature is invalid/),
  ]);
  const { stdout } = await daguerre(['verify', '--archive', archive]);
  expect(stdout).toMatch(/import of good\.wacz at 20\S+: signed by key sha256:\S+,.*: valid/);
});

it('a site that was crawled, with captures out of a signed WACZ => its report tells the signature', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const site = await startSite((path) => (path === '/' ? page('Home', ['/gone', '/none']) : undefined));
  try {
    const crawl = ['archive', `${site.url}/`, '--archive', archive, ...FAST];
    expect((await daguerre(crawl)).code).toBe(0);
  } finally {
    await site.close();
  }
  const { host } = new URL(site.url);
  const records = { 'archive/a.warc': warcRecord(`${site.url}/old`, 'old'), 'pages/pages.jsonl': PAGES };
  await wacz(join(folder, 'old.wacz'), records, { signed: signed((hash) => hash) });
  const other = { 'archive/b.warc': warcRecord('http://example.com/', 'other'), 'pages/pages.jsonl': PAGES };
  await wacz(join(folder, 'other.wacz'), other, { signed: signed((hash) => hash) });
  await bring(archive, join(folder, 'old.wacz'), join(folder, 'other.wacz'));
  const report = ['report', host, '--archive', archive];
  const { stdout } = await daguerre(report);
  expect(stdout.match(/^import of .*$/gm)).toEqual([
    expect.stringMatching(/^import of old\.wacz at 20\S+: signed by key sha256:\S+,.*: valid/),
  ]);
  const { imports } = (await daguerre([...report, '--json'])).json<{ imports: { source: string }[] }>();
  expect(imports.map(({ source }) => source)).toEqual(['old.wacz']);
  const failed = await daguerre([...report, '--failed']);
  const lines = failed.stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t').slice(0, 2));
  expect(lines.toSorted()).toEqual([
    ['http-status', `${site.url}/gone`],
    ['http-status', `${site.url}/none`],
  ]);
});

/** One record with the fields that Browsertrix Crawler gives it. */
function browsertrixRecord(
  type: 'response' | 'resource',
  url: string,
  contentType: string,
  block: string,
): string {
  const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const payload = block.slice(type === 'response' ? block.indexOf('\r\n\r\n') + 4 : 0);
  const fields = [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-${createHash('sha1').update(url).digest('hex').slice(0, 12)}>`,
    'WARC-Date: 2026-01-02T03:04:05.678Z',
    `WARC-Target-URI: ${url}`,
    'WARC-Page-ID: 5f0e9a2c-6c1f-4c0e-9d6b-0f3a1d2b4c5e',
    ...(type === 'response'
      ? ['WARC-Resource-Type: document', 'WARC-Protocol: h2', 'WARC-Protocol: tls/1.3']
      : []),
    ...(type === 'response'
      ? ['WARC-JSON-Metadata: {"ipType":"Public","cert":{"issuer":"R11","ctc":"1"}}']
      : []),
    `WARC-Payload-Digest: ${digest(payload)}`,
    `WARC-Block-Digest: ${digest(block)}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(block)}`,
  ];
  return `${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`;
}

it('a WACZ as Browsertrix writes it: no profile, its own page info => imported without error, verifies', async () => {
  const folder = await temporaryFolder();
  const url = 'https://example.com/';
  const html = '<title>Page</title><p>words</p>';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-orig-content-encoding: br\r\nContent-Length: ${html.length}\r\n\r\n`;
  const info = {
    pageid: '5f0e9a2c',
    url,
    ts: '2026-01-02T03:04:05.678Z',
    urls: { [url]: { status: 200, mime: 'text/html', type: 'document' } },
    counts: { jsErrors: 0 },
  };
  const lines = [
    PAGES.trim(),
    JSON.stringify({ id: '5f0e9a2c', url, title: 'Page', ts: info.ts, seed: true, depth: 0 }),
  ];
  await wacz(
    join(folder, 'crawl.wacz'),
    {
      'archive/rec-0.warc':
        browsertrixRecord('response', url, 'application/http; msgtype=response', head + html) +
        browsertrixRecord('resource', `urn:pageinfo:${url}`, 'application/json', JSON.stringify(info)),
      'pages/pages.jsonl': `${lines.join('\n')}\n`,
      'logs/crawl.log': '{"logLevel":"info"}\n',
    },
    {
      says: { created: '2026-01-02T03:05:00Z', wacz_version: '1.1.1', software: 'Browsertrix-Crawler 1.9.0' },
    },
  );
  const { code, report } = await bring(join(folder, 'archive'), join(folder, 'crawl.wacz'));
  expect(report?.errors).toEqual([]);
  expect(code).toBe(0);
  expect((await webCaptures(join(folder, 'archive'))).map((capture) => capture.url)).toContain(url);
  const verified = await daguerre(['verify', '--archive', join(folder, 'archive'), '--json']);
  expect(verified.json<{ errors: unknown[] }>().errors).toEqual([]);
  expect(verified.code).toBe(0);
});
