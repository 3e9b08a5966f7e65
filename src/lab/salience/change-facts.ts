/** What every score of a change is computed from: both sides rendered, segmented and compared once. */
import type { Layout } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { changeImportance } from '../../science/delta/change-importance.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import type { Finding } from '../../science/delta/salience/finding.ts';
import { findingsOf } from '../../science/delta/salience/findings.ts';
import { wordDistance, wordsOf } from '../../science/delta/vi-diff/text-distance.ts';
import type { AdLists } from '../../science/layout/ad-signals.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { leavesIn } from '../../science/layout/segment-leaves.ts';

export interface ShownChange {
  /** `nameOf` of the judged change. */
  readonly name: string;
  readonly page: string;
  readonly old: PageSnapshot;
  readonly new: PageSnapshot;
}

export interface JudgedFacts {
  readonly page: string;
  readonly findings: readonly Finding[];
  /** E. */
  readonly importance: number;
  /** The plain share of changed text: words of both versions that the other one lacks. */
  readonly changedText: number;
}

export function changeFacts(change: ShownChange, ads?: (url: string) => AdLists): JudgedFacts {
  const layoutOf = (snapshot: PageSnapshot, version: string, previous?: Layout): Layout =>
    pageLayout(snapshot, { version, previous, ...(ads && { ads: ads(snapshot.url) }) }).layout;
  const old = layoutOf(change.old, 'old');
  const now = layoutOf(change.new, 'new', old);
  const delta = diffLayouts(old, now);
  return {
    page: change.page,
    findings: findingsOf({ old, new: now, delta }),
    importance: changeImportance(delta).importance,
    changedText: wordDistance(wordsOn(old), wordsOn(now)),
  };
}

const wordsOn = ({ root }: Layout): string[] =>
  leavesIn(root, ({ blocks }) => blocks).flatMap(({ links, texts }) =>
    [...links.map(({ name }) => name), ...texts.map(({ text }) => text)].flatMap(wordsOf),
  );
