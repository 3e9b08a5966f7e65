import { expect, it } from 'vitest';
import { Decisions } from '../model/decisions.ts';
import type { ServedArchive } from './served-archive.ts';
import { siteRows } from './site-rows.ts';

const site = (name: string, pages: number) => ({
  ...{ site: name, pages, captures: 9, pageCaptures: pages, firstAt: 1, lastAt: 2 },
});

it('hosts that only gave parts of pages => after all sites, each by name', async () => {
  const sites = [
    site('a-cdn.example', 0),
    site('b.example', 2),
    site('c-cdn.example', 0),
    site('d.example', 1),
  ];
  const served = {
    catalog: { sites: async () => sites },
    told: { mirrors: async () => [], decisions: async () => new Decisions([]) },
    virtualPages: async () => new Map(),
  };
  const rows = await siteRows(served as unknown as ServedArchive);
  expect(rows.map((row) => row.site)).toEqual(['b.example', 'd.example', 'a-cdn.example', 'c-cdn.example']);
});
