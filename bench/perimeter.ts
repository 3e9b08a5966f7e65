/**
 * What keeping to a perimeter costs a crawl: `npx tsx bench/perimeter.ts [--json] [--rounds N] [--pages N] [--rendered] [--together]`,
 * built.
 *
 * The same site over HTTP, or through Chromium as crawls are by default, with `--perimeter` and with `--scope-type any` alone, in turns, so
 * that a slow minute affects both. The perimeter includes the whole site: both crawls read the same pages. Its criteria are those of the
 * French web (languages, domains, countries, commercial, links to depth 2) with a weight for the language of the site. Both read the same
 * configuration file.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Contestant, contest, contestAtOnce, type Result, resultRow } from './contest.ts';
import { daguerreHttp, daguerreRendered } from './crawlers.ts';
import { meanRatio, print, type Ratio } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '12' },
    pages: { type: 'string' },
    rendered: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const pages = Number(values.pages ?? (values.rendered ? 100 : 2000));
const folder = mkdtempSync(join(tmpdir(), 'bench-perimeter-'));
const config = join(folder, 'web.yaml');
writeFileSync(
  config,
  `perimeters:
  site:
    prior: 1
    languages: { fr: 1.5, other: -1 }
    domains: { fr: 3, 127.0.0.1: 3, other: -0.5 }
    countries: { FR: 1, other: -0.5 }
    commercial: -0.5
    connectivity: [0.5, 0.25]
`,
);
const plain = values.rendered ? daguerreRendered(2) : daguerreHttp(1);
const withFlags = (name: string, flags: readonly string[]): Contestant => ({
  ...plain,
  name,
  command: (url, place) => [...plain.command(url, place), ...flags],
});
const [kept, free] = [
  withFlags('with a perimeter', ['--config', config, '--perimeter', 'site']),
  withFlags('without', ['--config', config, '--scope-type', 'any']),
];

const results = await (values.together ? contestAtOnce : contest)(
  values.rendered ? 'rich' : 'french',
  pages,
  rounds,
  [kept, free],
);
rmSync(folder, { recursive: true, force: true });

function ratios(by: 'seconds' | 'cpuSeconds', what: string): Ratio[] {
  const [mine, other] = [kept, free].map(({ name }) => (results.get(name) as Result)[by]);
  const { value, interval } = meanRatio(mine ?? [], other ?? []);
  return [{ what: `${what}, with ÷ without; interval ${interval}`, value, aim: 1.05, atMost: true }];
}

print(
  {
    title: `A crawl that keeps to a perimeter, ${values.rendered ? 'through Chromium' : 'over HTTP'}, ${pages} pages, ${rounds} rounds`,
    rows: [...results.values()].map(resultRow),
    ratios: [...ratios('cpuSeconds', 'processor time'), ...ratios('seconds', 'time')],
    notes: [],
  },
  values.json,
);
