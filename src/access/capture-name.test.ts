import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capture, pageOf } from '../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import type { Catalog } from '../ports/catalog.ts';
import { archivedUrl, type CaptureTime, NoSuchCapture, namedCapture } from './capture-name.ts';

const URL_ = 'http://www.example.org/a@b';
const TIMES = [Date.UTC(2026, 1, 28, 23), Date.UTC(2026, 2, 20), Date.UTC(2026, 2, 25), Date.UTC(2026, 4, 1)];

let folder: string;
let catalog: Catalog;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
  const captures = TIMES.map((at) => capture(URL_, at));
  await catalog.index({ captures, pages: [pageOf(URL_, TIMES[0] as number)], fileLengths: new Map() });
});
afterAll(async () => {
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
});

const period = (text: string, from: number, to: number): CaptureTime => ({ kind: 'period', from, to, text });
const march = period('2026-03', Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1) - 1);
const april = period('2026-04', Date.UTC(2026, 3, 1), Date.UTC(2026, 4, 1) - 1);
const named = (time: CaptureTime, url = URL_) => namedCapture({ url, time }, catalog);

describe('a capture by its name', () => {
  it('first, last, a month, a moment => the capture that is meant', async () => {
    expect(await named({ kind: 'first' })).toEqual({ url: URL_, at: TIMES[0] });
    expect(await named({ kind: 'last' })).toEqual({ url: URL_, at: TIMES[3] });
    // One hour away from its start lies a capture of February.
    expect(await named(march)).toEqual({ url: URL_, at: TIMES[1] });
    expect(await named({ kind: 'moment', at: Date.UTC(2026, 2, 24) })).toEqual({ url: URL_, at: TIMES[2] });
  });

  it('https, without www => as it is archived', async () => {
    expect(await named({ kind: 'first' }, 'https://example.org/a@b')).toEqual({ url: URL_, at: TIMES[0] });
    expect(await archivedUrl('https://example.org/elsewhere', catalog)).toBeUndefined();
  });

  it('nothing in that month => an error that names the nearest captures, ready to be given', async () => {
    await expect(named(april)).rejects.toThrow(NoSuchCapture);
    await expect(named(april)).rejects.toThrow(
      `there is no capture of ${URL_} at 2026-04; the nearest:\n  ${URL_}@20260228230000\n  ${URL_}@20260320000000`,
    );
  });

  it('a page that was never captured => an error with what there is of its site', async () => {
    await expect(named({ kind: 'last' }, 'https://example.org/x')).rejects.toThrow(
      /https:\/\/example\.org\/x is not in the archive: 'daguerre archive .*example\.org there are, among others:\n {2}http:\/\/www\.example\.org\/a@b/,
    );
  });
});
