import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedCertificate } from '../../src/model/certificate.ts';
import { collect, complaints, daguerre, eachRecord, FAST, temporaryFolder, withCatalog } from './daguerre.ts';

/** Twelve pages: one with other news at each visit, one with a token that no reader sees, one that goes away. */
const PAGES = 12;
const WORDS = 'Some words that stay as they are. '.repeat(8);

let server: Server;
let site: string;
let archive: string;
beforeAll(async () => {
  const asked = new Map<string, number>();
  server = createServer((request, response) => {
    const path = request.url ?? '/';
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times);
    const page = /^\/p(\d+)$/.exec(path)?.[1];
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if ((page === undefined && path !== '/') || (page === '7' && times > 1)) response.statusCode = 404;
    const links = Array.from({ length: PAGES }, (_, i) => `<a href="/p${i}">page ${i}</a>`).join(' ');
    const text = page === '3' ? `News ${times}` : page === '5' ? `<!-- ${times} -->Steady` : 'Steady';
    response.end(`<!doctype html><title>${path}</title><p>${text}. ${WORDS}</p>${path === '/' ? links : ''}`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  site = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  archive = join(await temporaryFolder(), 'archive');
  const { code, stderr } = await daguerre([
    'archive',
    `http://${site}/`,
    ...FAST,
    '--revisit',
    'sharp',
    '--archive',
    archive,
  ]);
  if (code !== 0) throw new Error(stderr);
});
afterAll(() => {
  server.close();
});

async function certificates(folder: string): Promise<{ type: string; text: string }[]> {
  const found: { type: string; text: string }[] = [];
  await eachRecord(folder, ({ type, url, payload }) => {
    if (url.startsWith('urn:certificate:'))
      found.push({ type, text: Buffer.from(payload.bytes ?? []).toString() });
  });
  return found;
}

test('a crawl with revisits => one signed certificate, a metadata record, that verify computes again', async () => {
  const [record, ...more] = await certificates(archive);
  expect(more).toEqual([]);
  expect(record?.type).toBe('metadata');
  const { statement } = JSON.parse(record?.text ?? '') as SignedCertificate;
  expect(statement.sharp).toEqual({ pages: 13, revisited: 13, strict: 10, visible: 11, visibleUnknown: 0 });
  expect(statement.date.strict?.proven).toBeGreaterThan(0);
  const { code, json } = await daguerre(['verify', '--archive', archive, '--json']);
  expect(code).toBe(0);
  expect(json()).toMatchObject({
    errors: [],
    certificates: [{ pages: 13, strict: 10, visible: 11, signer: 'own' }],
  });
});

test('verify => each certificate with the time its crawl began; captures that none covers, in one note', async () => {
  const copy = join(await temporaryFolder(), 'copy');
  await cp(archive, copy, { recursive: true });
  const { stdout } = await daguerre(['verify', '--archive', copy]);
  expect(stdout).toMatch(/certificate of crawl [0-9a-f]+, begun 20\d\d-\S+Z: 13 pages/);
  const forged = [
    'WARC/1.1',
    'WARC-Type: response',
    'WARC-Record-ID: <urn:uuid:11111111-2222-4333-8444-555555555555>',
    'WARC-Date: 2020-01-02T03:04:05Z',
    `WARC-Target-URI: http://${site}/forged`,
    'Content-Type: application/http; msgtype=response',
  ];
  const block = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>forged';
  const record = `${forged.join('\r\n')}\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`;
  await writeFile(join(copy, 'warc', 'forged.warc'), record);
  await daguerre(['reindex', '--archive', copy]);
  const { notes } = (await daguerre(['verify', '--archive', copy, '--json'])).json<{
    notes: { reason: string }[];
  }>();
  const told = notes.filter(({ reason }) => reason.includes('no certificate'));
  expect(told.map(({ reason }) => reason)).toEqual([expect.stringContaining('1 in forged.warc')]);
});

test('reindex => the catalog knows the certificate again, and the report is the same', async () => {
  const report = async () => (await daguerre(['report', site, '--archive', archive, '--json'])).json();
  const before = await report();
  expect(before).toMatchObject({
    coverage: { captured: 13 },
    certificate: { statement: { sharp: { strict: 10 } } },
  });
  expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
  expect((await report()).certificate).toEqual(before.certificate);
  expect(await complaints(archive)).toEqual([]);
});

describe('handed to a third party', () => {
  test('export, import, verify with the public key => all well; with another => named, exit 6', async () => {
    const folder = await temporaryFolder();
    const path = (name: string): string => join(folder, name);
    const run = (...args: string[]) => daguerre(args);
    expect((await run('export', '--archive', archive, '--out', path('a.wacz'))).code).toBe(0);
    expect(
      (await run('key', 'export', '--public', '--archive', archive, '--out', path('key.pem'))).code,
    ).toBe(0);
    expect(await readFile(path('key.pem'), 'utf8')).toContain('BEGIN PUBLIC KEY');
    const wacz = await readFile(path('a.wacz'), 'latin1');
    expect(wacz).toMatch(/certificates\/\w+-\d{14}\.json/);
    expect(wacz).not.toMatch(/private\.pem|PRIVATE KEY/);

    const other = path('other');
    expect((await run('import', path('a.wacz'), '--archive', other)).code).toBe(0);
    expect((await run('verify', '--archive', other, '--public-key', path('key.pem'))).code).toBe(0);
    const unasked = await run('verify', '--archive', other);
    expect(unasked.code).toBe(0);
    expect(unasked.stdout).toContain('nobody has confirmed whose it is');
    await run('key', 'import', path('key.pem'), '--archive', other);
    expect((await run('verify', '--archive', other)).stdout).toContain('imported as trusted');

    await run('key', 'rotate', '--archive', path('third'));
    await run('key', 'export', '--public', '--archive', path('third'), '--out', path('third.pem'));
    const wrong = await run('verify', '--archive', other, '--public-key', path('third.pem'));
    expect(wrong.code).toBe(6);
    expect(wrong.stdout).toContain('not by the one given');
  });

  test('openssl accepts the signature over the bytes in the record, where it is installed', async ({
    skip,
  }) => {
    try {
      execFileSync('openssl', ['version']);
    } catch {
      skip('openssl is not installed');
    }
    const folder = await temporaryFolder();
    const path = (name: string): string => join(folder, name);
    await daguerre(['key', 'export', '--public', '--archive', archive, '--out', path('key.pem')]);
    const [{ text } = { text: '' }] = await certificates(archive);
    await writeFile(path('statement.json'), text.slice(text.indexOf('"statement":') + 12, -1));
    await writeFile(
      path('signature'),
      Buffer.from((JSON.parse(text) as SignedCertificate).signature, 'base64'),
    );
    const files = ['-in', path('statement.json'), '-sigfile', path('signature')];
    const said = execFileSync('openssl', [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      path('key.pem'),
      '-rawin',
      ...files,
    ]);
    expect(said.toString()).toContain('Signature Verified Successfully');
  });
});

test('the private key is for its owner alone; rotation keeps old certificates valid', async () => {
  expect((await stat(join(archive, 'keys', 'private.pem'))).mode & 0o777).toBe(0o600);
  const shown = (await daguerre(['key', '--archive', archive, '--json'])).json<{
    current: string;
    keys: unknown[];
  }>();
  expect((await daguerre(['key', 'rotate', '--archive', archive])).code).toBe(0);
  const after = (await daguerre(['key', '--archive', archive, '--json'])).json<{
    current: string;
    keys: unknown[];
  }>();
  expect(after.keys).toHaveLength(shown.keys.length + 1);
  expect(after.current).not.toBe(shown.current);
  expect(await complaints(archive)).toEqual([]);
});

test('report --format html => a page; an unknown site => exit 2 and what there is', async () => {
  const out = join(await temporaryFolder(), 'report.html');
  expect(
    (await daguerre(['report', site, '--archive', archive, '--format', 'html', '--out', out])).code,
  ).toBe(0);
  expect(await readFile(out, 'utf8')).toContain('pages</b> of this capture were as they are archived');
  const unknown = await daguerre(['report', 'nowhere.example', '--archive', archive]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain(site);
});

test('one byte of an archived page changed on disk => verify names the record', async () => {
  const [fact] = await withCatalog(archive, (catalog) =>
    collect(catalog.captures({ url: `http://${site}/` })),
  );
  if (!fact) throw new Error('no capture');
  const path = join(archive, 'warc', fact.file);
  const bytes = await readFile(path);
  const changed = Buffer.from(bytes);
  // Inside the packed record: a bit of a gzip header may say nothing.
  const middle = fact.offset + Math.floor(fact.length / 2);
  changed[middle] = (changed[middle] as number) ^ 1;
  await writeFile(path, changed);
  expect(await complaints(archive)).not.toEqual([]);
  await writeFile(path, bytes);
  expect(await complaints(archive)).toEqual([]);
});

test('only the file with the certificate is imported elsewhere => a warning there, no error', async () => {
  const whole = join(await temporaryFolder(), 'whole');
  await daguerre(['archive', `http://${site}/`, ...FAST, '--rotate-size', '5KB', '--archive', whole]);
  const files = (await readdir(join(whole, 'warc'))).sort();
  expect(files.length).toBeGreaterThan(2);
  const part = join(await temporaryFolder(), 'part');
  const last = join(whole, 'warc', files.at(-1) ?? '');
  expect((await daguerre(['import', last, '--archive', part])).code).toBe(0);
  const { code, json } = await daguerre(['verify', '--archive', part, '--json']);
  const { errors, warnings } = json<{ errors: unknown[]; warnings: { reason: string }[] }>();
  expect(errors).toEqual([]);
  expect(warnings.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/only a part of its crawl was imported, \d+ of the records it names are not here/),
  );
  expect(code).toBe(0);
});
