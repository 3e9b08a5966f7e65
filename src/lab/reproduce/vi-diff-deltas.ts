/**
 * Pehlivan, Ben Saad, Gançarski (IWAW 2009) §7.2 on real versions: sizes of deltas, and the algorithm as printed compared with
 * ours.
 */
import type { Layout } from '../../model/layout.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { viDiff2009 } from '../../science/delta/printed/vi-diff-2009.ts';
import { writeViDelta } from '../../science/delta/vi-delta.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import { writeViXml } from '../../science/layout/vi-xml.ts';
import { spreadOf } from '../deltas/spread.ts';
import { type Row, Skipped } from '../experiment/experiment.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';
import { NO_PAGES } from './shown-pages.ts';
import { mean } from './statistics.ts';
import { PAPER } from './vi-diff-pages.ts';

interface VersionPair {
  readonly page: string;
  readonly old: Layout;
  readonly now: Layout;
}

/** Successive versions as layouts. Only two are in memory at a time. */
export async function* versionPairs(
  { pages, progress }: PaperOptions,
  mostOfEachPage: number,
): AsyncGenerator<VersionPair> {
  let last: { readonly page: string; readonly layout: Layout } | undefined;
  for await (const { page, version, snapshot } of pages?.versions(mostOfEachPage) ?? []) {
    if (!snapshot) continue;
    const { layout } = pageLayout(snapshot, { version });
    if (last?.page === page) yield { page, old: last.layout, now: layout };
    else progress(page);
    last = { page, layout };
  }
}

interface SizedDelta {
  readonly page: string;
  readonly share: number;
}

const deltaSize = paperExperiment<SizedDelta[]>({
  name: 'vi-diff-delta-size',
  title: 'Size of a delta against a version',
  paper: PAPER,
  figure: '§7.2',
  method:
    'Successive versions of real pages. Vi-Delta ÷ Vi-XML of the newer version, in bytes before compression. Ours leads exactly ' +
    'from one version to the other and back, so it holds both sides of everything that differs.',
  measure: async (options) => {
    if (!options.pages) return NO_PAGES;
    const found: SizedDelta[] = [];
    for await (const { page, old, now } of versionPairs(options, options.quick ? 3 : 40)) {
      const delta = Buffer.byteLength(writeViDelta(diffLayouts(old, now)));
      found.push({ page, share: delta / Buffer.byteLength(writeViXml(now)) });
    }
    return found.length > 0 ? found : new Skipped('no page has two versions (--data)');
  },
  rows: (all): Row[] =>
    [...new Set(all.map(({ page }) => page))].map((page) => {
      const spread = spreadOf(all.filter((one) => one.page === page).map(({ share }) => share));
      return {
        page,
        pairs: spread?.count,
        'delta ÷ Vi-XML, median': spread?.median,
        'upper quartile': spread?.upperQuartile,
        largest: spread?.maximum,
      };
    }),
  claims: [
    {
      statement: 'The size of the delta is always less than the size of one version.',
      verdict: (all) => {
        const larger = all.filter(({ share }) => share >= 1).length;
        return {
          holds: grade([larger === 0, larger < all.length / 2]),
          ours: `In ${all.length - larger} of ${all.length} pairs; ${percent(spreadOf(all.map(({ share }) => share))?.median ?? 0)} of a version at the median.`,
        };
      },
    },
  ],
});

interface Compared {
  readonly page: string;
  readonly ours: number;
  readonly printed: number;
  /** Whether both versions have the same number of blocks, as the paper assumes. */
  readonly fixed: boolean;
}

const reference = paperExperiment<Compared[]>({
  name: 'vi-diff-reference',
  title: 'The algorithm as printed beside ours, on real versions',
  paper: PAPER,
  figure: 'Fig. 6',
  method:
    'Successive versions of real pages: how many operations each finds. Both describe the same two versions, so fewer is truer: the ' +
    'printed one compares the k-th block with the k-th, and pairs links by name alone.',
  measure: async (options) => {
    if (!options.pages) return NO_PAGES;
    const found: Compared[] = [];
    for await (const { page, old, now } of versionPairs(options, options.quick ? 3 : 40)) {
      const printed = viDiff2009(old, now);
      found.push({
        page,
        ours: diffLayouts(old, now).operations.length,
        printed: printed.operations.length,
        fixed: printed.pairs.every((pair) => pair.old && pair.new),
      });
    }
    return found.length > 0 ? found : new Skipped('no page has two versions (--data)');
  },
  rows: (all): Row[] =>
    [...new Set(all.map(({ page }) => page))].map((page) => {
      const own = all.filter((one) => one.page === page);
      return {
        page,
        pairs: own.length,
        'as many blocks': own.filter(({ fixed }) => fixed).length,
        'operations, ours': mean(own.map(({ ours }) => ours)),
        'operations, as printed': mean(own.map(({ printed }) => printed)),
      };
    }),
  claims: [
    {
      statement: 'From one version to another only the content of blocks is modified, not their structure.',
      verdict: (all) => {
        const share = all.filter(({ fixed }) => fixed).length / all.length;
        return {
          holds: grade([share > 0.95, share > 0.5]),
          ours: `${percent(share)} of ${all.length} pairs have as many blocks. Operations found: ours ${round(mean(all.map(({ ours }) => ours)))}, as printed ${round(mean(all.map(({ printed }) => printed)))} a pair.`,
        };
      },
    },
  ],
});

export const VI_DIFF_DELTAS: readonly PaperExperiment[] = [deltaSize, reference];
