import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { ALL } from '../src/archive/merge/choose-files.ts';
import { type MergeOptions, mergeArchive } from '../src/archive/merge/merge-archive.ts';
import {
  type ArchiveLocation,
  type OpenArchive,
  openForReading,
  openForWriting,
} from '../src/archive/open/open-archive.ts';
import { LOOPBACK_BUCKET, type LoopbackS3, loopbackS3 } from './loopback-s3.ts';
import { shownCaptures } from './shown-captures.ts';
import { HOUR, START } from './visited-archive.ts';

export const storage = `s3://${LOOPBACK_BUCKET}/p`;
const page = (title: string, text: string): string =>
  `<!doctype html><title>${title}</title><a href="/a">a</a><p>${text}</p>`;
const edition = (hour: number) => ({
  '/': page('Home', `hour ${hour}`),
  '/a': page('A', `part ${Math.floor(hour / 2)}`),
});
/** Of a small site, one each hour. */
export const editions = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => edition(from + i));

export let server: LoopbackS3;
export let archive: string;
export let location: ArchiveLocation;

/** Each test has an archive of its own, in a bucket of its own. */
export function inBucket(): void {
  beforeEach(async () => {
    server = await loopbackS3();
    for (const [name, value] of Object.entries(server.env)) vi.stubEnv(name, value);
    archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
    location = { archive, storage };
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.close();
    await rm(archive, { recursive: true, force: true });
  });
}

export const NOW = START + 100 * HOUR;
export const options: MergeOptions = { now: () => NOW, sizes: ALL, grace: HOUR };

export const writing = async <T>(work: (open: OpenArchive) => Promise<T>): Promise<T> => {
  const open = await openForWriting(location, 'test');
  try {
    return await work(open);
  } finally {
    await open.close();
  }
};
export const merge = (some: Partial<MergeOptions> = {}) =>
  writing((open) => mergeArchive(open, { ...options, ...some }));

export const files = (): readonly string[] =>
  [...server.objects.keys()].filter((key) => key.includes('.warc')).map((key) => key.replace(/^.*\//, ''));
export const merged = () => files().filter((file) => file.includes('-merged'));

export const reading = async <T>(work: (open: OpenArchive) => Promise<T>): Promise<T> => {
  const open = await openForReading(location);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
};

/** Everything the catalog tells, wherever the records lie. */
export const told = () =>
  reading(async (open) => {
    const { catalog } = open;
    const ids: string[] = [];
    // A page info that says nothing new is listed or not, depending on what was indexed with it.
    for await (const { url, at, recordId, type } of catalog.captures({}))
      if (!/^urn:(?:merged|pageinfo):/.test(url)) ids.push(`${url} ${at} ${recordId} ${type}`);
    return {
      ids: ids.sort(),
      shown: await shownCaptures(open),
      versions: await catalog.versions({}),
      pages: await catalog.pages({}),
      changes: await catalog.changes({}),
    };
  });
