import { expect, it } from 'vitest';
import type { CatalogOwner } from '../../model/archive-identity.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, capture, type NewPlace, SPEC } from './examples.conformance.ts';

const OWNER: CatalogOwner = {
  id: 'k7mq-2xrt-9hbd',
  name: 'Nachrichten \u{1f4f0}',
  opening: '8f2c',
  folder: '/srv/nachrichten',
  host: 'a.example',
  openedAt: 1_700_000_000_000,
};

/** Whom a catalog belongs to, who may open it, and what opening it does. */
export function ownership(current: () => Catalog, reopen: () => Promise<Catalog>, newPlace: NewPlace): void {
  it('new => nobody claims it; claimed => it says so, after reopening too', async () => {
    expect(await current().owner()).toBeUndefined();
    await current().claim(OWNER);
    expect(await current().owner()).toEqual(OWNER);
    expect(await (await reopen()).owner()).toEqual(OWNER);
  });

  it('claimed again => the last opening counts', async () => {
    await current().claim(OWNER);
    const later = {
      ...OWNER,
      name: 'News',
      opening: '9a1e',
      folder: '/mnt/news',
      openedAt: OWNER.openedAt + 1,
    };
    await current().claim(later);
    expect(await current().owner()).toEqual(later);
  });

  it('cleared before a rebuild => the owner stays', async () => {
    await current().claim(OWNER);
    await current().clearDerived();
    expect(await current().owner()).toEqual(OWNER);
  });

  it('whoever may refuse it is told the owner, and what is refused stays as it was', async () => {
    const place = await newPlace();
    try {
      const first = await place.open();
      await first.claim(OWNER);
      const fact = capture('https://example.org/', 1);
      await first.index({ captures: [fact], pages: [], fileLengths: new Map([[fact.file, 500]]) });
      await first.close();
      const shown: (CatalogOwner | undefined)[] = [];
      const refuse = (owner: CatalogOwner | undefined): never => {
        shown.push(owner);
        throw new Error('not yours');
      };
      for (const readonly of [false, true])
        await expect(place.open({ readonly, admit: refuse })).rejects.toThrow('not yours');
      expect(shown).toEqual([OWNER, OWNER]);
      const again = await place.open();
      expect(await again.owner()).toEqual(OWNER);
      expect(await all(again.captures({}))).toHaveLength(1);
      await again.close();
    } finally {
      await place.remove();
    }
  });

  it('a reader where there is no catalog => told so, and none is made', async () => {
    const place = await newPlace();
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        const kind = expect.stringMatching(/^(absent|unreachable)$/);
        await expect(place.open({ readonly: true })).rejects.toMatchObject({ kind });
      }
    } finally {
      await place.remove();
    }
  });

  it('a reader => reads, and writes nothing', async () => {
    const place = await newPlace();
    try {
      const writer = await place.open();
      await writer.claim(OWNER);
      const reader = await place.open({ readonly: true });
      expect(await reader.owner()).toEqual(OWNER);
      await expect(reader.createCrawl('key', SPEC, 1)).rejects.toMatchObject({ kind: 'read-only' });
      await expect(reader.claim(OWNER)).rejects.toMatchObject({ kind: 'read-only' });
      // Its user may, elsewhere.
      expect(await reader.mayWrite()).toBe(true);
      await reader.close();
      await writer.close();
    } finally {
      await place.remove();
    }
  });
}
