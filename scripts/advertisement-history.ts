/**
 * What the history of a page adds to the recognition of advertisements on the judged blocks (docs/judged-advertisements.md):
 *
 *   tsx scripts/advertisement-history.ts <folder of kept snapshots>
 *
 * Two kinds of evidence from the six versions before each judged one, each in several strengths: hosts that sold something
 * on the page before, and hosts whose addresses change from visit to visit. Each newsroom is judged by the rule that found
 * most on the others at a precision of at least .95 there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRecogniser } from '../src/capture/ads/index.ts';
import { hostOf, hostPasts, knownSellers } from '../src/lab/judged/ad-history.ts';
import { judgedNodes, readJudgedBlocks } from '../src/lab/judged/judged-blocks.ts';
import type { Layout } from '../src/model/layout.ts';
import type { PageSnapshot } from '../src/model/page-snapshot.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import { type AdJudge, adJudge } from '../src/science/layout/ad-signals.ts';
import { linkAddress } from '../src/science/layout/element-kinds.ts';
import { navigationNodes } from '../src/science/layout/navigation-nodes.ts';
import { pageLayout } from '../src/science/layout/page-layout.ts';
import { adCandidates } from './block-importance/ad-scores.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder of snapshots? see the head of this script');
const BEFORE = 6;
const LEAST_PRECISION = 0.95;
const { recogniser } = openRecogniser();

/** The snapshots that show something, in order of time: those without scripts if there are any. */
function looksOf(page: string): string[] {
  const files = readdirSync(join(folder as string, page)).sort();
  const plain = files.filter((name) => name.endsWith('-plain.json'));
  return plain.length > 0 ? plain : files.filter((name) => /^\d{8}T\d{6}Z-[0-9a-f]{12}\.json$/u.test(name));
}

const listsFor = (url: string) => ({
  byUrl: (address: string, kind: 'link' | 'image' | 'frame') =>
    recogniser.isAdvertisement(address, url, kind),
  hidden: (seen: { classes: string[]; ids: string[]; hrefs: string[] }) => recogniser.hidden(url, seen),
});

/** The judge as it is, extended to whatever leads to an address that the past incriminates; menus are left alone. */
function judgeWith(snapshot: PageSnapshot, sold: (url: string) => boolean): AdJudge {
  const judge = adJudge(snapshot, listsFor(snapshot.url));
  const navigation = navigationNodes(snapshot);
  const leadsTo = (node: number): string | undefined => {
    for (let i = node; i >= 0; i = snapshot.nodes[i]?.parent ?? -1) {
      const element = snapshot.nodes[i];
      const address = element?.kind === 'element' ? linkAddress(element) : undefined;
      if (address !== undefined) return address;
    }
    return undefined;
  };
  return (url, kind, node) => judge(url, kind, node) || (navigation[node] === 0 && sold(leadsTo(node) ?? ''));
}

type Rule = (pageUrl: string, earlier: readonly Layout[]) => (url: string) => boolean;
const RULES = new Map<string, Rule>([['none', () => () => false]]);
for (const links of [1, 3, 6])
  for (const share of [0.3, 0.5, 0.7, 0.9])
    RULES.set(`sold before, ${share} of ${links} links`, (url, earlier) =>
      knownSellers(url, earlier, { links, share }),
    );
const siteOf = (url: string): string | undefined => hostOf(url)?.split('.').slice(-2).join('.');
for (const turnover of [1.5, 2, 3]) {
  const turnsOver = (
    pageUrl: string,
    earlier: readonly Layout[],
    ofSite: boolean,
  ): ((url: string) => boolean) => {
    const pasts = hostPasts(pageUrl, earlier);
    return (url) => {
      const past = pasts.get(hostOf(url) ?? '');
      if (past === undefined || (ofSite && siteOf(url) !== siteOf(pageUrl))) return false;
      return past.versions === earlier.length && past.turnover >= turnover;
    };
  };
  RULES.set(`turns over ${turnover} times`, (url, earlier) => turnsOver(url, earlier, false));
  RULES.set(`turns over ${turnover} times, on the site's other hosts`, (url, earlier) =>
    turnsOver(url, earlier, true),
  );
}

interface History {
  readonly page: string;
  readonly now: PageSnapshot;
  readonly earlier: readonly Layout[];
}

const histories = new Map<string, History[]>();
function historiesOf(page: string): History[] {
  const known = histories.get(page);
  if (known) return known;
  const looks = looksOf(page);
  const read = (name: string): PageSnapshot =>
    unpackSnapshot(readFileSync(join(folder as string, page, name), 'utf8'));
  const found = [1, 2, 3].map((third): History => {
    const at = Math.max(BEFORE, Math.floor((third * looks.length) / 3) - 1);
    const earlier = looks.slice(at - BEFORE, at).map((name) => {
      const snapshot = read(name);
      return pageLayout(snapshot, { version: name, ads: listsFor(snapshot.url) }).layout;
    });
    return { page, now: read(looks[at] as string), earlier };
  });
  histories.set(page, found);
  return found;
}

interface Counts {
  right: number;
  wrong: number;
  all: number;
}
/** gmx.net and web.de are one newsroom. */
const newsroomOf = (page: string): string => (page === 'news-web.de-index' ? 'news-gmx.net-index' : page);
const counts = new Map<string, Map<string, Counts>>();

function score(
  rule: string,
  page: string,
  judged: ReturnType<typeof judgedNodes>,
  snapshot: PageSnapshot,
  sold: (url: string) => boolean,
): void {
  const bySite = counts.get(rule) ?? new Map<string, Counts>();
  counts.set(rule, bySite);
  const own = bySite.get(newsroomOf(page)) ?? { right: 0, wrong: 0, all: 0 };
  bySite.set(newsroomOf(page), own);
  const judge = judgeWith(snapshot, sold);
  for (const { node, url, kind } of adCandidates(snapshot)) {
    const truth = judged[node];
    if (truth === undefined || truth === 'mixed') continue;
    const said = judge(url, kind, node);
    if (truth !== 'none') own.all++;
    if (said) own[truth === 'none' ? 'wrong' : 'right']++;
  }
}

for (const judged of readJudgedBlocks(
  readFileSync(new URL('../test/judged/advertisements.tsv', import.meta.url), 'utf8'),
)) {
  const looks = looksOf(judged.page);
  const at = looks.findIndex((name) => name.startsWith(judged.version));
  const read = (name: string): PageSnapshot =>
    unpackSnapshot(readFileSync(join(folder, judged.page, name), 'utf8'));
  const now = read(looks[at] as string);
  const earlier = looks.slice(Math.max(0, at - BEFORE), at).map((name) => {
    const snapshot = read(name);
    return pageLayout(snapshot, { version: name, ads: listsFor(snapshot.url) }).layout;
  });
  const of = judgedNodes(now, judged);
  for (const [name, rule] of RULES) score(name, judged.page, of, now, rule(now.url, earlier));
}

const sum = (all: readonly Counts[]): Counts => ({
  right: all.reduce((total, { right }) => total + right, 0),
  wrong: all.reduce((total, { wrong }) => total + wrong, 0),
  all: all.reduce((total, one) => total + one.all, 0),
});
const told = ({ right, wrong, all }: Counts): string =>
  `right ${right} wrong ${wrong} precision ${(right / (right + wrong)).toFixed(3)} recall ${(right / all).toFixed(3)}`;
for (const [rule, bySite] of counts) console.log(rule.padEnd(36), told(sum([...bySite.values()])));

/** For each kind of evidence, the strength chosen without the newsroom being judged. */
const newsrooms = [...new Set([...(counts.get('none')?.keys() ?? [])])];
for (const kind of ['sold before', 'turns over', '']) {
  const chosen = newsrooms.map((site) => {
    const others = (rule: string): Counts =>
      sum([...(counts.get(rule) ?? [])].filter(([name]) => name !== site).map(([, one]) => one));
    const best = [...counts.keys()]
      .filter((rule) => rule === 'none' || rule.startsWith(kind))
      .filter((rule) => others(rule).right >= LEAST_PRECISION * (others(rule).right + others(rule).wrong))
      .reduce((a, b) => (others(b).right > others(a).right ? b : a));
    return { site, best, one: counts.get(best)?.get(site) as Counts };
  });
  console.log(
    `\n${kind === '' ? 'any' : kind}, each newsroom left out: ${told(sum(chosen.map(({ one }) => one)))}`,
  );
  for (const { site, best, one } of chosen)
    console.log(`  ${site.padEnd(30)} ${best.padEnd(34)} ${told(one)}`);
}

/** Pages without any advertising: whatever a rule finds there is wrong. Three versions of each. */
console.log('\nlinks taken for advertisements on pages that have none');
const plainPages = readdirSync(folder).filter((page) => !page.startsWith('news-'));
for (const [name, rule] of RULES) {
  if (name === 'none') continue;
  let [found, all] = [0, 0];
  const on = new Set<string>();
  for (const { page, now, earlier } of plainPages.flatMap(historiesOf)) {
    const judge = judgeWith(now, rule(now.url, earlier));
    for (const { node, url, kind } of adCandidates(now)) {
      if (kind !== 'link') continue;
      all++;
      if (!judge(url, kind, node)) continue;
      found++;
      on.add(page);
    }
  }
  console.log(name.padEnd(50), `${found} of ${all} ${[...on].join(' ')}`);
}
