/**
 * What to keep of layouts and deltas: "Further study is necessary to work on the best storage strategies to be chosen"
 * (IWAW 2009 §3.1). Sizes as in records, one gzip member each; time to reach the layout of any version.
 */
import { gzipSync } from 'node:zlib';
import type { Layout } from '../../model/layout.ts';
import { applyDelta } from '../../science/delta/apply-delta.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { parseViDelta } from '../../science/delta/read-vi-delta.ts';
import { writeViDelta } from '../../science/delta/vi-delta.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { parseViXml, writeViXml } from '../../science/layout/vi-xml.ts';
import { type Row, Skipped } from '../experiment/experiment.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { type PaperExperiment, paperExperiment } from './paper-experiment.ts';
import { cpu } from './processor-time.ts';
import { NO_PAGES } from './shown-pages.ts';
import { mean } from './statistics.ts';
import { PAPER } from './vi-diff-pages.ts';

/** Versions from one whole layout to the next; 1: all are whole. */
const CHECKPOINTS = [1, 5, 10, 20] as const;

interface KeptVersion {
  readonly viXml: string;
  /** From the previous version; '' for the first of a page. */
  readonly viDelta: string;
}

interface Strategy {
  readonly every: number;
  /** Bytes of layouts, alone and with the deltas, which are kept in any case because changes are queried. */
  readonly layouts: number;
  readonly withDeltas: number;
  /** Milliseconds of processor time, mean over all versions. */
  readonly toAny: number;
}

function layoutAt(versions: readonly KeptVersion[], index: number, every: number): Layout {
  const from = index - (index % every);
  let layout = parseViXml((versions[from] as KeptVersion).viXml);
  for (let k = from + 1; k <= index; k++)
    layout = applyDelta(parseViDelta((versions[k] as KeptVersion).viDelta), layout);
  return layout;
}

function measure(pages: readonly (readonly KeptVersion[])[], every: number): Strategy {
  const packed = (text: string): number => gzipSync(text).length;
  let [layouts, deltas, milliseconds, count] = [0, 0, 0, 0];
  for (const versions of pages) {
    versions.forEach(({ viXml, viDelta }, index) => {
      if (index % every === 0) layouts += packed(viXml);
      if (viDelta !== '') deltas += packed(viDelta);
      milliseconds += cpu(() => layoutAt(versions, index, every)).milliseconds;
      count++;
    });
  }
  return { every, layouts, withDeltas: layouts + deltas, toAny: milliseconds / count };
}

const storage = paperExperiment<Strategy[]>({
  name: 'vi-diff-storage',
  title: 'What to keep: every layout, or some and the deltas between',
  paper: PAPER,
  figure: '§3.1',
  method:
    'Successive versions of real pages. Deltas are kept in any case: changes are asked for. Whole layouts at every version, or at each ' +
    '5th, 10th, 20th; the others are made from the last whole one by the deltas. Bytes in gzip members; processor time to the layout ' +
    'of a version, parsing included, mean over all versions.',
  measure: async (options) => {
    const { pages, quick, progress } = options;
    if (!pages) return NO_PAGES;
    const kept = new Map<string, KeptVersion[]>();
    let last: { readonly page: string; readonly layout: Layout } | undefined;
    for await (const { page, version, snapshot } of pages.versions(quick ? 4 : 40)) {
      if (!snapshot) continue;
      const { layout } = pageLayout(snapshot, { version });
      if (last?.page !== page) progress(page);
      const viDelta = last?.page === page ? writeViDelta(diffLayouts(last.layout, layout)) : '';
      const list = kept.get(page) ?? [];
      list.push({ viXml: writeViXml(layout), viDelta });
      kept.set(page, list);
      last = { page, layout };
    }
    if (kept.size === 0) return new Skipped('no page was shown (--data)');
    return CHECKPOINTS.map((every) => measure([...kept.values()], every));
  },
  rows: (all): Row[] =>
    all.map(({ every, layouts, withDeltas, toAny }) => ({
      'whole layout every': every,
      'layouts, KB': layouts / 1000,
      'with deltas, KB': withDeltas / 1000,
      'to any version, ms': toAny,
    })),
  claims: [
    {
      statement: 'Few whole layouts and deltas take less room than all layouts (ours).',
      verdict: (all) => {
        const [whole, ...others] = all;
        if (!whole) return { holds: 'not measured', ours: '' };
        const told = others.map(
          ({ every, withDeltas, toAny }) =>
            `every ${every}th: ${percent(withDeltas / whole.withDeltas)} of the room, ${round(toAny / whole.toAny)} times the time to a version`,
        );
        return {
          holds: grade(others.map(({ withDeltas }) => withDeltas < whole.withDeltas)),
          ours: `${told.join('; ')}; mean time with all whole ${round(mean([whole.toAny]))} ms.`,
        };
      },
    },
  ],
});

export const VI_DIFF_STORAGE: readonly PaperExperiment[] = [storage];
