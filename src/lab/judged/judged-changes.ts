/**
 * The judged changes: which of two changes a reader would rather be told of (docs/judged-changes.md). The table holds
 * only names and digests; the pages are read from their folders.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EditName, editPage, isEditName } from './page-edits.ts';

/** One change: two versions of a page (`<page>/<from>.html`), or a known edit of a styled page. */
export type ChangeName =
  | { readonly kind: 'versions'; readonly page: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'edit';
      readonly page: string;
      /** Path of the page, below the folder of annotated pages. */
      readonly file: string;
      readonly edits: readonly EditName[];
      readonly seed: number;
    };

export type Judgement = 'a' | 'b' | 'tie';

export interface JudgedSide {
  readonly change: ChangeName;
  /** Digests of the old and the new HTML. */
  readonly digests: readonly [old: string, now: string];
}

export interface JudgedComparison {
  readonly number: number;
  readonly styled: boolean;
  readonly a: JudgedSide;
  readonly b: JudgedSide;
  readonly judgement: Judgement;
  /** In a few words. */
  readonly reason: string;
  /** The second judgement, for comparisons judged twice. */
  readonly again?: Judgement;
}

export interface JudgedVersions {
  readonly change: ChangeName;
  readonly old: Uint8Array;
  readonly now: Uint8Array;
}

export interface JudgedFolders {
  /** Folder of `<page>/<UTC>.html`. */
  readonly versions: string;
  /** Folder of the annotated pages; `<site>/…/*.blocks.html`. */
  readonly annotated: string;
}

export const digestOf = (html: Uint8Array): string =>
  createHash('sha256').update(html).digest('hex').slice(0, 16);

export const COLUMNS = [
  'number',
  'styled',
  ...['a', 'b'].flatMap((side) => ['page', 'from', 'to', 'old', 'new'].map((name) => `${side}_${name}`)),
  'judgement',
  'reason',
  'again',
] as const;

const EDIT = /^(.+)#(\d+)$/u;

function sideOf(row: ReadonlyMap<string, string>, side: 'a' | 'b', styled: boolean): JudgedSide {
  const cell = (name: string): string => row.get(`${side}_${name}`) ?? '';
  const [page, from, to] = [cell('page'), cell('from'), cell('to')];
  const digests = [cell('old'), cell('new')] as const;
  if (!styled) return { change: { kind: 'versions', page, from, to }, digests };
  const [, names = '', seed] = EDIT.exec(to) ?? [];
  const edits = names.split('+').filter(isEditName);
  if (edits.join('+') !== names || !names) throw new RangeError(`'${to}' names no known edits of ${page}`);
  return { change: { kind: 'edit', page, file: from, edits, seed: Number(seed) }, digests };
}

const isJudgement = (cell: string | undefined): cell is Judgement =>
  cell === 'a' || cell === 'b' || cell === 'tie';

/** From `test/judged/changes.tsv`. */
export function readComparisons(table: string): JudgedComparison[] {
  const [head = '', ...rows] = table.trimEnd().split('\n');
  const names = head.split('\t');
  return rows.map((line, i) => {
    const row = new Map(line.split('\t').map((cell, at) => [names[at] ?? '', cell]));
    const [styled, judgement, again] = [row.get('styled') === 'true', row.get('judgement'), row.get('again')];
    if (!isJudgement(judgement)) throw new RangeError(`line ${i + 2}: '${judgement}' is not a, b or tie`);
    return {
      number: Number(row.get('number')),
      styled,
      a: sideOf(row, 'a', styled),
      b: sideOf(row, 'b', styled),
      judgement,
      reason: row.get('reason') ?? '',
      ...(isJudgement(again) ? { again } : {}),
    };
  });
}

/** The HTML of a change before and after; throws if a file is not the one that was judged. */
export async function changedPage(
  { change, digests }: JudgedSide,
  folders: JudgedFolders,
): Promise<JudgedVersions> {
  const { old, now } = await htmlOf(change, folders);
  if (digestOf(old) !== digests[0] || digestOf(now) !== digests[1]) {
    throw new Error(`${nameOf(change)} is not what was judged: its digest differs`);
  }
  return { change, old, now };
}

export const nameOf = (change: ChangeName): string =>
  change.kind === 'versions'
    ? `${change.page} ${change.from} → ${change.to}`
    : `${change.page} ${change.edits.join('+')}#${change.seed}`;

/** As bytes: a version declares its own character set. */
export async function htmlOf(
  change: ChangeName,
  folders: JudgedFolders,
): Promise<{ old: Uint8Array; now: Uint8Array }> {
  if (change.kind === 'versions') {
    const read = (version: string): Promise<Uint8Array> =>
      readFile(join(folders.versions, change.page, `${version}.html`));
    return { old: await read(change.from), now: await read(change.to) };
  }
  const page = await readFile(join(folders.annotated, change.file), 'utf8');
  const edited = editPage(page, change.edits, change.seed);
  if (!edited) throw new Error(`${nameOf(change)}: the page has no place for the edit`);
  return { old: Buffer.from(edited.old), now: Buffer.from(edited.now) };
}

export interface ReadComparison extends Pick<JudgedComparison, 'number' | 'styled' | 'judgement' | 'again'> {
  readonly a: JudgedVersions;
  readonly b: JudgedVersions;
}

/** The comparisons with their pages, one at a time: together they take some hundred megabytes. */
export async function* readPages(
  comparisons: Iterable<JudgedComparison>,
  folders: JudgedFolders,
): AsyncGenerator<ReadComparison> {
  for (const { a, b, ...comparison } of comparisons) {
    yield { ...comparison, a: await changedPage(a, folders), b: await changedPage(b, folders) };
  }
}
