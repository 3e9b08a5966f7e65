import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { certifiedArchive, START, urlOf } from '../../../test/certified-archive.ts';
import {
  check,
  fieldOf,
  isVisit,
  PAGES,
  type PlainRecord,
  rewrite,
  rewriteCertificate,
  rewriteStatement,
  withField,
} from '../../../test/tampered-archive.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { newPrivateKey, signerOf } from '../../storage/ed25519.ts';
import { digestBytes } from '../../warc/digest.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
});
afterEach(() => remove());

describe('tampering is found and named', () => {
  test('any byte of the statement => the signature, or no certificate at all', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 90 }), async (place, shift) => {
        await writeFile(join(archive, 'warc', name), before);
        await rewriteCertificate(archive, (text) => {
          const start = text.indexOf('"statement":');
          const at = start + (place % (text.length - start));
          const code = 33 + ((text.charCodeAt(at) - 33 + shift) % 94);
          return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        });
        expect((await check(archive)).errors).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('one more sharp page stated => signature and number', async () => {
    await rewriteStatement(archive, (statement) => ({
      ...statement,
      sharp: { ...statement.sharp, strict: 3 },
    }));
    expect((await check(archive)).errors).toEqual([
      'certificate: the signature does not fit the statement and the public key beside it',
      'certificate: sharp.strict is stated as 3; the records say 2',
    ]);
  });

  test('the same, signed again by a stranger => number and key', async () => {
    const stranger = newPrivateKey();
    await rewriteStatement(
      archive,
      (statement) => ({ ...statement, sharp: { ...statement.sharp, strict: 3 } }),
      stranger,
    );
    expect((await check(archive)).errors).toEqual([
      expect.stringContaining('which this archive does not know'),
      'certificate: sharp.strict is stated as 3; the records say 2',
    ]);
  });

  test('nothing but the key and signature of a stranger => the key', async () => {
    await rewriteStatement(archive, (statement) => statement, newPrivateKey());
    expect((await check(archive)).errors).toEqual([
      expect.stringContaining('which this archive does not know'),
    ]);
  });

  test('another public key beside the old signature => the signature and the key', async () => {
    const { publicKey } = signerOf(newPrivateKey());
    await rewriteCertificate(archive, (text) =>
      canonicalJson({ ...(JSON.parse(text) as object), publicKey }),
    );
    expect((await check(archive)).errors).toEqual([
      expect.stringContaining('the signature does not fit'),
      expect.stringContaining('which this archive does not know'),
    ]);
  });

  test('a changed signature => the signature', async () => {
    await rewriteCertificate(archive, (text) =>
      text.replace(/"signature":"(.)/, (_, first: string) => `"signature":"${first === 'A' ? 'B' : 'A'}`),
    );
    expect((await check(archive)).errors).toEqual([expect.stringContaining('the signature does not fit')]);
  });

  test('the date of a record => its time and what follows', async () => {
    const date = new Date(START + 9000).toISOString();
    await rewrite(archive, (records) =>
      records.map((record) => (isVisit(record, 'about') ? withField(record, 'WARC-Date', date) : record)),
    );
    const { errors } = await check(archive);
    expect(errors).toContain(
      `certificate: pages[1].visit.time is stated as "${new Date(START + 10_000).toISOString()}"; the records say "${date}"`,
    );
    expect(errors.join()).toContain('blur.expected');
  });

  test('another payload under the same id, with digests that fit => the digest, and a page no longer sharp', async () => {
    await rewrite(archive, (records) =>
      records.map((record) => {
        if (!isVisit(record, '')) return record;
        const block = Buffer.from(record.block.toString().replace('Version 1', 'Version 7'));
        const body = block.subarray(block.indexOf('\r\n\r\n') + 4);
        const { sha256, sha1 } = digestBytes(body);
        const told = withField({ ...record, block }, 'WARC-Payload-Digest', `sha256:${sha256}`);
        return withField(told, 'WARC-Payload-Digest-SHA1', `sha1:${sha1}`);
      }),
    );
    const { errors } = await check(archive);
    expect(errors.join('\n')).toContain('pages[0].visit.sha256 is stated as');
    expect(errors).toContain('certificate: sharp.strict is stated as 2; the records say 1');
  });

  test('a record moved to another target, taken away, or doubled => named', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    await rewrite(archive, (records) =>
      records.map((record) =>
        isVisit(record, 'once') ? withField(record, 'WARC-Target-URI', urlOf('x')) : record,
      ),
    );
    expect((await check(archive)).errors).toEqual([
      expect.stringMatching(/once: the record .* is of https:\/\/example.org\/x$/),
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite(archive, (records) => records.filter((record) => !isVisit(record, 'once')));
    expect((await check(archive)).errors).toEqual([
      expect.stringMatching(/once: the record .* is not in the archive$/),
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite(archive, (records) => {
      const visit = records.find((record) => isVisit(record, 'once'));
      return visit ? [...records, withField(visit, 'WARC-Date', new Date(START).toISOString())] : records;
    });
    expect((await check(archive)).errors).toEqual([expect.stringContaining('stands twice, and differs')]);
  });

  test('the revisit put before the visit, or a record after the certificate => the order', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    await rewrite(archive, (records) => {
      const again = records.filter((record) => isVisit(record, 'about', 'revisit'));
      const [info, ...rest] = records.filter((record) => !again.includes(record));
      return info ? [info, ...again, ...rest] : records;
    });
    expect((await check(archive)).errors).toEqual([
      `certificate: ${urlOf('about')}: the record of the revisit stands before that of the visit`,
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite(archive, (records) => {
      const moved = records.filter((record) => isVisit(record, 'once'));
      return [...records.filter((record) => !moved.includes(record)), ...moved];
    });
    expect((await check(archive)).errors).toEqual([
      expect.stringMatching(/once: the record .* stands after the certificate$/),
    ]);
  });

  test('pages stated in another order, by a key that is known => the order', async () => {
    const pem = await readFile(join(archive, 'keys', 'private.pem'), 'utf8');
    await rewriteStatement(archive, ({ pages, ...rest }) => ({ ...rest, pages: pages.toReversed() }), pem);
    const { errors } = await check(archive);
    expect(errors[0]).toBe('certificate: its pages are not in the order of their visits');
  });

  test('a change that a reader sees stated as invisible, by a key that is known => named', async () => {
    const pem = await readFile(join(archive, 'keys', 'private.pem'), 'utf8');
    await rewriteStatement(
      archive,
      ({ pages, ...rest }) => ({
        ...rest,
        pages: pages.map((page) => (page.url === urlOf('news') ? { ...page, visiblyUnchanged: true } : page)),
      }),
      pem,
    );
    expect((await check(archive)).errors).toContain(
      'certificate: pages[2].visiblyUnchanged is stated as true; the records say false',
    );
  });

  test('the log of the crawl taken away, or another order of discovery in it => named', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    const isLog = (record: PlainRecord): boolean =>
      fieldOf(record, 'WARC-Target-URI').startsWith('urn:crawl:');
    await rewrite(archive, (records) => records.filter((record) => !isLog(record)));
    expect((await check(archive)).errors).toEqual([
      expect.stringContaining('the log of its crawl is not among the records'),
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite(archive, (records) =>
      records.map((record) => {
        if (!isLog(record)) return record;
        const [head = '', ...lines] = record.block.toString().trimEnd().split('\n');
        return { ...record, block: Buffer.from(`${[head, ...lines.reverse()].join('\n')}\n`) };
      }),
    );
    expect((await check(archive)).errors.join('\n')).toContain('breadthFirst is stated as');
  });

  test('lines of the log that no crawl writes => left out, counted, and no error but what they told', async () => {
    await rewrite(archive, (records) =>
      records.map((record) => {
        if (!fieldOf(record, 'WARC-Target-URI').startsWith('urn:crawl:')) return record;
        const lines = record.block.toString().trimEnd().split('\n');
        const made = ['{"skipped":{}}', '{"url":"https://example.org/x"}', '{"skipped":{"sample":"x"}}'];
        return { ...record, block: Buffer.from(`${[...lines, ...made].join('\n')}\n`) };
      }),
    );
    const { errors, warnings } = await check(archive);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      'certificate: 3 lines of the log of its crawl are damaged, and were left out of the check',
    ]);
  });
});
