/**
 * How many missing resources `daguerre check` finds, and how often it cries wolf, on real saved pages.
 *
 *   npx tsx bench/check.ts --set DIR [--versions DIR] [--pages 100] [--out DIR] [--seed 1]
 *
 * The pages are served on loopback, crawled through Chromium, and checked: anything reported about them is a false alarm. Then one
 * resource of each page is removed from the record files, by kind, the catalog is rebuilt from the rest, and they are checked
 * again. `named`: the resource is reported missing; `layouts alone`: the page would be reported damaged by what replay shows, even
 * without a list of the resources it should have.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CheckReport } from '../src/archive/check/check-archive.ts';
import { openForReading } from '../src/archive/open/open-archive.ts';
import { textOf } from '../src/model/body.ts';
import type { CaptureFact, PageInfo } from '../src/model/capture.ts';
import { pageInfoUri } from '../src/model/derived-uris.ts';
import type { PageCheck } from '../src/model/page-check.ts';
import { judgeReplay } from '../src/science/check/judge-replay.ts';
import { seededNumbers } from '../src/science/quality/draws.ts';
import { cutRecords } from '../test/cut-records.ts';
import { startSavedPages } from './check/saved-pages.ts';
import { round } from './figures.ts';
import { runCommand } from './run-command.ts';

const KINDS = ['stylesheet', 'image', 'script'] as const;
type Kind = (typeof KINDS)[number];

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    versions: { type: 'string' },
    pages: { type: 'string', default: '100' },
    out: { type: 'string', default: 'check-bench' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.set === undefined) throw new Error('--set: a folder of saved pages, each with an index.dom.html');
const out = values.out;
mkdirSync(out, { recursive: true });
const whole = join(out, 'whole');
if (!existsSync(whole)) await crawl(values.set, values.versions, Number(values.pages));
tell('whole pages', await check('whole'));
for (const kind of KINDS) await damaged(kind, seededNumbers(Number(values.seed)));

async function daguerre(...given: string[]): Promise<string> {
  return (await runCommand(['node', 'bin/daguerre.js', ...given], { accept: [8] })).stdout;
}

async function crawl(set: string, versions: string | undefined, count: number): Promise<void> {
  const site = await startSavedPages(set, versions, count);
  const limits = ['--depth', '1', '--delay', '0', '--per-host', '3', '--no-robots', '--allow-private'];
  try {
    await daguerre('archive', `${site.origin}/`, '--archive', whole, ...limits, '--json');
  } finally {
    await site.close();
  }
}

/** Stored beside the archive, so that an interrupted run resumes. */
async function check(name: string): Promise<CheckReport> {
  const kept = join(out, `${name}.json`);
  if (!existsSync(kept)) writeFileSync(kept, await daguerre('check', '--archive', join(out, name), '--json'));
  return JSON.parse(readFileSync(kept, 'utf8')) as CheckReport;
}

function tell(title: string, { checked, whole: good, pages, score }: CheckReport): void {
  const alarms = pages.filter(({ verdict }) => verdict !== 'whole');
  console.log(`${title}: ${checked} checked, ${good} whole, ${alarms.length} not; mean score ${score}`);
  for (const { url, score: own, verdict } of alarms) console.log(`  ${verdict} ${own} ${url}`);
}

interface Removal {
  readonly page: string;
  readonly url: string;
}

async function damaged(kind: Kind, random: () => number): Promise<void> {
  const list = join(out, `${kind}-removed.json`);
  if (!existsSync(list)) writeFileSync(list, JSON.stringify(await remove(kind, random)));
  const removals = JSON.parse(readFileSync(list, 'utf8')) as Removal[];
  const report = await check(kind);
  const verdicts = new Map(report.pages.map((page) => [page.url, page]));
  const found = removals.flatMap(({ page, url }) => {
    const verdict = verdicts.get(page);
    return verdict ? [{ verdict, url }] : [];
  });
  const share = (is: (one: (typeof found)[number]) => boolean): string =>
    `${found.filter(is).length} of ${found.length} (${round((100 * found.filter(is).length) / found.length)} %)`;
  console.log(`one ${kind} removed: ${found.length} pages`);
  console.log(`  told as damaged ${share(({ verdict }) => verdict.verdict === 'damaged')}`);
  console.log(
    `  named           ${share(({ verdict, url }) => verdict.missing.some((one) => one.url === url))}`,
  );
  console.log(`  layouts alone   ${share(({ verdict }) => byLayouts(verdict))}`);
  const scores = found.map(({ verdict }) => verdict.score ?? 0).sort((a, b) => a - b);
  const at = (part: number): string => (scores[Math.floor(part * (scores.length - 1))] ?? 0).toFixed(3);
  console.log(
    `  score           ${at(0)} at worst, ${at(0.25)} quarter, ${at(0.5)} half, ${at(0.75)} three quarters`,
  );
  const others = report.pages.filter(({ url }) => !removals.some(({ page }) => page === url));
  console.log(
    `  other pages     ${others.filter(({ verdict }) => verdict !== 'whole').length} of ${others.length} told`,
  );
}

/** The verdict as it would be without the list of received resources. */
function byLayouts({ lost, shift = 0 }: PageCheck): boolean {
  const operations = lost.map(({ op, element, salience, text }) => ({
    ...{ op, element, salience, block: '', weight: 0, new: text },
  }));
  return judgeReplay({ operations, missing: [], shift }).verdict === 'damaged';
}

/** A copy of the archive, less one of the resources that each page received. */
async function remove(kind: Kind, random: () => number): Promise<Removal[]> {
  const copy = join(out, kind);
  rmSync(copy, { recursive: true, force: true });
  cpSync(whole, copy, { recursive: true });
  const archive = await openForReading({ archive: whole });
  const removals: Removal[] = [];
  const gone: CaptureFact[] = [];
  try {
    for await (const page of archive.catalog.storedVersions({})) {
      const fact = await archive.catalog.closest(pageInfoUri(page.url), page.versions.at(-1)?.at ?? 0);
      if (!fact) continue;
      const info = JSON.parse(await textOf((await archive.reader.read(fact)).payload)) as PageInfo;
      const had = Object.entries(info.resources).filter(([url, one]) => {
        return one.type === kind && one.status === 200 && url !== page.url;
      });
      const [url] = had[Math.floor(random() * had.length)] ?? [];
      if (url === undefined) continue;
      const facts: CaptureFact[] = [];
      for await (const one of archive.catalog.captures({ url })) facts.push(one);
      if (facts.length === 0) continue;
      removals.push({ page: page.url, url });
      gone.push(...facts);
    }
  } finally {
    await archive.close();
  }
  cutRecords(copy, gone);
  await daguerre('reindex', '--archive', copy);
  return removals;
}
