import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT } from '../../../test/crawl-rig.ts';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import type { AlertRule } from '../../model/alert.ts';
import { openSigner } from '../../storage/archive-key.ts';
import { captureAlerts } from './capture-findings.ts';

let rig: CrawlRig | undefined;
let folder: string | undefined;
afterEach(async () => {
  await rig?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const rule: AlertRule = {
  ...{ name: 'captures', where: { site: 'example.org' }, when: { shrunk: 0.5, certificate: 0.8 } },
  ...{ digest: 'none', zone: 'UTC' },
};

test('captures of 4, 4 and 1 pages, visited once => the third has shrunk, none is proven sharp; asked again => the same ids', async () => {
  let last = false;
  const all = linking('/a', '/b', '/c');
  rig = await crawlRig({
    '/': () => (last ? linking() : all),
    '/a': linking(),
    '/b': linking(),
    '/c': linking(),
  });
  folder = await mkdtemp(join(tmpdir(), 'key-'));
  const ports = { seal: { signer: await openSigner(folder, rig.clock.now()), software: 'test' } };
  const spec = { politeness: { ...SPEC.politeness, robots: false } };
  const { catalog, reader } = rig;
  const key = (await catalog.createCrawl('a-round', { ...SPEC, seeds: [] }, 1)).id;
  await catalog.setCrawlState(key, 'finished', 2);
  for (const isLast of [false, false, true]) {
    last = isLast;
    const crawl = await catalog.createCrawl(
      'the-site',
      { ...SPEC, ...spec, render: 'never', sitemaps: false },
      rig.clock.now(),
    );
    await rig.crawl({ spec, ports, resume: crawl, seeds: true });
    await rig.clock.sleep(60_000);
  }
  const told = await captureAlerts([rule], { catalog, reader }, { since: 0 });
  expect(told.map(({ kind, url, summary }) => `${kind} ${url} ${summary}`)).toEqual([
    `certificate ${ROOT}/ certificate 0 < .8: 0 of 4 pages are proven sharp`,
    `certificate ${ROOT}/ certificate 0 < .8: 0 of 4 pages are proven sharp`,
    `shrunk ${ROOT}/ the capture holds 75 % fewer pages than the last ones (1, usually 4)`,
    `certificate ${ROOT}/ certificate 0 < .8: 0 of 1 pages are proven sharp`,
  ]);
  const again = await captureAlerts([rule], { catalog, reader }, { since: told[2]?.to ?? 0 }, () => 7);
  expect(again.map(({ id }) => id)).toEqual(told.slice(2).map(({ id }) => id));
  expect(
    await captureAlerts([{ ...rule, where: { site: 'example.com' } }], { catalog, reader }, { since: 0 }),
  ).toEqual([]);
});
