import { afterEach, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT } from '../../test/crawl-rig.ts';
import { SPEC } from '../catalog/conformance/examples.conformance.ts';
import { textOf } from '../model/body.ts';
import type { FrontierLogEntry } from '../ports/catalog.ts';

let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const spec = { politeness: { ...SPEC.politeness, robots: false } };
/** A log that is too long to be held: it is read to be measured, to be hashed, and to be written. */
const LINES = 20_000;

async function* longLog(onLine: () => void): AsyncGenerator<FrontierLogEntry> {
  for (let i = 0; i < LINES; i++) {
    onLine();
    yield {
      kind: 'page',
      url: `${ROOT}/${i}`,
      host: 'example.org',
      depth: 1,
      extraHops: 0,
      redirects: 0,
      rank: i,
      reason: 'x'.repeat(400),
      isSeed: false,
      state: 'captured',
      visits: [],
    };
  }
}

test.each([
  ['measured', 0.5],
  ['hashed', 1.5],
  ['written', 2.5],
])(
  'told to stop while a long log is %s => stopped with a short one, and the next run finishes',
  async (_, share) => {
    rig = await crawlRig({ '/': linking() });
    const { catalog } = rig;
    const stop = new AbortController();
    let lines = 0;
    const asked: (string | undefined)[] = [];
    const patient = Object.assign(Object.create(catalog) as typeof catalog, {
      frontierLog: (_: number, part: { limit?: number } = {}) => {
        asked.push(part.limit === undefined ? 'all' : 'short');
        return longLog(() => {
          if (++lines === Math.floor(share * LINES)) stop.abort();
        });
      },
      // More than a stopped crawl tells.
      hostCounts: async (crawlId: number) =>
        lines === 0
          ? catalog.hostCounts(crawlId)
          : [
              {
                host: 'example.org',
                kind: 'page',
                depth: 0,
                band: 'pages',
                isPending: false,
                entries: LINES,
              },
            ],
    });
    const { state } = await rig.crawl({ spec, ports: { catalog: patient }, signal: stop.signal });
    expect(state).toBe('stopped');
    expect(asked.at(-1)).toBe('short');
    const [stopped] = await catalog.crawls();
    expect(stopped?.state).toBe('stopped');
    const log = await catalog.closest(`urn:crawl:${stopped?.key}`, rig.clock.now());
    if (!log) throw new Error('no log');
    expect(await textOf((await rig.reader.read(log)).payload)).toContain('"leftOut":10000');
    const again = await rig.crawl({ spec, ...(stopped && { resume: stopped }) });
    expect(again.state).toBe('finished');
    expect(rig.asked).toHaveLength(1);
  },
);
