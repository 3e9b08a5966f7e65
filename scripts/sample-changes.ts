/**
 * Draws the comparisons of docs/judged-changes.md:
 *
 *   tsx scripts/sample-changes.ts <folder of versions> <folder of annotated pages> <table.tsv> <folder for the judge>
 *
 * The table gets names and digests, with the judgements left open; the folder gets the changes as lines to read, by
 * page, followed by the comparisons. It contains texts of the pages: keep it out of the project. No score is computed;
 * changes are spread over sizes by the number of lines that differ.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { versionTime } from '../src/lab/deltas/version-time.ts';
import { type ChangeName, COLUMNS, digestOf } from '../src/lab/judged/judged-changes.ts';
import { lineDiff } from '../src/lab/judged/line-diff.ts';
import { EDIT_NAMES, type EditName, editPage } from '../src/lab/judged/page-edits.ts';
import { readableLines } from '../src/lab/judged/readable-lines.ts';
import { stream } from '../src/lab/newspaper/random.ts';

const SEED = 15;
/** Most lines of a change shown to the judge, and most letters of each. */
const [SHOWN_LINES, SHOWN_LETTERS] = [26, 120];
const HOUR = 3600;
const DAY = 24 * HOUR;

interface Drawn {
  readonly name: ChangeName;
  readonly group: string;
  readonly digests: readonly [string, string];
  readonly shown: readonly string[];
  readonly size: number;
}

const [versions, annotated, table, judge] = process.argv.slice(2);
if (!versions || !annotated || !table || !judge)
  throw new Error('four arguments: see the head of this script');
const random = stream('judged-changes', SEED);

const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

function drawVersions(page: string): Drawn[] {
  const names = readdirSync(join(versions as string, page))
    .filter((file) => file.endsWith('.html'))
    .sort()
    .map((file) => file.slice(0, -'.html'.length));
  const read = (version: string): Buffer => readFileSync(join(versions as string, page, `${version}.html`));
  const all = names.slice(1).map((to, i) => {
    const from = names[i] as string;
    const gap = (versionTime(to) ?? 0) - (versionTime(from) ?? 0);
    return { from, to, gap };
  });
  const changed = (pairs: typeof all, most: number): Drawn[] => {
    const found: Drawn[] = [];
    for (const { from, to } of random.sample(pairs, pairs.length)) {
      if (found.length >= most) break;
      const [old, now] = [read(from), read(to)];
      const { told, lines } = lineDiff(readableLines(old.toString()), readableLines(now.toString()));
      if (told.length === 0) continue;
      found.push({
        name: { kind: 'versions', page, from, to },
        group: page,
        digests: [digestOf(old), digestOf(now)],
        shown: shownLines(told, lines),
        size: told.length,
      });
    }
    return found;
  };
  if (!page.startsWith('news-')) return spread(changed(all, 60), 10);
  return [
    ...spread(
      changed(
        all.filter(({ gap }) => gap < 6 * HOUR),
        40,
      ),
      14,
    ),
    ...changed(
      all.filter(({ gap }) => gap > 20 * DAY),
      3,
    ),
  ];
}

/** Small and large ones alike: evenly over the ranking by size. */
function spread(list: readonly Drawn[], count: number): Drawn[] {
  const ordered = list.toSorted((a, b) => a.size - b.size);
  if (ordered.length <= count) return ordered;
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i, i + 1].map((k) => Math.floor((k * ordered.length) / count)) as [number, number];
    return ordered[from + random.int(to - from)] as Drawn;
  });
}

function shownLines(told: ReturnType<typeof lineDiff>['told'], lines: number): string[] {
  const seen = new Set<string>();
  const fresh = told.filter(({ mark, text }) => {
    const key = mark + text.replace(/^[#>!] /u, '');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const shown = fresh
    .slice(0, SHOWN_LINES)
    .map(
      ({ mark, at, text }) =>
        `${mark}${at}% ${shorten(text, mark === '*' ? 2 * SHOWN_LETTERS : SHOWN_LETTERS)}`,
    );
  const counts = ['+', '-', '*', '~'].map(
    (mark) => `${told.filter((one) => one.mark === mark).length}${mark}`,
  );
  return [`${counts.join(' ')} of ${lines} lines`, ...shown, ...(fresh.length > SHOWN_LINES ? ['…'] : [])];
}

const COUNTS_NOTHING = new Set<EditName>(['clock', 'counter', 'relative-date', 'advertisement']);
const WHOLE_PAGE = new Set<EditName>(['emptied', 'error-page']);

/** One edit, or occasionally two or three at once. */
function drawNames(possible: readonly EditName[]): EditName[] {
  const single = random.pick(possible);
  if (WHOLE_PAGE.has(single) || random.chance(0.6)) return [single];
  const parts = possible.filter((name) => !WHOLE_PAGE.has(name));
  return EDIT_NAMES.filter((name) => new Set(random.sample(parts, 2 + random.int(2))).has(name));
}

/** Changes of a page with enough to edit; at most one of them of the whole page, and two that count nothing. */
function drawEdits(file: string, count: number): Drawn[] {
  const html = readFileSync(join(annotated as string, file), 'utf8');
  const text = readableLines(html).join(' ');
  // Pages saved in a wrong character set cannot be read, nor edited in their language.
  if (text.length < 700 || (text.match(/[^\x20-\x7e]/gu)?.length ?? 0) > 0.05 * text.length) return [];
  const page = file.split('/')[0] as string;
  const possible = EDIT_NAMES.filter((name) => editPage(html, [name], 1));
  if (possible.length < 12) return [];
  const drawn: Drawn[] = [];
  let [empty, whole] = [0, 0];
  for (let tries = 0; drawn.length < count && tries < 100; tries++) {
    const edits = drawNames(possible);
    if (edits.every((name) => COUNTS_NOTHING.has(name)) && ++empty > 2) continue;
    if (edits.some((name) => WHOLE_PAGE.has(name)) && ++whole > 1) continue;
    const seed = random.int(1000);
    const pair = editPage(html, edits, seed);
    if (!pair) continue;
    drawn.push({
      name: { kind: 'edit', page, file, edits, seed },
      group: page,
      digests: [digestOf(Buffer.from(pair.old)), digestOf(Buffer.from(pair.now))],
      shown: [`${text.length} letters on the page`, ...pair.told],
      size: 0,
    });
  }
  return drawn;
}

function annotatedFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.blocks.html'))
    .sort();
}

type Pair = readonly [Drawn, Drawn];

/** Different pairs from a list that `may` allows, with sides in random order. */
function pairsOf(list: readonly Drawn[], count: number, may: (a: Drawn, b: Drawn) => boolean): Pair[] {
  const all = list
    .flatMap((a, i) => list.slice(i + 1).map((b): Pair => [a, b]))
    .filter(([a, b]) => may(a, b));
  return random.sample(all, count).map(([a, b]) => (random.chance(0.5) ? [a, b] : [b, a]));
}

const rows: string[] = [];
const codes = new Map<Drawn, string>();
mkdirSync(judge, { recursive: true });

function write(file: string, changes: readonly Drawn[], pairs: readonly Pair[], styled: boolean): void {
  for (const one of changes) codes.set(one, codes.get(one) ?? `C${codes.size + 1}`);
  const lines = changes.flatMap((one) => [`## ${codes.get(one)} ${one.group}`, ...one.shown, '']);
  for (const [a, b] of pairs) {
    const number = rows.length + 1;
    lines.push(`${number}: a=${codes.get(a)} b=${codes.get(b)}`);
    const cells = [a, b].flatMap(({ name, digests }) =>
      name.kind === 'versions'
        ? [name.page, name.from, name.to, ...digests]
        : [name.page, name.file, `${name.edits.join('+')}#${name.seed}`, ...digests],
    );
    rows.push([number, styled, ...cells, '', '', ''].join('\t'));
  }
  writeFileSync(join(judge as string, file), `${lines.join('\n')}\n`);
}

const drawn: Drawn[] = [];
for (const page of readdirSync(versions).sort()) {
  const changes = drawVersions(page);
  const pairs = pairsOf(changes, page.startsWith('news-') ? 16 : 6, () => true);
  write(`${page}.txt`, random.sample(changes, changes.length), pairs, false);
  drawn.push(...changes);
}
write(
  'across.txt',
  [],
  pairsOf(drawn, 60, (a, b) => a.group !== b.group),
  false,
);

const edited: Drawn[] = [];
const within: Pair[] = [];
for (const file of random.sample(annotatedFiles(annotated), 1000)) {
  const changes = within.length < 75 ? drawEdits(file, 6) : [];
  edited.push(...changes);
  within.push(...pairsOf(changes, 3, () => true));
}
write('styled.txt', edited, within, true);
write(
  'styled-across.txt',
  [],
  pairsOf(edited, 30, (a, b) => a.group !== b.group),
  true,
);

mkdirSync(dirname(table), { recursive: true });
writeFileSync(table, `${[COLUMNS.join('\t'), ...rows].join('\n')}\n`);
console.log(`${rows.length} comparisons of ${codes.size} changes; to read: ${basename(judge)}/`);
