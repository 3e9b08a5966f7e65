import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { certifiedArchive, START } from '../../../test/certified-archive.ts';
import {
  check,
  fieldOf,
  PAGES,
  rewrite,
  rewriteCertificate,
  rewriteStatement,
  withField,
} from '../../../test/tampered-archive.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { CertifiedVisit } from '../../model/certificate.ts';
import { statementOf } from '../../science/sharpness/certificate.ts';
import { openSigner, rotateKey } from '../../storage/archive-key.ts';
import { newPrivateKey, signerOf } from '../../storage/ed25519.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive(PAGES));
});
afterEach(() => remove());

test('the log of an earlier stop stands in a later file => the last log counts', async () => {
  await rewrite(archive, (records) => {
    const log = records.find((record) => fieldOf(record, 'WARC-Target-URI').startsWith('urn:crawl:'));
    if (!log) throw new Error('the archive has no log');
    const [head = '', first = ''] = log.block.toString().split('\n');
    const stopped = { ...JSON.parse(head), state: 'stopped', finishedAt: START };
    const earlier = withField(log, 'WARC-Record-ID', '<urn:uuid:5f0d2a3c-9a4b-4f6e-8a53-0e1c54c1d7aa>');
    return [...records, { ...earlier, block: Buffer.from(`${JSON.stringify(stopped)}\n${first}\n`) }];
  });
  expect((await check(archive)).errors).toEqual([]);
});

describe('an archive as it was written', () => {
  test('=> no error; the certificate is in a metadata record; its numbers', async () => {
    const { certificates, errors, recordErrors } = await check(archive);
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
    await rewriteCertificate(archive, (text) => {
      expect(text).toBe(canonicalJson(JSON.parse(text)));
      return text;
    });
  });

  test('the same after every record was packed anew, without indexes => no error but the missing index', async () => {
    await rewrite(archive, () => undefined);
    expect(await check(archive)).toMatchObject({
      errors: [],
      recordErrors: [{ reason: expect.stringMatching(/^the index of .* is missing/) }],
    });
  });

  test('with the right public key => given; with another => named', async () => {
    const { publicKey } = await openSigner(archive, START);
    expect((await check(archive, publicKey)).certificates[0]?.signer).toBe('given');
    expect((await check(archive, publicKey)).errors).toEqual([]);
    const other = signerOf(newPrivateKey()).publicKey;
    expect((await check(archive, other)).errors).toEqual([expect.stringContaining('not by the one given')]);
  });

  test('after rotation => what the old key signed before is valid; what it signs after is not', async () => {
    await rotateKey(archive, START + 1e9);
    expect((await check(archive)).errors).toEqual([]);
    const later = await certifiedArchive(PAGES);
    try {
      await rotateKey(later.archive, START + 1000);
      archive = later.archive;
      expect((await check(archive)).errors).toEqual([expect.stringContaining('was retired at')]);
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
    const { certificates, errors, warnings } = await check(archive);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(certificates).toMatchObject([{ pages: 7, strict: 2, visible: 3 }]);
    await rewriteStatement(archive, (statement) => {
      expect(statement.pages.at(-1)).toMatchObject({
        visit: { truncated: 'disconnect' },
        revisit: { truncated: 'disconnect', outcome: 'cut' },
      });
      return statement;
    });
  });

  test('stated as whole => named', async () => {
    await rewriteStatement(archive, ({ pages, ...statement }) => ({
      ...statement,
      pages: pages.map(({ visit: { truncated: _, ...visit }, ...page }) => ({ ...page, visit })),
    }));
    expect((await check(archive)).errors).toContain(
      'certificate: pages[6].visit.truncated is stated as nothing; the records say "disconnect"',
    );
  });

  test('of version 1, which counted it as sharp => holds, with a warning', async () => {
    const own = await readFile(join(archive, 'keys', 'private.pem'), 'utf8');
    await rewriteStatement(
      archive,
      (statement) => {
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
      },
      own,
    );
    const { certificates, errors, warnings } = await check(archive);
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
