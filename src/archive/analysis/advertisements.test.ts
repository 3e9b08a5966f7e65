import { expect, it } from 'vitest';
import { noLists } from '../../capture/ads/index.ts';
import { advertisements } from './advertisements.ts';

const setup = { cacheFolder: '/nowhere' };
const lists = { ...noLists };

it('lists => they serve, nothing to tell', () => {
  const open = () => ({ recogniser: lists, fact: 'advertisements by EasyList' });
  expect(advertisements(setup, open)).toEqual({ recogniser: lists });
});

it('a cache that cannot be written => the lists serve all the same', () => {
  const open = ({ cacheFolder }: { cacheFolder?: string | undefined } = {}) => {
    if (cacheFolder !== undefined) throw new Error('read-only');
    return { recogniser: lists, fact: 'advertisements by EasyList' };
  };
  expect(advertisements(setup, open)).toEqual({ recogniser: lists });
});

it('no lists, or none that can be read => told', () => {
  const fact = 'no filter lists: …';
  expect(advertisements(setup, () => ({ recogniser: noLists, fact }))).toEqual({
    recogniser: noLists,
    note: fact,
  });
  const torn = () => {
    throw new Error('lists.engine is torn');
  };
  const { recogniser, note } = advertisements(setup, torn);
  expect(recogniser).toBe(noLists);
  expect(note).toMatch(/cannot be read.*lists\.engine is torn/);
});
