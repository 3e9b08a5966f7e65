import { expect, it } from 'vitest';
import { layout, text } from '../../test/small-layout.ts';
import { memoryBody } from '../model/body.ts';
import { layoutUri } from '../model/derived-uris.ts';
import { writeViXml } from '../science/layout/vi-xml.ts';
import { storedDelta } from './stored-delta.ts';

const URL = 'https://a.example/';
const [T1, T2] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 2)];

it('two cut captures that one layout shows => each is named by its own time', async () => {
  const cut = 'texts past the limit of 5 characters are cut';
  const shown = { ...layout([{ texts: [text('a')] }], new Date(T1).toISOString()), url: URL, partial: cut };
  const look = { layoutAt: T1, facts: [] };
  const of = (url: string, at: number) => ({ url, at });
  const catalog = {
    async *captures() {
      yield of(URL, T1);
    },
    closest: async (url: string, at: number) =>
      url === URL ? of(URL, at) : url === layoutUri(URL) && at === T1 ? of(url, T1) : undefined,
    async *storedVersions() {
      yield {
        versions: [
          { at: T1, payload: 'p', look },
          { at: T2, payload: 'p' },
        ],
      };
    },
  };
  const reader = { read: async () => ({ payload: memoryBody(Buffer.from(writeViXml(shown))) }) };
  const told = await storedDelta(URL, [T1, T2], { catalog, reader } as never);
  expect(told.partial).toBe(`of 2024-01-01T00:00:00.000Z, ${cut}; of 2024-01-02T00:00:00.000Z, ${cut}`);
});
