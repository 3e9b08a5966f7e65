import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseArcHead } from '../../../src/warc/arc.ts';
import { cdxjLine } from '../../../src/warc/cdxj.ts';
import { factsFromWarc } from '../../../src/warc/facts.ts';
import { type ReadProblem, readRecords } from '../../../src/warc/read-records.ts';
import { openRecordReader } from '../../../src/warc/record-reader.ts';
import { verifyWarcs } from '../../../src/warc/verify/verify-archive.ts';
import type { WarcRecord } from '../../../src/warc/warc-record.ts';
import { sharedData } from '../../shared-data.ts';
import { indexWarc } from '../../warc-events.ts';

/* Files of other tools: warcio's test data, and the samples of the IIPC's deduplication guideline. */

const warcio = sharedData('fixtures/warcio/test/data');
const samples = sharedData('fixtures/warc-specifications/specifications/warc-deduplication/samples');

async function readAll(path: string): Promise<{ records: WarcRecord[]; problems: ReadProblem[] }> {
  const problems: ReadProblem[] = [];
  const records: WarcRecord[] = [];
  const onProblem = (problem: ReadProblem): void => void problems.push(problem);
  for await (const record of readRecords(path, { onProblem })) records.push(record);
  return { records, problems };
}

describe.skipIf(!warcio)('warcio fixtures (skipped where shared/data is absent)', () => {
  const at = (name: string): string => join(warcio ?? '', name);

  test.each([
    ['example.warc', 'warcinfo warcinfo response request revisit request', 5120],
    ['example.warc.gz', 'warcinfo warcinfo response request revisit request', 3816],
    ['example-iana.org-chunked.warc', 'warcinfo response request', 8831],
    ['example-resource.warc.gz', 'warcinfo warcinfo resource', 1779],
    ['example-space-in-target-uri.warc.gz', 'warcinfo resource', 583],
    ['example-wget-bad-target-uri.warc.gz', 'warcinfo request response metadata resource resource', 3267],
    ['example-digest.warc', 'request request request request', 3672],
    ['post-test.warc.gz', 'response request response request response request', 3593],
    ['example.arc', 'warcinfo response', 1808],
    ['example.arc.gz', 'warcinfo response', 1027],
  ])('%s => %s, without a gap to its end', async (name, types, size) => {
    const { records, problems } = await readAll(at(name));
    expect(problems).toEqual([]);
    expect(records.map(({ type }) => type).join(' ')).toBe(types);
    let end = 0;
    for (const record of records) {
      expect(record.offset).toBe(end);
      end += record.length;
    }
    expect(end).toBe(size);
  });

  test('each record => read by its position, the same payload', async () => {
    const reader = openRecordReader(warcio ?? '');
    for (const name of [
      'example.warc',
      'example.warc.gz',
      'example.arc',
      'example.arc.gz',
      'post-test.warc.gz',
    ]) {
      for (const { offset, length, type, payload } of (await readAll(at(name))).records) {
        const record = await reader.read({ file: name, offset, length });
        expect(record.type).toBe(type);
        expect(record.payload.bytes).toEqual(payload.bytes);
      }
    }
    await reader.close();
  });

  test('chunked response => payload without chunks, digest as the record tells', async () => {
    const { records } = await readAll(at('example-iana.org-chunked.warc'));
    expect([records[1]?.payload.size, records[1]?.wellFormed]).toEqual([7223, true]);
  });

  test.each([
    ['example-bad.warc.gz.bad', [[0, 'share one gzip member']], 6],
    ['example-bad-non-chunked.warc.gz', [[0, 'share one gzip member']], 6],
    ['example-wrong-chunks.warc.gz', [[0, 'spread over 2 gzip members']], 2],
    ['example-trunc.warc', [[1197, 'Content-Length is 973, but no record follows there']], 3],
    ['example-space-in-url.arc', [[151, 'the file ends inside this record']], 1],
    [
      'bad.arc',
      [
        [0, "'-1' as its length"],
        [134, "'-1' as its length"],
        [262, "'abc' as its length"],
      ],
      1,
    ],
  ] as [string, [number, string][], number][])('%s => told: %j; %i records', async (name, told, count) => {
    const { records, problems } = await readAll(at(name));
    expect(problems.map(({ file, offset }) => [basename(file), offset])).toEqual(
      told.map(([offset]) => [name, offset]),
    );
    problems.forEach(({ reason }, i) => {
      expect(reason).toContain(told[i]?.[1]);
    });
    expect(records).toHaveLength(count);
  });

  test('a record over several gzip members => whole payload, readable by its position', async () => {
    const { records } = await readAll(at('example-wrong-chunks.warc.gz'));
    expect(records[0]?.payload.size).toBe(1270);
    const reader = openRecordReader(warcio ?? '');
    const { offset, length } = records[0] as WarcRecord;
    const read = await reader.read({ file: 'example-wrong-chunks.warc.gz', offset, length });
    expect(read.payload.bytes).toEqual(records[0]?.payload.bytes);
    await reader.close();
  });

  test('ARC line with spaces in its URL => the URL whole', async () => {
    const bytes = await readFile(at('example-space-in-url.arc'));
    const head = parseArcHead(bytes.subarray(151));
    expect(Object.fromEntries(head?.fields ?? [])).toMatchObject({
      'WARC-Target-URI':
        'http://example.com/index.cfm?FuseAction=Email&EmailTitle=Examples From The Live Web&IsPopUp=False',
      'WARC-Date': '2014-02-16T05:02:21.000Z',
    });
  });

  test('post-test.warc.gz (request after response) => methods and bodies in the index', async () => {
    const lines: string[] = [];
    for await (const { fact } of factsFromWarc(at('post-test.warc.gz'))) lines.push(cdxjLine(fact));
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'org,httpbin)/post?__wb_method=post&foo=bar&test=abc',
      'org,httpbin)/post?__wb_method=post&a=1&b=[]&c=3',
      'org,httpbin)/post?__wb_method=post&data=^&foo=bar',
    ]);
  });
});

describe.skipIf(!samples || !warcio)('verify (skipped where shared/data is absent)', () => {
  let archive: string;
  beforeEach(async () => {
    archive = await mkdtemp(join(tmpdir(), 'daguerre-'));
    await mkdir(join(archive, 'warc'));
    await mkdir(join(archive, 'indexes'));
  });
  afterEach(() => rm(archive, { recursive: true, force: true }));

  const add = async (folder: string | undefined, name: string): Promise<void> => {
    const path = join(archive, 'warc', name);
    await copyFile(join(folder ?? '', name), path);
    await indexWarc(path, join(archive, 'indexes', `${name}.cdxj`));
  };
  const OLD = '20130729-heritrix-original.warc.gz';
  const OLD_REVISIT = '20130729-heritrix-revisit-with-http-headers.warc.gz';
  const NEW = '20141129-heritrix-original.warc.gz';
  const NEW_REVISIT = '20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz';
  const NOT_MODIFIED = '20141124-heritrix-server-not-modified.warc.gz';

  test('the samples together => clean: every revisit finds its original', async () => {
    for (const name of [OLD, OLD_REVISIT, NEW, NEW_REVISIT, NOT_MODIFIED]) await add(samples, name);
    expect(await verifyWarcs(archive)).toMatchObject({ records: 5, errors: [], warnings: [] });
  });

  test('revisits without the originals => each an error', async () => {
    for (const name of [OLD_REVISIT, NEW_REVISIT, NOT_MODIFIED]) await add(samples, name);
    const { errors } = await verifyWarcs(archive);
    expect(errors.map(({ file, offset }) => [file, offset])).toEqual(
      [OLD_REVISIT, NOT_MODIFIED, NEW_REVISIT].map((file) => [file, 0]),
    );
  });

  test('revisit facts => sha1 of the original, sha256 unknown; a 304 tells no digest', async () => {
    const facts = [];
    for (const name of [NEW, NEW_REVISIT, NOT_MODIFIED]) {
      for await (const { fact } of factsFromWarc(join(samples ?? '', name))) facts.push(fact);
    }
    const [original, revisit, notModified] = facts;
    expect(revisit?.digest).toEqual({ sha256: '', sha1: original?.digest.sha1, size: 0 });
    expect(revisit?.refersTo).toEqual({
      url: original?.url,
      at: original?.at,
      profile: 'identical-payload-digest',
    });
    expect(notModified?.digest.sha1).toBe('');
    expect(notModified?.refersTo?.profile).toBe('server-not-modified');
  });

  test('good files of warcio => clean; digests in base32, base64 and hex', async () => {
    for (const name of [
      'example.warc.gz',
      'example-iana.org-chunked.warc',
      'example-space-in-target-uri.warc.gz',
      'example.arc.gz',
      'post-test.warc.gz',
    ]) {
      await add(warcio, name);
    }
    expect((await verifyWarcs(archive)).errors).toEqual([]);
  });

  test('example-digest.warc => the one digest that is none', async () => {
    await add(warcio, 'example-digest.warc');
    const { errors, warnings, notes } = await verifyWarcs(archive);
    expect(errors).toEqual([]);
    // Its four requests name responses that are not in the file.
    expect(notes.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^4 records .*WARC-Concurrent-To/),
    ]);
    expect(warnings.filter(({ reason }) => reason.includes('is no digest'))).toEqual([
      {
        file: 'example-digest.warc',
        offset: 0,
        reason: "WARC-Payload-Digest is 'sha1:1112H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ', which is no digest",
      },
    ]);
  });
});
