import { expect, test } from 'vitest';
import { smallArchive } from '../../../test/e2e/small-archive.ts';
import type { CertificateStatement } from '../../model/certificate.ts';
import { completenessOf, holdings } from './holdings.ts';

test('a page, twice again without payload, one of them a 304 without a size => its bytes saved twice', async () => {
  const page = { url: 'http://x.org/', body: 'twelve bytes', title: 'X' };
  const { catalog, close } = await smallArchive([
    { ...page, at: 1_000 },
    { ...page, at: 2_000, revisit: 'identical-payload-digest' },
    { url: page.url, at: 3_000, status: 304, revisit: 'server-not-modified' },
  ]);
  try {
    const { storage } = await holdings('x.org', catalog, 3_000);
    expect(storage).toMatchObject({ captures: 3, revisits: 2, saved: 2 * page.body.length });
  } finally {
    await close();
  }
});

test('most captures after the certificate => how complete it is is not known; before it => told', () => {
  const versions = new Map([['http://x.org/', { firstAt: 0, lastAt: 9_000, digests: new Set(['a', 'b']) }]]);
  const statement = { pages: [{ url: 'http://x.org/', rate: 0 }] } as unknown as CertificateStatement;
  const held = (later: number) => ({
    ...{ versions, later, storage: { captures: 10, bytes: 0, revisits: 0, saved: 0 } },
  });
  expect(completenessOf(statement, held(6))).toBeNull();
  expect(completenessOf(statement, held(5))).toMatchObject({ estimate: 1 });
});
