/** Known edits, made in the HTML of real pages, and what comparing the two renderings reports about them. */
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { changeImportance } from '../../science/delta/change-importance.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import type { PlacedLayout } from '../../science/layout/layout-of.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { brokenChecks } from '../deltas/check-pair.ts';
import { stream } from '../newspaper/random.ts';
import { type EditKind, makeEdit, SINGLE_EDITS } from './page-edits.ts';
import { type KnownEditScore, scoreEdit } from './score-edit.ts';
import { shownElements } from './shown-elements.ts';
import { readSource, whole } from './source-html.ts';
import { expectedOperations, type ToldOperation, toldOperations, withoutLabelMoves } from './truth.ts';

/** How a page is rendered: as it is, once more, or in a window of another size. */
export type WayOfLooking = 'first' | 'again' | 'wider';

export interface EditedPage {
  readonly name: string;
  /** One character per byte: non-ASCII bytes stay as they are. */
  readonly html: string;
  /** Throws if the page cannot be shown. */
  readonly show: (html: string, look: WayOfLooking) => Promise<PageSnapshot>;
}

export interface EditsInput {
  readonly pages: AsyncIterable<EditedPage> | Iterable<EditedPage>;
  readonly seed: string;
  /** Number of edits of each kind on each page. */
  readonly each: number;
  /** Number of wrong operations listed for each kind of edit. */
  readonly told: number;
  readonly onEdit?: (page: string, kind: string) => void;
}

export interface StudiedEdit extends Pick<KnownEditScore, 'expected' | 'found' | 'right'> {
  readonly page: string;
  readonly kind: EditKind;
  readonly importance: number;
  readonly structure: number;
  /** Pictures reported as changed that nobody changed. */
  readonly falsePictures: number;
  readonly inexact: readonly string[];
  readonly words: readonly string[];
}

/** An unchanged page, rendered twice. */
export interface StudiedLook {
  readonly page: string;
  readonly look: Exclude<WayOfLooking, 'first'>;
  readonly importance: number;
  readonly operations: number;
}

export interface EditStudy {
  readonly pages: readonly string[];
  readonly edits: readonly StudiedEdit[];
  readonly looks: readonly StudiedLook[];
  readonly unseen: readonly { readonly page: string; readonly reason: string }[];
}

export const EDIT_KINDS: readonly EditKind[] = [...SINGLE_EDITS, 'five at once'];

const layoutOf = (snapshot: PageSnapshot, version: string): PlacedLayout => pageLayout(snapshot, { version });

export async function studyEdits(input: EditsInput): Promise<EditStudy> {
  const pages: string[] = [];
  const edits: StudiedEdit[] = [];
  const looks: StudiedLook[] = [];
  const unseen: { page: string; reason: string }[] = [];
  for await (const page of input.pages) {
    try {
      const source = readSource(page.html);
      const snapshot = await page.show(whole(source), 'first');
      const old = layoutOf(snapshot, 'old');
      const shown = shownElements(old, snapshot);
      if (shown.length === 0) {
        unseen.push({ page: page.name, reason: 'it shows no text, link or picture' });
        continue;
      }
      pages.push(page.name);
      for (const look of ['again', 'wider'] as const) {
        const now = layoutOf(await page.show(whole(source), look), 'new').layout;
        const delta = diffLayouts(old.layout, now);
        const { importance } = changeImportance(delta);
        looks.push({ page: page.name, look, importance, operations: delta.operations.length });
      }
      const made = EDIT_KINDS.flatMap((kind) =>
        Array.from({ length: input.each }, (_, nth) => {
          const random = stream(input.seed, page.name, kind, nth);
          const edit = makeEdit(kind, { source, shown, random });
          return edit ? [{ kind, edit }] : [];
        }).flat(),
      );
      // All at once: a browser spends most of its time waiting for a page to settle.
      const shownAfter = made.map(({ edit }) => page.show(whole(source, edit.splices), 'first'));
      for (const [i, after] of (await Promise.all(shownAfter)).entries()) {
        const { kind, edit } = made[i] as (typeof made)[number];
        edits.push(studyEdit(page.name, kind, { old, shown, after, moved: new Set(edit.moved) }, input.told));
        input.onEdit?.(page.name, kind);
      }
    } catch (error) {
      unseen.push({ page: page.name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { pages, edits, looks, unseen };
}

interface Edited {
  readonly old: PlacedLayout;
  readonly shown: ReturnType<typeof shownElements>;
  readonly after: PageSnapshot;
  readonly moved: ReadonlySet<number>;
}

function studyEdit(
  page: string,
  kind: EditKind,
  { old, shown, after, moved }: Edited,
  most: number,
): StudiedEdit {
  const now = layoutOf(after, 'new');
  const delta = diffLayouts(old.layout, now.layout);
  const told = toldOperations(delta, old.layout, now.layout);
  const versions = { olds: shown, news: shownElements(now, after), moved };
  const expected = withoutLabelMoves(expectedOperations(versions), versions);
  const { right, found, wrong, missed } = scoreEdit(expected, withoutLabelMoves(told.operations, versions));
  return {
    page,
    kind,
    expected: expected.length,
    found,
    right,
    importance: changeImportance(delta).importance,
    structure: told.structure,
    falsePictures: wrong.filter((one) => one.op === 'update' && one.kind === 'image').length,
    inexact: brokenChecks({ old: old.layout, now: now.layout, delta }).map(({ check }) => check),
    words: [
      ...wrong.map((one) => `told: ${inWords(one)}`),
      ...missed.map((one) => `missed: ${inWords(one)}`),
    ].slice(0, most),
  };
}

function inWords({ op, kind, old, new: now }: ToldOperation): string {
  const said = (value: ToldOperation['old']): string =>
    value === undefined
      ? ''
      : 'text' in value
        ? `"${value.text.slice(0, 60)}"`
        : `"${value.name.slice(0, 40)}" ${('address' in value ? value.address : value.source).slice(0, 80)}`;
  return `${op} ${kind} ${said(old)}${old && now ? ' → ' : ''}${said(now)}`;
}
