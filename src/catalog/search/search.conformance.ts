import { beforeEach, describe, expect, it } from 'vitest';
import type { NewPassage, PassageQuery, SearchIndex } from '../../ports/search-index.ts';
import { tokensOf, unstemmed } from '../../science/search/tokens.ts';

const passage = (text: string, more: Partial<NewPassage> = {}): NewPassage => ({
  text,
  kind: 'body',
  weight: 0.6,
  cameAt: 100,
  words: tokensOf(text, unstemmed).map(({ word }) => word),
  ...more,
});

const asked = (words: string, more: Partial<PassageQuery> = {}): PassageQuery => ({
  wanted: words.split(' ').map((word) => [{ words: [word] }]),
  unwanted: [],
  event: 'present',
  limit: 10,
  offset: 0,
  ...more,
});

/** What every search index must do. `open` gives an empty one. */
export function searchConformance(name: string, open: () => Promise<SearchIndex>): void {
  describe(`search index on ${name}`, () => {
    let index: SearchIndex;
    const put = (url: string, added: readonly NewPassage[]): Promise<void> =>
      index.update({
        url,
        site: new URL(url).host,
        before: undefined,
        until: 500,
        versions: 1,
        isAnew: true,
        added,
        gone: [],
      });
    const found = async (query: PassageQuery): Promise<readonly string[]> =>
      (await index.find(query)).map(({ text }) => text);

    beforeEach(async () => {
      index = await open();
      await index.clear();
      return () => index.close();
    });

    it('words => passages with all of them, what is worth more first', async () => {
      await put('http://a.test/', [
        passage('The fee for delivery was raised'),
        passage('Delivery fee raised', { kind: 'headline', weight: 0.9 }),
        passage('No fee at all'),
      ]);
      expect(await found(asked('fee delivery'))).toEqual([
        'Delivery fee raised',
        'The fee for delivery was raised',
      ]);
    });

    it('phrases, beginnings, unwanted words => as asked', async () => {
      await put('http://a.test/', [
        passage('general terms of trade'),
        passage('terms in general'),
        passage('termination'),
      ]);
      const phrase = [[{ words: ['general', 'terms'] }]];
      expect(await found(asked('', { wanted: phrase }))).toEqual(['general terms of trade']);
      const beginning = [[{ words: ['term'], isPrefix: true as const }]];
      expect((await found(asked('', { wanted: beginning }))).length).toBe(3);
      expect(await found(asked('terms', { unwanted: [{ words: ['trade'] }] }))).toEqual(['terms in general']);
      const either = [[{ words: ['termination'] }, { words: ['trade'] }]];
      expect((await found(asked('', { wanted: either }))).toSorted()).toEqual([
        'general terms of trade',
        'termination',
      ]);
    });

    it('site, page, kind => only there; unknown ones => nothing', async () => {
      await put('http://a.test/', [passage('news here', { kind: 'headline' })]);
      await put('http://b.test/x', [passage('news there')]);
      expect(await found(asked('news', { site: 'b.test' }))).toEqual(['news there']);
      expect(await found(asked('news', { url: 'http://a.test/' }))).toEqual(['news here']);
      expect(await found(asked('news', { kinds: ['headline'] }))).toEqual(['news here']);
      expect(await found(asked('news', { site: 'c.test' }))).toEqual([]);
    });

    it('what came, stood and went between two times => told apart', async () => {
      await put('http://a.test/', [
        passage('word old', { cameAt: 100, went: { lastAt: 200, goneAt: 250 } }),
        passage('word new', { cameAt: 300 }),
      ]);
      const when = { from: 240, to: 260 };
      expect(await found(asked('word', { event: 'present', ...when }))).toEqual(['word old']);
      expect(await found(asked('word', { event: 'vanished', ...when }))).toEqual(['word old']);
      expect(await found(asked('word', { event: 'appeared', ...when }))).toEqual([]);
      expect(await found(asked('word', { event: 'appeared', from: 300 }))).toEqual(['word new']);
      expect(await index.find(asked('new'))).toMatchObject([{ cameAt: 300, lastAt: 500 }]);
      expect(await index.find(asked('old'))).toMatchObject([{ lastAt: 200, goneAt: 250 }]);
    });

    it('a page updated => live passages go, new ones come; made from an old state => nothing is done', async () => {
      await put('http://a.test/', [passage('first text'), passage('second text')]);
      const before = await index.page('http://a.test/');
      expect(before?.live.map(({ text }) => text).toSorted()).toEqual(['first text', 'second text']);
      const first = before?.live.find(({ text }) => text === 'first text');
      const update = {
        ...{ url: 'http://a.test/', site: 'a.test', until: 600, versions: 2, isAnew: false },
        before: { until: 500, versions: 1 },
        added: [passage('third text', { cameAt: 600 })],
        gone: [{ id: first?.id ?? -1, lastAt: 500, goneAt: 600 }],
      };
      await index.update(update);
      await index.update(update);
      expect(await index.find(asked('text'))).toHaveLength(3);
      expect((await index.page('http://a.test/'))?.live).toHaveLength(2);
      expect(await index.states()).toEqual(new Map([['http://a.test/', { until: 600, versions: 2 }]]));
    });

    it('a page removed, or made anew => nothing of it is found any more', async () => {
      await put('http://a.test/', [passage('gone tomorrow')]);
      await put('http://b.test/', [passage('gone today')]);
      await index.remove(['http://a.test/', 'http://unknown.test/']);
      expect(await found(asked('gone'))).toEqual(['gone today']);
      await index.update({
        ...{ url: 'http://b.test/', site: 'b.test', until: 900, versions: 1, isAnew: true, gone: [] },
        before: { until: 500, versions: 1 },
        added: [passage('here instead')],
      });
      expect(await found(asked('gone'))).toEqual([]);
      expect(await index.counts()).toMatchObject({ pages: 1, passages: 1 });
    });

    it('texts that databases trip over => kept and found', async () => {
      await put('http://a.test/', [passage(`it's "quoted" \\ and 東京都 \u{1f600} NUL\0here`)]);
      expect(await found(asked('京都'))).toHaveLength(1);
      expect(await found(asked('quoted'))).toHaveLength(1);
    });

    it('limit and offset => parts of one order', async () => {
      await put(
        'http://a.test/',
        Array.from({ length: 25 }, (_, i) => passage(`item number${i}`, { cameAt: i })),
      );
      const all = await found(asked('item', { limit: 100 }));
      const parts = await Promise.all([0, 10, 20].map((offset) => found(asked('item', { offset }))));
      expect(all).toHaveLength(25);
      expect(parts.flat()).toEqual(all);
    });

    it('the mark => kept', async () => {
      expect(await index.mark()).toBe(0);
      await index.setMark(41);
      await index.setMark(42);
      expect(await index.mark()).toBe(42);
    });
  });
}
