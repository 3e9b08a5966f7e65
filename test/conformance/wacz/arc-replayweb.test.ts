import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daguerre, killAllDaguerres } from '../../daguerre-process.ts';
import { validateWacz } from './validate-wacz.ts';
import { openViewer, shown, type Viewer, viewerBrowser } from './viewer.ts';

/* ARC files, imported and exported by the command, as their readers see them: in ReplayWeb.page. */

const arcRecord = (line: string, block: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`${line} ${Buffer.byteLength(block)}\n`),
    Buffer.from(block),
    Buffer.from('\n'),
  ]);

/** As crawlers of 2004 wrote it: a description first, names looked up among the pages, heads with and without CR. */
function recordsOf(host: string, text: string): Buffer[] {
  const at = (path: string, second: string, mime: string, answer: string | Buffer): Buffer =>
    arcRecord(`http://${host}${path} 192.0.2.1 200401020304${second} ${mime}`, answer);
  const page = `<html><head><title>Old</title><link rel=stylesheet href="/style.css"></head><body><p>${text}</p></body></html>`;
  const chunks = [page.slice(0, 50), page.slice(50), ''];
  const chunked = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return [
    arcRecord(
      `filedesc://${host}.arc 0.0.0.0 20040102030405 text/plain`,
      '1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n',
    ),
    arcRecord(
      `dns:${host} 192.0.2.53 20040102030405 text/dns`,
      `20040102030405\n${host}. 60 IN A 192.0.2.1\n`,
    ),
    at('/', '06', 'text/html', `HTTP/1.0 200 OK\nContent-Type: text/html\n\n${page}`),
    at('/style.css', '07', 'text/css', 'HTTP/1.0 200 OK\r\nContent-Type: text/css\r\n\r\np{color:#135}'),
    at(
      '/chunked',
      '08',
      'text/html',
      `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    ),
    at('/two words/é', '09', 'text/html', `HTTP/1.0 200 OK\nContent-Type: text/html\n\n${page}`),
  ];
}

const executablePath = await viewerBrowser();

describe.skipIf(!executablePath)('a WACZ of ARC files, in ReplayWeb.page', () => {
  let dir: string;
  let viewer: Viewer;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
    await writeFile(join(dir, 'plain.arc'), Buffer.concat(recordsOf('plain.example', 'Kept without gzip.')));
    const packed = recordsOf('packed.example', 'Kept record by record.').map((record) => gzipSync(record));
    await writeFile(join(dir, 'packed.arc.gz'), Buffer.concat(packed));
    const archive = join(dir, 'archive');
    const brought = ['plain.arc', 'packed.arc.gz'].map((name) => join(dir, name));
    const imported = await daguerre(['import', ...brought, '--archive', archive, '--json']);
    expect(imported.json()).toMatchObject({ files: 2, captures: 8, errors: [] });
    const out = join(dir, 'arc.wacz');
    const exported = await daguerre(['export', '--archive', archive, '--out', out, '--json']);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    expect(exported.json()).toMatchObject({ converted: [{ mendedHeads: 2 }, { mendedHeads: 2 }] });
    viewer = await openViewer(dir, executablePath);
  });
  afterAll(async () => {
    killAllDaguerres();
    await viewer?.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('converted => valid', async () => {
    expect((await validateWacz(join(dir, 'arc.wacz'))).errors).toEqual([]);
  });

  it.each([
    ['plain.example', 'Kept without gzip.'],
    ['packed.example', 'Kept record by record.'],
  ])('a page of %s => its text, styled by the archived style sheet', async (host, text) => {
    const at = Date.UTC(2004, 0, 2, 3, 4, 6);
    const seen = await viewer.replayed('arc.wacz', `http://${host}/`, at, async (frame) => ({
      text: await shown(frame),
      title: await frame.title(),
      color: await frame.evaluate<string>('getComputedStyle(document.querySelector("p")).color'),
    }));
    expect(seen).toEqual({ text: `20040102030406 ${text}`, title: 'Old', color: 'rgb(17, 51, 85)' });
  });

  it('a chunked answer => the page without its chunk lines', async () => {
    const at = Date.UTC(2004, 0, 2, 3, 4, 8);
    const seen = await viewer.replayed('arc.wacz', 'http://plain.example/chunked', at, (frame) =>
      frame.locator('body').textContent(),
    );
    expect(seen?.trim()).toBe('Kept without gzip.');
  });

  it('an address with a space and an accent => the page, by the address a browser asks for', async () => {
    const at = Date.UTC(2004, 0, 2, 3, 4, 9);
    const { href } = new URL('http://packed.example/two words/é');
    expect(await viewer.replayed('arc.wacz', href, at, shown)).toBe('20040102030409 Kept record by record.');
  });
});
