import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { certifiedArchive, type PlannedPage, START, urlOf } from '../../../test/certified-archive.ts';
import { collect } from '../../../test/warc-events.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { CertificateStatement, CertifiedVisit, SignedCertificate } from '../../model/certificate.ts';
import { statementOf } from '../../science/sharpness/certificate.ts';
import { knownKeys, openSigner, rotateKey } from '../../storage/archive-key.ts';
import { newPrivateKey, signerOf } from '../../storage/ed25519.ts';
import { digestBytes } from '../../warc/digest.ts';
import { readRecords } from '../../warc/read-records.ts';
import { recordHead } from '../../warc/record-head.ts';
import { verifyWarcs } from '../../warc/verify/verify-archive.ts';
import { verifyCertificates } from './verify-certificates.ts';

const PAGES: readonly PlannedPage[] = [
  { name: '', rate: 1e-4, visit: 0, revisit: 70 },
  { name: 'news', rate: 0.02, visit: 20, revisit: 50, later: 'changed' },
  { name: 'about', rate: 1e-6, visit: 10, revisit: 60, later: 'not-modified' },
  { name: 'shop', rate: 1e-3, visit: 30, revisit: 40, later: 'changed', visiblyUnchanged: true },
  { name: 'old', rate: 1e-5, visit: 31, revisit: 45, later: 'gone' },
  { name: 'once', rate: 1e-5, visit: 35 },
];

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
});
afterEach(() => remove());

async function check(given?: string) {
  const { errors: recordErrors, certificates: found } = await verifyWarcs(archive);
  const known = await knownKeys(archive);
  const { certificates, errors, warnings } = await verifyCertificates(archive, found, {
    known,
    ...(given && { given }),
  });
  const reasons = (list: typeof errors) => list.map(({ reason }) => reason);
  return { certificates, errors: reasons(errors), warnings: reasons(warnings), recordErrors };
}

interface PlainRecord {
  fields: [string, string][];
  block: Buffer;
}

/** Rewrites the only record file of the archive, with every digest as the changed block has it. */
async function rewrite(change: (records: PlainRecord[]) => PlainRecord[] | undefined): Promise<void> {
  const folder = join(archive, 'warc');
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  const records = (await collect(readRecords(path))).map(({ fields, block }) => ({
    fields: fields.map(([field, value]): [string, string] => [field, value]),
    block: Buffer.from(block.bytes ?? []),
  }));
  const changed = change(records) ?? records;
  const bytes = changed.map(({ fields, block }) => {
    const own = fields.map(([field, value]): [string, string] => {
      if (field === 'Content-Length') return [field, String(block.length)];
      return [field, field === 'WARC-Block-Digest' ? `sha256:${digestBytes(block).sha256}` : value];
    });
    return gzipSync(Buffer.concat([recordHead(own), block, Buffer.from('\r\n\r\n')]));
  });
  await writeFile(path, Buffer.concat(bytes));
  // A tamperer would not leave the index as it was; certificates must not depend on it.
  await rm(join(archive, 'indexes'), { recursive: true });
  await mkdir(join(archive, 'indexes'));
}

const fieldOf = ({ fields }: PlainRecord, name: string): string =>
  fields.find(([field]) => field === name)?.[1] ?? '';

const withField = (record: PlainRecord, name: string, value: string): PlainRecord => ({
  ...record,
  fields: record.fields.map(([field, old]) => [field, field === name ? value : old]),
});

test('the log of an earlier stop stands in a later file => the last log counts', async () => {
  await rewrite((records) => {
    const log = records.find((record) => fieldOf(record, 'WARC-Target-URI').startsWith('urn:crawl:'));
    if (!log) throw new Error('the archive has no log');
    const [head = '', first = ''] = log.block.toString().split('\n');
    const stopped = { ...JSON.parse(head), state: 'stopped', finishedAt: START };
    const earlier = withField(log, 'WARC-Record-ID', '<urn:uuid:5f0d2a3c-9a4b-4f6e-8a53-0e1c54c1d7aa>');
    return [...records, { ...earlier, block: Buffer.from(`${JSON.stringify(stopped)}\n${first}\n`) }];
  });
  expect((await check()).errors).toEqual([]);
});

/** Changes the certificate's record as text. */
const rewriteCertificate = (change: (text: string) => string) =>
  rewrite((records) =>
    records.map((record) => {
      if (!fieldOf(record, 'WARC-Target-URI').startsWith('urn:certificate:')) return record;
      const block = Buffer.from(change(record.block.toString()));
      const { sha256, sha1 } = digestBytes(block);
      const told = withField({ ...record, block }, 'WARC-Payload-Digest', `sha256:${sha256}`);
      return withField(told, 'WARC-Payload-Digest-SHA1', `sha1:${sha1}`);
    }),
  );

const rewriteStatement = (change: (statement: CertificateStatement) => unknown, key?: string) =>
  rewriteCertificate((text) => {
    const signed = JSON.parse(text) as SignedCertificate;
    const statement = change(signed.statement);
    if (key === undefined) return canonicalJson({ ...signed, statement });
    const signer = signerOf(key);
    const signature = signer.sign(Buffer.from(canonicalJson(statement)));
    return canonicalJson({ ...signed, statement, signature, publicKey: signer.publicKey });
  });

const isVisit = (record: PlainRecord, name: string, type = 'response'): boolean =>
  fieldOf(record, 'WARC-Type') === type && fieldOf(record, 'WARC-Target-URI') === urlOf(name);

describe('an archive as it was written', () => {
  test('=> no error; the certificate is in a metadata record; its numbers', async () => {
    const { certificates, errors, recordErrors } = await check();
    expect({ errors, recordErrors }).toEqual({ errors: [], recordErrors: [] });
    expect(certificates).toEqual([
      expect.objectContaining({
        crawl: 'example',
        pages: 6,
        strict: 2,
        visible: 3,
        date: new Date(START + 35_000).toISOString(),
        signer: 'own',
      }),
    ]);
  });

  test('the record => canonical JSON as a whole, so that the signed bytes stand in it as they are', async () => {
    await rewriteCertificate((text) => {
      expect(text).toBe(canonicalJson(JSON.parse(text)));
      return text;
    });
  });

  test('the same after every record was packed anew, without indexes => no error but the missing index', async () => {
    await rewrite(() => undefined);
    expect(await check()).toMatchObject({
      errors: [],
      recordErrors: [{ reason: expect.stringMatching(/^the index of .* is missing/) }],
    });
  });

  test('with the right public key => given; with another => named', async () => {
    const { publicKey } = await openSigner(archive, START);
    expect((await check(publicKey)).certificates[0]?.signer).toBe('given');
    expect((await check(publicKey)).errors).toEqual([]);
    const other = signerOf(newPrivateKey()).publicKey;
    expect((await check(other)).errors).toEqual([expect.stringContaining('not by the one given')]);
  });

  test('after rotation => what the old key signed before is valid; what it signs after is not', async () => {
    await rotateKey(archive, START + 1e9);
    expect((await check()).errors).toEqual([]);
    const later = await certifiedArchive(PAGES);
    try {
      await rotateKey(later.archive, START + 1000);
      archive = later.archive;
      expect((await check()).errors).toEqual([expect.stringContaining('was retired at')]);
    } finally {
      await later.remove();
    }
  });
});

describe('pages that were cut short', () => {
  beforeEach(async () => {
    await remove();
    ({ archive, remove } = await certifiedArchive([
      ...PAGES,
      { name: 'long', rate: 1e-5, visit: 36, revisit: 44, cut: true },
    ]));
  });

  test('the same bytes at both visits => not sharp; the certificate says so, and is computed again', async () => {
    const { certificates, errors, warnings } = await check();
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(certificates).toMatchObject([{ pages: 7, strict: 2, visible: 3 }]);
    await rewriteStatement((statement) => {
      expect(statement.pages.at(-1)).toMatchObject({
        visit: { truncated: 'disconnect' },
        revisit: { truncated: 'disconnect', outcome: 'cut' },
      });
      return statement;
    });
  });

  test('stated as whole => named', async () => {
    await rewriteStatement(({ pages, ...statement }) => ({
      ...statement,
      pages: pages.map(({ visit: { truncated: _, ...visit }, ...page }) => ({ ...page, visit })),
    }));
    expect((await check()).errors).toContain(
      'certificate: pages[6].visit.truncated is stated as nothing; the records say "disconnect"',
    );
  });

  test('of version 1, which counted it as sharp => holds, with a warning', async () => {
    const own = await readFile(join(archive, 'keys', 'private.pem'), 'utf8');
    await rewriteStatement((statement) => {
      const visits = ({ truncated: _, ...visit }: CertifiedVisit) => visit;
      const { pages } = statement;
      return statementOf(
        {
          ...statement.crawl,
          startedAt: Date.parse(statement.crawl.startedAt),
          finishedAt: Date.parse(statement.crawl.finishedAt),
          pages: pages.map(({ url, rate, visit, revisit, visiblyUnchanged }) => ({
            url,
            rate,
            visit: asVisit(visits(visit)),
            ...(revisit && { revisit: { ...asVisit(visits(revisit)), outcome: revisit.outcome } }),
            ...(visiblyUnchanged !== undefined && { visiblyUnchanged }),
          })),
        },
        {
          ...statement,
          version: 1,
          found: pages
            .toSorted((a, b) => a.breadthFirst - b.breadthFirst)
            .map(({ url }) => ({ url, isSeed: true })),
        },
      );
    }, own);
    const { certificates, errors, warnings } = await check();
    expect(errors).toEqual([]);
    expect(certificates).toMatchObject([{ strict: 3 }]);
    expect(warnings).toEqual([expect.stringMatching(/version 1.* 1 of its pages were cut short.*\/long/)]);
  });
});

const asVisit = ({ record, time, sha256, status }: CertifiedVisit) => ({
  recordId: record,
  at: Date.parse(time),
  sha256,
  status,
});

describe('tampering is found and named', () => {
  test('any byte of the statement => the signature, or no certificate at all', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 90 }), async (place, shift) => {
        await writeFile(join(archive, 'warc', name), before);
        await rewriteCertificate((text) => {
          const start = text.indexOf('"statement":');
          const at = start + (place % (text.length - start));
          const code = 33 + ((text.charCodeAt(at) - 33 + shift) % 94);
          return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        });
        expect((await check()).errors).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('one more sharp page stated => signature and number', async () => {
    await rewriteStatement((statement) => ({ ...statement, sharp: { ...statement.sharp, strict: 3 } }));
    expect((await check()).errors).toEqual([
      'certificate: the signature does not fit the statement and the public key beside it',
      'certificate: sharp.strict is stated as 3; the records say 2',
    ]);
  });

  test('the same, signed again by a stranger => number and key', async () => {
    const stranger = newPrivateKey();
    await rewriteStatement(
      (statement) => ({ ...statement, sharp: { ...statement.sharp, strict: 3 } }),
      stranger,
    );
    expect((await check()).errors).toEqual([
      expect.stringContaining('which this archive does not know'),
      'certificate: sharp.strict is stated as 3; the records say 2',
    ]);
  });

  test('nothing but the key and signature of a stranger => the key', async () => {
    await rewriteStatement((statement) => statement, newPrivateKey());
    expect((await check()).errors).toEqual([expect.stringContaining('which this archive does not know')]);
  });

  test('another public key beside the old signature => the signature and the key', async () => {
    const { publicKey } = signerOf(newPrivateKey());
    await rewriteCertificate((text) => canonicalJson({ ...(JSON.parse(text) as object), publicKey }));
    expect((await check()).errors).toEqual([
      expect.stringContaining('the signature does not fit'),
      expect.stringContaining('which this archive does not know'),
    ]);
  });

  test('a changed signature => the signature', async () => {
    await rewriteCertificate((text) =>
      text.replace(/"signature":"(.)/, (_, first: string) => `"signature":"${first === 'A' ? 'B' : 'A'}`),
    );
    expect((await check()).errors).toEqual([expect.stringContaining('the signature does not fit')]);
  });

  test('the date of a record => its time and what follows', async () => {
    const date = new Date(START + 9000).toISOString();
    await rewrite((records) =>
      records.map((record) => (isVisit(record, 'about') ? withField(record, 'WARC-Date', date) : record)),
    );
    const { errors } = await check();
    expect(errors).toContain(
      `certificate: pages[1].visit.time is stated as "${new Date(START + 10_000).toISOString()}"; the records say "${date}"`,
    );
    expect(errors.join()).toContain('blur.expected');
  });

  test('another payload under the same id, with digests that fit => the digest, and a page no longer sharp', async () => {
    await rewrite((records) =>
      records.map((record) => {
        if (!isVisit(record, '')) return record;
        const block = Buffer.from(record.block.toString().replace('Version 1', 'Version 7'));
        const body = block.subarray(block.indexOf('\r\n\r\n') + 4);
        const { sha256, sha1 } = digestBytes(body);
        const told = withField({ ...record, block }, 'WARC-Payload-Digest', `sha256:${sha256}`);
        return withField(told, 'WARC-Payload-Digest-SHA1', `sha1:${sha1}`);
      }),
    );
    const { errors } = await check();
    expect(errors.join('\n')).toContain('pages[0].visit.sha256 is stated as');
    expect(errors).toContain('certificate: sharp.strict is stated as 2; the records say 1');
  });

  test('a record moved to another target, taken away, or doubled => named', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    await rewrite((records) =>
      records.map((record) =>
        isVisit(record, 'once') ? withField(record, 'WARC-Target-URI', urlOf('x')) : record,
      ),
    );
    expect((await check()).errors).toEqual([
      expect.stringMatching(/once: the record .* is of https:\/\/example.org\/x$/),
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite((records) => records.filter((record) => !isVisit(record, 'once')));
    expect((await check()).errors).toEqual([
      expect.stringMatching(/once: the record .* is not in the archive$/),
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite((records) => {
      const visit = records.find((record) => isVisit(record, 'once'));
      return visit ? [...records, withField(visit, 'WARC-Date', new Date(START).toISOString())] : records;
    });
    expect((await check()).errors).toEqual([expect.stringContaining('stands twice, and differs')]);
  });

  test('the revisit put before the visit, or a record after the certificate => the order', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    await rewrite((records) => {
      const again = records.filter((record) => isVisit(record, 'about', 'revisit'));
      const [info, ...rest] = records.filter((record) => !again.includes(record));
      return info ? [info, ...again, ...rest] : records;
    });
    expect((await check()).errors).toEqual([
      `certificate: ${urlOf('about')}: the record of the revisit stands before that of the visit`,
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite((records) => {
      const moved = records.filter((record) => isVisit(record, 'once'));
      return [...records.filter((record) => !moved.includes(record)), ...moved];
    });
    expect((await check()).errors).toEqual([
      expect.stringMatching(/once: the record .* stands after the certificate$/),
    ]);
  });

  test('pages stated in another order, by a key that is known => the order', async () => {
    const pem = await readFile(join(archive, 'keys', 'private.pem'), 'utf8');
    await rewriteStatement(({ pages, ...rest }) => ({ ...rest, pages: pages.toReversed() }), pem);
    const { errors } = await check();
    expect(errors[0]).toBe('certificate: its pages are not in the order of their visits');
  });

  test('a change that a reader sees stated as invisible, by a key that is known => named', async () => {
    const pem = await readFile(join(archive, 'keys', 'private.pem'), 'utf8');
    await rewriteStatement(
      ({ pages, ...rest }) => ({
        ...rest,
        pages: pages.map((page) => (page.url === urlOf('news') ? { ...page, visiblyUnchanged: true } : page)),
      }),
      pem,
    );
    expect((await check()).errors).toContain(
      'certificate: pages[2].visiblyUnchanged is stated as true; the records say false',
    );
  });

  test('the log of the crawl taken away, or another order of discovery in it => named', async () => {
    const [name = ''] = await readdir(join(archive, 'warc'));
    const before = await readFile(join(archive, 'warc', name));
    const isLog = (record: PlainRecord): boolean =>
      fieldOf(record, 'WARC-Target-URI').startsWith('urn:crawl:');
    await rewrite((records) => records.filter((record) => !isLog(record)));
    expect((await check()).errors).toEqual([
      expect.stringContaining('the log of its crawl is not among the records'),
    ]);
    await writeFile(join(archive, 'warc', name), before);
    await rewrite((records) =>
      records.map((record) => {
        if (!isLog(record)) return record;
        const [head = '', ...lines] = record.block.toString().trimEnd().split('\n');
        return { ...record, block: Buffer.from(`${[head, ...lines.reverse()].join('\n')}\n`) };
      }),
    );
    expect((await check()).errors.join('\n')).toContain('breadthFirst is stated as');
  });
});
