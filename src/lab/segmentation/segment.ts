/** `lab segment`: every segmenter and trivial cut against people's marks, as tables and figures. */
import type { ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import { experiment } from '../experiment/experiment.ts';
import type { Table } from '../experiment/text-table.ts';
import {
  type MeasuredLevel,
  type MeasureOptions,
  measureSegmenters,
  type SegmentationResult,
  type SetItem,
} from './measure.ts';

export interface SegmentInput extends MeasureOptions {
  readonly set: AsyncIterable<SetItem> | Iterable<SetItem>;
}

export const segment = experiment<SegmentInput, SegmentationResult>({
  name: 'segment',
  title: 'How well pages are cut into blocks',
  method:
    'BCubed precision, recall and F of each cut, means over the annotated pages, bootstrapped over them.',
  measure: ({ set, ...options }) => measureSegmenters(set, options),
  text: ({ pages, unmarked, reference, levels }) => [
    `${pages} annotated pages; BCubed, means over pages${
      unmarked.length > 0 ? `; without marks, left out: ${unmarked.join(', ')}` : ''
    }`,
    ...levels.flatMap((measured) => [
      `level ${measured.level}, by ${measured.weighting}: ${measured.pages.length} pages; best trivial cut: ${measured.bestBaseline}`,
      cutterTable(measured, reference),
    ]),
  ],
  data: (result) => result,
  plots: ({ pages, levels }) =>
    levels.map(({ level, weighting, cutters }) => ({
      file: `segment-level-${level}-${weighting}`,
      title: `BCubed F at level ${level} by ${weighting}, ${pages} pages, 95 % intervals`,
      x: '',
      y: `F, level ${level}, by ${weighting}`,
      kind: 'bars',
      range: [0, 1],
      series: [
        {
          name: 'cuts',
          points: cutters.map(({ name, f }) => ({ x: name, y: f.mean, interval: [f.low, f.high] })),
        },
      ],
    })),
});

const number = (value: number): string => value.toFixed(3).replace(/^(-?)0\./u, '$1.');
const signed = (value: number): string => (value < 0 ? number(value) : `+${number(value)}`);
const interval = ({ mean, low, high }: ConfidenceInterval, as: (value: number) => string): string =>
  `${as(mean)} [${as(low)}, ${as(high)}]`;

const cutterTable = ({ cutters }: MeasuredLevel, reference = 'reference'): Table => ({
  header: ['', 'P', 'R', 'F [95 %]', `F to ${reference}`, 'F to best trivial cut'],
  rows: cutters.map(({ name, precision, recall, f, toReference, toBestBaseline }) => [
    name,
    number(precision.mean),
    number(recall.mean),
    interval(f, number),
    toReference && interval(toReference, signed),
    toBestBaseline && interval(toBestBaseline, signed),
  ]),
});
