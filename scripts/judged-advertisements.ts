/**
 * How well advertisements are recognised on the judged blocks (docs/judged-advertisements.md):
 *
 *   tsx scripts/judged-advertisements.ts <folder of kept snapshots> [wrong|missed]
 *
 * The folder is the one of `lab deltas --snapshots`. The second argument lists what is judged wrongly.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRecogniser } from '../src/capture/ads/index.ts';
import { judgedNodes, readJudgedBlocks } from '../src/lab/judged/judged-blocks.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import { adJudge } from '../src/science/layout/ad-signals.ts';
import { adCandidates } from './block-importance/ad-scores.ts';

const [folder, listed] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder of snapshots? see the head of this script');
const { recogniser, fact } = openRecogniser();
console.log(fact);

interface Counts {
  right: number;
  wrong: number;
  /** Third-party advertisements, and promos, that were not found. */
  missed: { ad: number; promo: number };
  found: { ad: number; promo: number };
}
const fresh = (): Counts => ({ right: 0, wrong: 0, missed: { ad: 0, promo: 0 }, found: { ad: 0, promo: 0 } });

/** The snapshot that shows something: the one without scripts if there is one. */
function snapshotFile(page: string, version: string): string {
  const files = readdirSync(join(folder as string, page)).filter((file) => file.startsWith(`${version}-`));
  const file = files.find((name) => name.endsWith('-plain.json')) ?? files[0];
  if (file === undefined) throw new Error(`${folder} holds no snapshot of ${page} ${version}`);
  return join(folder as string, page, file);
}

const sites = new Map<string, Counts>();
let spent = 0;
for (const judged of readJudgedBlocks(
  readFileSync(new URL('../test/judged/advertisements.tsv', import.meta.url), 'utf8'),
)) {
  const snapshot = unpackSnapshot(readFileSync(snapshotFile(judged.page, judged.version), 'utf8'));
  const of = judgedNodes(snapshot, judged);
  const { url } = snapshot;
  const start = process.cpuUsage();
  const judge = adJudge(snapshot, {
    byUrl: (address, kind) => recogniser.isAdvertisement(address, url, kind),
    hidden: (seen) => recogniser.hidden(url, seen),
  });
  const said = adCandidates(snapshot).map((one) => ({ ...one, said: judge(one.url, one.kind, one.node) }));
  const { user, system } = process.cpuUsage(start);
  spent += (user + system) / 1000;
  const counts = sites.get(judged.page) ?? fresh();
  sites.set(judged.page, counts);
  for (const { node, url: address, kind, said: isAd } of said) {
    const truth = of[node];
    if (truth === undefined || truth === 'mixed') continue;
    if (truth === 'none') counts.wrong += isAd ? 1 : 0;
    else counts[isAd ? 'found' : 'missed'][truth]++;
    if (truth !== 'none' && isAd) counts.right++;
    if (listed === 'wrong' && truth === 'none' && isAd)
      console.log('wrong', judged.page, judged.version, kind, node, address);
    if (listed === 'missed' && truth !== 'none' && !isAd)
      console.log('missed', judged.page, judged.version, truth, kind, node, address);
  }
}

const share = (part: number, all: number): string => (all === 0 ? '  - ' : (part / all).toFixed(3));
function line(name: string, { right, wrong, found, missed }: Counts): void {
  const all = right + missed.ad + missed.promo;
  console.log(
    name.padEnd(30),
    `right ${right} wrong ${wrong} missed ${all - right}`.padEnd(36),
    `precision ${share(right, right + wrong)} recall ${share(right, all)}`,
    `(ads ${share(found.ad, found.ad + missed.ad)}, promos ${share(found.promo, found.promo + missed.promo)})`,
  );
}
const total = fresh();
for (const [site, counts] of sites) {
  line(site, counts);
  total.right += counts.right;
  total.wrong += counts.wrong;
  for (const kind of ['ad', 'promo'] as const) {
    total.found[kind] += counts.found[kind];
    total.missed[kind] += counts.missed[kind];
  }
}
line('all', total);
console.log(`${(spent / 14).toFixed(1)} ms of processor time a page`);
