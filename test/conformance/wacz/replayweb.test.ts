import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaptureFact } from '../../../src/model/capture.ts';
import { exportWacz } from '../../../src/warc/wacz/export.ts';
import { event, exchange, pageinfo, testStore } from '../../warc-events.ts';
import { each, FIRST, SAMPLE, SECOND, samplePages, writeSampleWarc } from './sample-archive.ts';
import { validateWacz } from './validate-wacz.ts';
import { openViewer, shown, type Viewer, viewerBrowser } from './viewer.ts';

/** A WACZ of ours, opened by the viewer that its readers use, in a real browser. */

const executablePath = await viewerBrowser();

describe.skipIf(!executablePath)('ReplayWeb.page', () => {
  let dir: string;
  let viewer: Viewer;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
    const { path, facts } = await writeSampleWarc(dir, 'news.warc.gz', SAMPLE);
    const common = { warcFiles: [path], software: 'Daguerre test', created: SECOND, title: 'News' };
    await exportWacz({
      ...common,
      out: join(dir, 'plain.wacz'),
      captures: each(facts),
      pages: each(samplePages()),
    });
    // Enough lines for a compressed index; ours stand among them.
    const filler = Array.from({ length: 11_000 }, (_, i) => ({
      ...(facts[0] as CaptureFact),
      url: `http://news.example/${i % 2 === 0 ? 'a' : 'b'}${i}`,
    }));
    await exportWacz({
      ...common,
      out: join(dir, 'zipnum.wacz'),
      captures: each([...filler, ...facts]),
      pages: each(samplePages()),
    });
    await exportOurs();
    viewer = await openViewer(dir, executablePath);
  });
  afterAll(async () => {
    await viewer?.close();
    await rm(dir, { recursive: true, force: true });
  });

  /** By our own store: chunked and compressed, a POST, derived records, and another URL with the same payload. */
  async function exportOurs(): Promise<void> {
    const store = await testStore(join(dir, 'archive'));
    const url = 'http://shop.example/';
    const html = gzipSync('<!doctype html><title>Shop</title><p>Open from nine to five.</p>');
    const main = exchange({
      url,
      at: FIRST,
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Content-Encoding', 'gzip'],
        ['Transfer-Encoding', 'chunked'],
      ],
      body: Buffer.concat([
        Buffer.from(`${html.length.toString(16)}\r\n`),
        html,
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    });
    const post = exchange({
      url: `${url}api`,
      at: FIRST,
      method: 'POST',
      requestHeaders: [['Content-Type', 'application/x-www-form-urlencoded']],
      requestBody: 'q=tea',
      body: '[]',
    });
    const after = exchange({ url: `${url}api/1`, at: FIRST, body: '{}' });
    const facts = [...(await store.append(await event(store, [main, post, after], [pageinfo(url)])))];
    const [first] = facts;
    if (!first) throw new Error('nothing stored');
    const original = { ...first, sha256: first.digest.sha256, sha1: first.digest.sha1 };
    const again = await event(store, [
      {
        exchange: { ...main, url: `${url}copy`, startedAt: SECOND },
        revisit: { profile: 'identical-payload-digest', original },
      },
    ]);
    facts.push(...(await store.append(again)));
    const warcFiles = [...store.lengths().keys()].map((name) => join(dir, 'archive', 'warc', name));
    await store.close();
    await exportWacz({
      out: join(dir, 'ours.wacz'),
      warcFiles,
      captures: each(facts),
      pages: each([{ id: first.eventId ?? '1', url, title: 'Shop', at: FIRST }]),
      software: 'Daguerre test',
      created: SECOND,
    });
  }

  it('plain index, first capture => the text of that day, styled by the archived style sheet', async () => {
    const seen = await viewer.replayed('plain.wacz', 'http://news.example/', FIRST, async (frame) => ({
      text: await shown(frame),
      title: await frame.title(),
      color: await frame.evaluate<string>('getComputedStyle(document.querySelector("p")).color'),
    }));
    expect(seen).toEqual({
      text: '20260102030405 The bridge was opened at dawn.',
      title: 'Morning edition',
      color: 'rgb(17, 51, 85)',
    });
  });

  it('second capture of the same URL => the text of the later day', async () => {
    expect(await viewer.replayed('plain.wacz', 'http://news.example/', SECOND, shown)).toBe(
      '20260109030405 The bridge was closed at dusk.',
    );
  });

  it('ZipNum index of 11,004 lines => the page is found, and the file was read in ranges', async () => {
    expect(await viewer.replayed('zipnum.wacz', 'http://news.example/about', FIRST, shown)).toBe(
      '20260102030406 Printed since 1839.',
    );
    expect(viewer.seen.some((line) => /^GET \/zipnum\.wacz bytes=/.test(line))).toBe(true);
  });

  it('records of our store => valid; the page, and a URL known only by a revisit, show the payload', async () => {
    expect((await validateWacz(join(dir, 'ours.wacz'))).errors).toEqual([]);
    const text = 'Open from nine to five.';
    expect(await viewer.replayed('ours.wacz', 'http://shop.example/', FIRST, shown)).toBe(
      `20260102030405 ${text}`,
    );
    // The viewer may tell the time of the original here, so only the text counts.
    expect(await viewer.replayed('ours.wacz', 'http://shop.example/copy', SECOND, shown)).toContain(text);
  });
});
