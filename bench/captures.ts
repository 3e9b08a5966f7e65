/**
 * Captures in the browser with and without alternatives for other screens, and with other Chromiums:
 * `npx tsx bench/captures.ts [--json] [--pages N] [--rounds N] [--chrome PATH …]`. Pages per second from start to exit, and the most
 * memory that the command and all its children held at one time.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DAGUERRE } from './contest.ts';
import { median, print, round } from './figures.ts';
import { watchMemory } from './process-memory.ts';
import { startSite } from './site-server.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pages: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    chrome: { type: 'string', multiple: true, default: [] },
  },
});
const [pages, rounds] = [Number(values.pages), Number(values.rounds)];

interface Variant {
  readonly name: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const SHOWN: Variant = { name: '--alternatives shown', flags: ['--alternatives', 'shown'], env: {} };
const ALL: Variant = { name: '--alternatives all', flags: [], env: {} };
const variants: readonly Variant[] = [
  SHOWN,
  ALL,
  ...values.chrome.map((path) => ({
    name: `${SHOWN.name}, ${basename(path)}`,
    flags: SHOWN.flags,
    env: { CHROME_PATH: path },
  })),
];

const server = await startSite('screens', pages);
const runs = new Map(
  variants.map(({ name }) => [name, { rates: [] as number[], bytes: [] as number[], requests: 0 }]),
);
for (let turn = 0; turn < rounds; turn++) {
  for (const { name, flags, env } of variants) {
    const folder = await mkdtemp(join(tmpdir(), 'daguerre-bench-'));
    const settings = ['--json', '--delay', '0', '--allow-private', '--per-host', '2', ...flags];
    const started = performance.now();
    const child = spawn(
      process.execPath,
      [DAGUERRE, 'archive', server.url, '--archive', folder, ...settings],
      {
        env: { ...process.env, ...env },
        stdio: 'ignore',
      },
    );
    const memory = watchMemory(child.pid ?? 0);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    const run = runs.get(name);
    const counts = await server.takeCounts();
    if (code !== 0 || counts.pages !== pages)
      throw new Error(`${name}: exit code ${code}, ${counts.pages} pages`);
    run?.rates.push(pages / ((performance.now() - started) / 1000));
    run?.bytes.push(await memory.stop());
    if (run) run.requests = counts.requests;
    await rm(folder, { recursive: true });
  }
}
server.close();

const rate = (name: string): number => median(runs.get(name)?.rates ?? []);
print(
  {
    title: `Captures in the browser, ${pages} pages, two at once, median of ${rounds} rounds`,
    rows: [...runs].map(([name, { rates, bytes, requests }]) => ({
      what: name,
      'pages/s': round(median(rates), 2),
      'memory, MB': Math.round(Math.max(...bytes) / 1e6),
      requests,
    })),
    ratios: [{ what: 'alternatives all against shown, pages/s', value: rate(ALL.name) / rate(SHOWN.name) }],
    notes: [],
  },
  values.json,
);
