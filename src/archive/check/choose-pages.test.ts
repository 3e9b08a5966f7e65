import { expect, it } from 'vitest';
import type { OpenArchive } from '../open/open-archive.ts';
import { choosePages } from './choose-pages.ts';

const url = 'https://a.org/';
/** Seen live, looked at by `analyse` only, and seen live. */
const versions = [
  { at: 10, look: { layoutAt: 10 } },
  { at: 20, look: { layoutAt: 20, analyser: 'later' } },
  { at: 30, look: { layoutAt: 30 } },
];
const catalog = {
  async *storedVersions() {
    yield { url, versions };
  },
} as unknown as OpenArchive['catalog'];
const chosen = async (at?: number): Promise<readonly number[]> =>
  (await choosePages({ catalog }, { at, seed: 1 })).versions.map((one) => one.at);

it('a time => the capture nearest to it that was seen live; none => the newest', async () => {
  expect(await chosen()).toEqual([30]);
  expect(await chosen(5)).toEqual([10]);
  expect(await chosen(19)).toEqual([10]);
  expect(await chosen(21)).toEqual([30]);
  expect(await chosen(99)).toEqual([30]);
});
