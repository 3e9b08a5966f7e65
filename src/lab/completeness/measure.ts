/** What `lab completeness` reports: Def. 3 and 4 of the completeness paper on the user's own changes and captures. */
import type { Seconds } from '../../model/time.ts';
import { archiveCompleteness, type PageVersion } from '../../science/quality/completeness.ts';
import { experiment } from '../experiment/experiment.ts';

export interface CompletenessReport {
  /** Def. 4; null if no weight appeared anywhere. */
  readonly archive: number | null;
  /** Σ weight × captured / Σ weight × appeared. */
  readonly pooled: number | null;
  /** Def. 3; null for a page on which no weight appeared. */
  readonly pages: Readonly<Record<string, number | null>>;
  /** Captured pages without any known change: they count for nothing. */
  readonly captureOnly: readonly string[];
}

export interface CompletenessInput {
  readonly changes: ReadonlyMap<string, readonly PageVersion[]>;
  readonly captures: ReadonlyMap<string, readonly Seconds[]>;
  /** In [0, 1]; a page without one has 1. */
  readonly weights?: ReadonlyMap<string, number>;
}

export function measureCompleteness({ changes, captures, weights }: CompletenessInput): CompletenessReport {
  const names = [...changes.keys()];
  const { perPage, pooled, pages } = archiveCompleteness(
    names.map((name) => ({
      weight: weights?.get(name) ?? 1,
      versions: changes.get(name) ?? [],
      captures: captures.get(name) ?? [],
    })),
  );
  return {
    archive: perPage ?? null,
    pooled: pooled ?? null,
    pages: Object.fromEntries(names.map((name, index) => [name, pages[index]?.completeness ?? null])),
    captureOnly: [...captures.keys()].filter((name) => !changes.has(name)),
  };
}

const cell = (value: number | null): string => (value === null ? '-' : value.toFixed(3));
/** More bars than this cannot be read; the least complete are shown. */
const MOST_BARS = 60;

export const completeness = experiment<CompletenessInput, CompletenessReport>({
  name: 'completeness',
  title: 'Weighted completeness of an archive',
  method: 'Weight of the versions captured over the weight of all that appeared, page by page.',
  measure: measureCompleteness,
  text: ({ archive, pooled, pages, captureOnly }) => [
    {
      header: ['page', 'weighted completeness'],
      rows: [
        ...Object.entries(pages).map(([name, value]) => [name, cell(value)]),
        ['archive, per page', cell(archive)],
        ['archive, pooled', cell(pooled)],
      ],
    },
    ...(captureOnly.length === 0
      ? []
      : [`no change is known of ${captureOnly.length} pages that were captured`]),
  ],
  data: (report) => report,
  plots: ({ archive, pages }) => {
    const bars = Object.entries(pages)
      .flatMap(([x, y]) => (y === null ? [] : [{ x, y }]))
      .sort((a, b) => a.y - b.y)
      .slice(0, MOST_BARS);
    return [
      {
        title: `Weighted completeness of ${bars.length} pages`,
        description: `The archive as a whole: ${archive === null ? 'unknown' : archive.toFixed(3)} (dashed).`,
        x: '',
        y: 'weighted completeness',
        kind: 'bars',
        range: [0, 1],
        series: [{ name: 'pages', points: bars, ...(archive !== null && { level: archive }) }],
      },
    ];
  },
});
