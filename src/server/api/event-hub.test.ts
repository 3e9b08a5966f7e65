import { expect, it } from 'vitest';
import { batch, entry, SPEC, visited, visitOf } from '../../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import type { ServedArchive } from '../served-archive.ts';
import { EventHub, type SentEvent } from './event-hub.ts';
import { readEventId } from './event-id.ts';

it('a crawl that finished while somebody listens, then another => the visits of the second are told', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const hub = new EventHub(
    async () => ({ catalog }) as unknown as ServedArchive,
    () => 1,
  );
  const crawl = async (...urls: string[]): Promise<number> => {
    const { id } = await catalog.createCrawl('key', SPEC, 1);
    const { enqueued } = await catalog.commit(batch(id, { discovered: urls.map((url) => entry(url)) }));
    const visits = enqueued.map((one) => visited(one.id, visitOf(one.url)));
    await catalog.commit(batch(id, { visits }));
    return id;
  };
  const first = await crawl('http://a.org/1', 'http://a.org/2', 'http://a.org/3');
  const told: unknown[] = [];
  const heard = new Map<string, () => void>();
  const next = (name: string): Promise<void> => new Promise((resolve) => heard.set(name, resolve));
  await hub.listen(undefined, ({ name, data }) => {
    told.push([name, (data as { url?: string }).url]);
    heard.get(name)?.();
  });
  const ended = next('crawl');
  // Its visits are kept in short from here on, and their numbers are free.
  await catalog.setCrawlState(first, 'finished', 2);
  await ended;
  expect(await catalog.happeningMark()).toMatchObject({ visits: 0 });
  const came = next('visit');
  await crawl('http://a.org/4');
  await came;
  expect(told).toContainEqual(['visit', 'http://a.org/4']);
  hub.close();
  await catalog.close();
}, 60_000);

it('crawls that come and end between two looks => their visits are told, each once; to those who come back as well', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  let now = 1_000_000;
  const hub = new EventHub(
    async () => ({ catalog }) as unknown as ServedArchive,
    () => now,
  );
  const crawl = async (key: string, ...urls: string[]): Promise<void> => {
    const { id } = await catalog.createCrawl(key, SPEC, now);
    const { enqueued } = await catalog.commit(batch(id, { discovered: urls.map((url) => entry(url)) }));
    const visits = enqueued.map((one) => visited(one.id, visitOf(one.url)));
    await catalog.commit(batch(id, { visits }));
    await catalog.setCrawlState(id, 'finished', now);
  };
  const listening = (urls: string[], ids: (string | undefined)[] = []) => ({
    urls,
    ids,
    tell({ name, data, id }: SentEvent): void {
      if (name !== 'visit') return;
      urls.push((data as { url: string }).url);
      ids.push(id);
    },
  });
  const first = listening([]);
  const stop = await hub.listen(undefined, first.tell);
  await crawl('one', 'http://a.org/1', 'http://a.org/2');
  await crawl('two', 'http://a.org/3');
  await expect
    .poll(() => first.urls.toSorted(), { timeout: 60_000 })
    .toEqual(['http://a.org/1', 'http://a.org/2', 'http://a.org/3']);
  stop();
  now += 1_000;
  await crawl('three', 'http://a.org/4', 'http://a.org/5');
  const again = listening([]);
  await hub.listen(readEventId(first.ids.at(-1)), again.tell);
  expect(again.urls.toSorted()).toEqual(['http://a.org/4', 'http://a.org/5']);
  const last = listening([]);
  await hub.listen(readEventId(again.ids.at(-1)), last.tell);
  expect(last.urls).toEqual([]);
  hub.close();
  await catalog.close();
}, 120_000);
