/**
 * What each behaviour costs on real saved pages, and what it gains: seconds and requests per page, one page at a time.
 *
 *   npx tsx bench/behaviors.ts --set DIR [--pages 20] [--only autoclick] [--out DIR]
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openForReading } from '../src/archive/open/open-archive.ts';
import { textOf } from '../src/model/body.ts';
import { isWebCapture, type PageInfo } from '../src/model/capture.ts';
import { BEHAVIORS } from '../src/model/page-spec.ts';
import { startSavedPages } from './check/saved-pages.ts';
import { runCommand } from './run-command.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    pages: { type: 'string', default: '20' },
    only: { type: 'string' },
    out: { type: 'string', default: 'behaviors-bench' },
  },
});
if (values.set === undefined) throw new Error('--set: a folder of saved pages, each with an index.dom.html');
mkdirSync(values.out, { recursive: true });
const site = await startSavedPages(values.set, undefined, 1000);
const count = Number(values.pages);
const step = Math.floor(site.pages.length / count);
const pages = site.pages.filter((_, i) => i % step === 0).slice(0, count);
try {
  for (const behavior of values.only === undefined ? ['none', ...BEHAVIORS] : ['none', values.only]) {
    const archive = join(values.out, behavior);
    rmSync(archive, { recursive: true, force: true });
    const seeds = pages.map((page) => site.origin + page);
    const how = ['--scope-type', 'page', '--workers', '1', '--delay', '0', '--no-robots', '--allow-private'];
    const given = ['--behaviors', behavior, '--archive', archive, '--json'];
    const { stdout } = await runCommand(['node', 'bin/daguerre.js', 'archive', ...seeds, ...how, ...given]);
    const { duration } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { duration: number };
    const { requests, ends } = await whatCame(archive);
    console.log(
      `${behavior.padEnd(12)} ${(duration / 1000 / count).toFixed(2)} s and ${(requests / count).toFixed(1)} answers a page${ends}`,
    );
  }
} finally {
  await site.close();
}

async function whatCame(folder: string): Promise<{ readonly requests: number; readonly ends: string }> {
  const archive = await openForReading({ archive: folder });
  let requests = 0;
  const ends = new Map<string, number>();
  try {
    for await (const fact of archive.catalog.captures({})) {
      if (isWebCapture(fact)) requests++;
      if (!fact.url.startsWith('urn:pageinfo:')) continue;
      const { facts } = JSON.parse(await textOf((await archive.reader.read(fact)).payload)) as PageInfo;
      for (const one of facts) {
        const end = /^behaviour \S+ (ended|failed|was stopped)/.exec(one)?.[1];
        if (end !== undefined) ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    }
  } finally {
    await archive.close();
  }
  const told = [...ends].map(([end, times]) => `${times} ${end}`).join(', ');
  return { requests, ends: told === '' ? '' : ` (${told})` };
}
