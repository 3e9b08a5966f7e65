/**
 * Mining the rules of a large site: `npx tsx bench/near.ts [--json] [--nodes N] [--versions V] [--fan-out F]`.
 *
 * A synthetic tree of N nodes (one in F of them a directory, ten by default, eight levels), 1 % of whose pages change from one version to
 * the next, is compared version by version and mined. For comparison, half the nodes, half the versions, and one version more on top of
 * those that are mined. Each runs in its own process, so that its memory is its own. Making the versions is not counted. Milliseconds are
 * of processor time.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SyntheticSite } from '../src/lab/evolution/synthetic-tree.ts';
import { DeltaTree } from '../src/science/evolution/delta-tree.ts';
import { mineRules, NearMiner } from '../src/science/evolution/near-miner.ts';
import { print, round } from './figures.ts';

interface Figures {
  readonly nodes: number;
  readonly versions: number;
  readonly directories: number;
  readonly compareMillis: number;
  readonly mineMillis: number;
  readonly oneMoreMillis: number;
  /** How much of that went into the rules, and how many of their partitions were searched again. */
  readonly oneMoreRulesMillis: number;
  readonly searched: number;
  readonly rules: number;
  readonly megabytes: number;
}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '1000000' },
    versions: { type: 'string', default: '52' },
    'fan-out': { type: 'string', default: '10' },
    one: { type: 'boolean', default: false },
  },
});

/** Low enough for lively directories, which change in every second version, to form patterns. */
const THRESHOLDS = { alpha: 0.3, beta: 0.2, theta: 0.5 };

function measure(nodes: number, versions: number): Figures {
  const site = new SyntheticSite({
    nodes,
    fanOut: Number(values['fan-out']),
    depth: 8,
    change: 0.01,
    seed: 1,
  });
  const deltas = new DeltaTree();
  const miner = new NearMiner(deltas, THRESHOLDS);
  let compareMillis = 0;
  for (let k = 0; k < versions; k++) {
    const pages = site.pages();
    compareMillis += cpuMillis(() => deltas.add(pages));
    site.advance();
  }
  const mineMillis = cpuMillis(() => miner.update());
  const next = site.pages();
  let searched = 0;
  const added = cpuMillis(() => deltas.add(next));
  const oneMoreRulesMillis = cpuMillis(() => {
    searched = miner.update();
  });
  const rules = miner.rules();
  const fromScratch = mineRules(deltas, THRESHOLDS);
  if (JSON.stringify(rules) !== JSON.stringify(fromScratch))
    throw new Error('one more version gives other rules than mining from scratch');
  return {
    nodes,
    versions,
    directories: deltas.tree.size,
    compareMillis,
    mineMillis,
    oneMoreMillis: added + oneMoreRulesMillis,
    oneMoreRulesMillis,
    searched,
    rules: rules.length,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

function cpuMillis(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function inOwnProcess(nodes: number, versions: number): Figures {
  const path = fileURLToPath(import.meta.url);
  const args = [
    '--one',
    '--nodes',
    String(nodes),
    '--versions',
    String(versions),
    '--fan-out',
    values['fan-out'],
  ];
  const { stdout, status } = spawnSync(process.execPath, [...process.execArgv, path, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`mining ${nodes} nodes ended with exit code ${status}`);
  return JSON.parse(stdout) as Figures;
}

const [nodes, versions] = [Number(values.nodes), Number(values.versions)];
if (values.one) {
  process.stdout.write(JSON.stringify(measure(nodes, versions)));
} else {
  const whole = inOwnProcess(nodes, versions);
  const halfTree = inOwnProcess(Math.round(nodes / 2), versions);
  const halfHistory = inOwnProcess(nodes, Math.round(versions / 2));
  const scratch = ({ compareMillis, mineMillis }: Figures): number => compareMillis + mineMillis;
  print(
    {
      title: 'Rules of a large site (NEAR-Miner): comparing its versions and mining them',
      rows: [whole, halfTree, halfHistory].map((each) => ({
        nodes: each.nodes,
        versions: each.versions,
        directories: each.directories,
        'comparing, ms of processor': round(each.compareMillis, 0),
        'mining, ms': round(each.mineMillis, 0),
        'one more version, ms': round(each.oneMoreMillis, 0),
        'of which rules, ms': round(each.oneMoreRulesMillis, 0),
        'partitions searched again': each.searched,
        rules: each.rules,
        'memory, MB': round(each.megabytes, 0),
      })),
      ratios: [
        {
          what: `mining, ${nodes} nodes against ${halfTree.nodes}, time`,
          value: scratch(whole) / scratch(halfTree),
          aim: 2.3,
          atMost: true,
        },
        {
          what: `mining, ${versions} versions against ${halfHistory.versions}, time`,
          value: scratch(whole) / scratch(halfHistory),
          aim: 2.3,
          atMost: true,
        },
        {
          what: 'one more version against mining from scratch, time',
          value: whole.oneMoreMillis / scratch(whole),
          aim: 0.05,
          atMost: true,
        },
        { what: `memory of mining ${nodes} nodes, GB`, value: whole.megabytes / 1024, aim: 4, atMost: true },
      ],
      notes: [
        'One more version gave the rules that mining from scratch gives, or this would have ended in an error.',
      ],
    },
    values.json,
  );
}
