import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Interference,
  LOOPBACK_BUCKET,
  type LoopbackS3,
  loopbackS3,
} from '../../../test/loopback-s3.ts';
import { StorageFull } from '../../ports/record-store.ts';
import { s3Access } from './s3-client.ts';
import { s3Place } from './s3-place.ts';
import { openS3Records, type S3Options } from './s3-records.ts';

let server: LoopbackS3;
let folder: string;
let file: string;
const told: string[] = [];
beforeEach(async () => {
  server = await loopbackS3();
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  file = join(folder, 'a.warc.gz');
  await writeFile(file, 'records');
  told.length = 0;
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (options: Partial<S3Options> = {}, wait = 0) =>
  openS3Records({
    place: { bucket: LOOPBACK_BUCKET, prefix: 'p' },
    env: server.env,
    cacheSize: 1e9,
    patience: { wait, tell: (sentence) => told.push(sentence) },
    ...options,
  });

/** Gives these answers to the first requests that begin with the text. */
const interfere = (begin: string, ...answers: Interference[]): void => {
  server.interfere = (asked) => (asked.startsWith(begin) ? answers.shift() : undefined);
};

describe('s3Place', () => {
  test.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '' }],
    ['s3://my.bucket-1/a//b/', { bucket: 'my.bucket-1', prefix: 'a/b' }],
    ['s3://bucket/../x', undefined],
    ['s3://B/x', undefined],
    ['s3:///x', undefined],
    ['https://bucket/x', undefined],
    ['s3://bucket/x?y', undefined],
  ])('%s => %j', (text, place) => {
    expect(s3Place(text)).toEqual(place);
  });
});

describe('s3Access', () => {
  test('nothing in the environment, no profile => refused at once, nobody is asked', async () => {
    const env = { AWS_CONFIG_FILE: join(folder, 'none'), AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none') };
    await expect(s3Access(env)).rejects.toThrow('no credentials for --storage: set AWS_ACCESS_KEY_ID');
  });

  test('a profile => its keys, region and endpoint', async () => {
    const [config, credentials] = [join(folder, 'config'), join(folder, 'credentials')];
    await writeFile(
      config,
      '[profile lab]\nregion = eu-west-3\nendpoint_url=http://127.0.0.1:9\n[default]\nregion=x\n',
    );
    await writeFile(
      credentials,
      '[default]\naws_access_key_id=no\n[lab]\naws_access_key_id = a\naws_secret_access_key = b=c\n',
    );
    const env = { AWS_PROFILE: 'lab', AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: credentials };
    expect(await s3Access(env)).toEqual({
      region: 'eu-west-3',
      endpoint: 'http://127.0.0.1:9',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b=c' },
    });
  });

  test('an endpoint that is no URL => said', async () => {
    await expect(s3Access({ ...server.env, AWS_ENDPOINT_URL_S3: 'localhost:9' })).rejects.toThrow(
      'no http(s) URL',
    );
  });
});

describe('answers of the store', () => {
  test('wrong credentials => denied, with what to check, and without waiting', async () => {
    interfere('GET', { status: 403, code: 'SignatureDoesNotMatch' });
    const records = await open({}, 60_000);
    await expect(records.list()).rejects.toMatchObject({ kind: 'denied' });
    interfere('GET', { status: 403, code: 'SignatureDoesNotMatch' });
    await expect(records.list()).rejects.toThrow('check AWS_ACCESS_KEY_ID');
  });

  test('no such bucket => absent, by name', async () => {
    const records = await open({ place: { bucket: 'elsewhere', prefix: '' } });
    await expect(records.readNote('archive.json')).rejects.toThrow(
      "there is no bucket 'elsewhere' at http://127",
    );
  });

  test('500, 503, a cut connection, then well => waits and goes on', async () => {
    interfere('PUT', { status: 500 }, { status: 503, code: 'SlowDown' }, { status: 'cut' });
    await (await open({}, 60_000)).put('a.warc.gz', file);
    expect(server.objects.get('p/warc/a.warc.gz')?.toString()).toBe('records');
  });

  test('the answer to a put is lost => asked again, and its own file is recognised', async () => {
    interfere('PUT', { status: 'lost' });
    await (await open({}, 60_000)).put('a.warc.gz', file);
    expect(server.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(2);
  });

  test('away for longer than patience lasts => unreachable, with what was waited for', async () => {
    server.interfere = () => ({ status: 503 });
    await expect((await open({}, 2_500)).list()).rejects.toMatchObject({ kind: 'unreachable' });
    expect(told).toEqual([expect.stringContaining('waiting up to 3 s')]);
  });

  test.each([
    [507, 'InsufficientStorage'],
    [403, 'QuotaExceeded'],
  ])('full: %d %s => StorageFull at once', async (status, code) => {
    interfere('PUT', { status, code });
    await expect((await open({}, 60_000)).put('a.warc.gz', file)).rejects.toThrow(StorageFull);
  });

  test('a store that does not know If-None-Match => written without, from then on', async () => {
    interfere('PUT', { status: 501, code: 'NotImplemented' });
    const records = await open();
    await records.put('a.warc.gz', file);
    await records.put('b.warc.gz', file);
    expect((await records.list()).map((known) => known.file)).toEqual(['a.warc.gz', 'b.warc.gz']);
    expect(server.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(3);
  });

  test('a large file => in parts, whole; the same again => nothing is sent', async () => {
    const large = randomBytes(40 << 20);
    await writeFile(file, large);
    const records = await open({ singlePut: 1 << 20 });
    await records.put('a.warc.gz', file);
    expect(server.objects.get('p/warc/a.warc.gz')?.equals(large)).toBe(true);
    const before = server.asked.filter((line) => line.startsWith('PUT')).length;
    await records.put('a.warc.gz', file);
    expect(server.asked.filter((line) => line.startsWith('PUT'))).toHaveLength(before);
  });

  test('a copy whose download is cut => asked for again, and whole', async () => {
    const records = await open({}, 60_000);
    await records.put('a.warc.gz', file);
    interfere('GET', { status: 'cut' });
    const copy = join(folder, 'copy');
    await records.copyTo('a.warc.gz', copy);
    expect((await records.range('a.warc.gz', 2, 3)).toString()).toBe('cor');
  });

  test('a note, if absent => written once', async () => {
    const records = await open();
    expect(await records.readNote('archive.json')).toBeUndefined();
    expect(await records.writeNote('archive.json', 'one', { ifAbsent: true })).toBe(true);
    expect(await records.writeNote('archive.json', 'two', { ifAbsent: true })).toBe(false);
    expect(await records.readNote('archive.json')).toBe('one');
  });
});
