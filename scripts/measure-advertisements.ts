/**
 * How many of the advertisements that people marked are recognised, by lists, by signals, by both:
 *
 *   tsx scripts/measure-advertisements.ts <folder of snapshots> [filter lists …]
 *
 * The folder is the one of train-block-importance.ts, or of `lab segment --snapshots`. Pages were saved with their files, so addresses of
 * pictures are local ones; the site's own host is restored for them, the hosts of third-party pictures are lost.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRecogniser } from '../src/capture/ads/index.ts';
import type { PageSnapshot } from '../src/model/page-snapshot.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import { type AdLists, adJudge, hiddenNodes } from '../src/science/layout/ad-signals.ts';
import { adScores, type JudgedPage } from './block-importance/ad-scores.ts';

const [folder, ...files] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder of snapshots? see the head of this script');
const { recogniser, fact } = openRecogniser({ lists: files });
console.log(fact);

function readPage(site: string, text: string): PageSnapshot {
  const own = (JSON.parse(text) as PageSnapshot).url.replace(/[^/]*$/, '');
  return JSON.parse(text.replaceAll(own, `http://${site}/`)) as PageSnapshot;
}

/** `<site>.json` is read as it is, `<site>/annotated-….json` is packed. */
const snapshots = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  if (entry.isFile() && entry.name.endsWith('.json')) {
    return [readPage(entry.name.slice(0, -'.json'.length), readFileSync(join(folder, entry.name), 'utf8'))];
  }
  if (!entry.isDirectory()) return [];
  return readdirSync(join(folder, entry.name)).map((file) => {
    const packed = readFileSync(join(folder, entry.name, file), 'utf8');
    return readPage(entry.name, JSON.stringify(unpackSnapshot(packed)));
  });
});
const listsFor = ({ url }: PageSnapshot): AdLists => ({
  byUrl: (address, kind) => recogniser.isAdvertisement(address, url, kind),
  hidden: (seen) => recogniser.hidden(url, seen),
});
const judged = (judge: (snapshot: PageSnapshot) => JudgedPage['judge']): JudgedPage[] =>
  snapshots.map((snapshot) => ({ snapshot, judge: judge(snapshot) }));

const byLists = judged((snapshot) => {
  const lists = listsFor(snapshot);
  const hidden = hiddenNodes(snapshot, lists);
  return (url, kind, node) => hidden[node] === 1 || lists.byUrl(url, kind);
});
console.log('lists', adScores(byLists));
console.log('signals', adScores(judged((snapshot) => adJudge(snapshot))));
console.log('both', adScores(judged((snapshot) => adJudge(snapshot, listsFor(snapshot)))));
