import { expect, test } from 'vitest';
import { smallArchive } from '../../../test/e2e/small-archive.ts';
import { holdings } from './holdings.ts';

test('a page, twice again without payload, one of them a 304 without a size => its bytes saved twice', async () => {
  const page = { url: 'http://x.org/', body: 'twelve bytes', title: 'X' };
  const { catalog, close } = await smallArchive([
    { ...page, at: 1_000 },
    { ...page, at: 2_000, revisit: 'identical-payload-digest' },
    { url: page.url, at: 3_000, status: 304, revisit: 'server-not-modified' },
  ]);
  try {
    const { storage } = await holdings('x.org', catalog);
    expect(storage).toMatchObject({ captures: 3, revisits: 2, saved: 2 * page.body.length });
  } finally {
    await close();
  }
});
