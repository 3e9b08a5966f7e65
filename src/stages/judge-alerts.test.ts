import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { type CrawlRig, crawlRig, linking, ROOT, type WebAnswer } from '../../test/crawl-rig.ts';
import { SPEC } from '../catalog/conformance/examples.conformance.ts';
import type { AlertConditions, AlertRule } from '../model/alert.ts';
import type { AlertJudge } from '../ports/alert-judge.ts';
import { alertJudge, errorsBefore } from './judge-alerts.ts';

let rig: CrawlRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const politeness = { ...SPEC.politeness, robots: false };
const rule = (name: string, when: AlertConditions): AlertRule => ({
  name,
  where: { pages: ['example.org/a'] },
  when,
  digest: 'none',
  zone: 'UTC',
});
const idOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Crawls the site once for each answer of /a, and returns the alerts, oldest first. */
async function toldOver(answers: readonly WebAnswer[], rules: readonly AlertRule[]): Promise<string[]> {
  let crawls = 0;
  rig = await crawlRig({ '/': linking('/a'), '/a': () => answers[crawls] as WebAnswer });
  const { catalog, reader, clock } = rig;
  const alerts = alertJudge(() => rules, { catalog, reader, idOf, now: clock.now });
  for (; crawls < answers.length; crawls++)
    await rig.crawl({ spec: { politeness, limits: { ...SPEC.limits, attempts: 2 } }, alerts });
  const told = await catalog.alerts({});
  for (const alert of told)
    expect(alert.id).toBe(idOf([alert.rule, alert.url, alert.kind, alert.to].join('\n')));
  return told.toReversed().map(({ rule: name, summary }) => `${name}: ${summary}`);
}

const there = (bytes = 300): WebAnswer => ({ body: `<title>a</title>${'x'.repeat(bytes)}` });
const gone: WebAnswer = { status: 404 };
const down: WebAnswer = { fault: 'timeout' };
const broken: WebAnswer = { status: 500 };

describe('visits of a page, stored with what rules tell of them', () => {
  test('there, gone, gone, failed, gone, there => gone once, back once', async () => {
    const rules = [rule('r', { gone: true, back: true })];
    expect(await toldOver([there(), gone, gone, down, gone, there()], rules)).toEqual([
      expect.stringMatching(/^r: the page is gone: .*404/),
      'r: the page is back',
    ]);
  });

  test('a page that never was there => not told to be gone', async () => {
    expect(await toldOver([gone, gone], [rule('r', { gone: true, back: true })])).toEqual([]);
  });

  test('failures 1 to 4 in a row, tried twice each => told at the third visit alone', async () => {
    const rules = [rule('r', { errors: 3 })];
    const told = await toldOver([there(), down, broken, down, down, there(), down], rules);
    expect(told).toEqual([expect.stringMatching(/^r: 3 visits in a row failed: .*the test says so/)]);
  });

  test('4000, 4100, 4050, then 1000 bytes => shrunk', async () => {
    const sizes = [4000, 4100, 4050, 1000].map((bytes) => there(bytes));
    expect(await toldOver(sizes, [rule('r', { shrunk: 0.5 })])).toEqual([
      expect.stringMatching(/^r: the page is 75 % smaller than its last versions/),
    ]);
  });

  test('two versions, then 304s => nothing; the same small version twice => shrunk once', async () => {
    const tagged = (bytes: number): WebAnswer => ({ ...there(bytes), headers: [['ETag', `"${bytes}"`]] });
    const again: WebAnswer = { status: 304 };
    const rules = [rule('r', { shrunk: 0.5 })];
    expect(await toldOver([tagged(4000), tagged(4100), again, again], rules)).toEqual([]);
    await rig?.close();
    expect(await toldOver([there(4000), there(4100), there(900), there(900)], rules)).toHaveLength(1);
  });

  test('moved for good => gone; for now => nothing', async () => {
    const moved = (status: number): WebAnswer => ({ status, headers: [['Location', '/b']] });
    const rules = [rule('r', { gone: true, back: true })];
    expect(await toldOver([there(), moved(302), there(), moved(301)], rules)).toHaveLength(1);
  });

  test('a judge that throws => the visit is stored all the same, with a note', async () => {
    rig = await crawlRig({ '/': linking() });
    const judge: AlertJudge = async () => {
      throw new Error('no such thing');
    };
    const { tally } = await rig.crawl({ spec: { politeness }, alerts: judge });
    expect(tally.captured).toBe(1);
    expect(rig.notes).toEqual([`no alerts were told of ${ROOT}/: no such thing`]);
  });
});

test('errors in a row => those put off do not count, a 404 ends them', () => {
  const failed = { outcome: 'failed', status: 500 };
  expect(
    errorsBefore([failed, { outcome: 'deferred' }, { outcome: 'failed' }, { outcome: 'captured' }, failed]),
  ).toBe(2);
  expect(errorsBefore([{ outcome: 'failed', status: 404 }, failed])).toBe(0);
  expect(errorsBefore([])).toBe(0);
});
