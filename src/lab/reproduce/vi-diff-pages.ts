/** Pehlivan, Ben Saad, Gançarski (IWAW 2009) §7.1, Fig. 8 and 9: the time it takes to make Vi-XML of a page, and its size. */
import { pageLayout } from '../../science/layout/page-layout.ts';
import { writeViXml } from '../../science/layout/vi-xml.ts';
import { spreadOf } from '../deltas/spread.ts';
import type { Row } from '../experiment/experiment.ts';
import { grade, percent, round } from '../experiment/wording.ts';
import { type PaperExperiment, type PaperOptions, paperExperiment } from './paper-experiment.ts';
import { leastCpu } from './processor-time.ts';
import { NO_PAGES, type TimedPage } from './shown-pages.ts';
import { mean } from './statistics.ts';

export const PAPER = 'Vi-DIFF 2009';
const KB = 1000;

interface SegmentedPage extends Pick<TimedPage, 'page' | 'htmlBytes'> {
  readonly render: number;
  /** Milliseconds of processor time. */
  readonly segment: number;
  readonly write: number;
  readonly viXmlBytes: number;
}

async function segmentedPages({ pages, quick, progress }: PaperOptions) {
  if (!pages) return NO_PAGES;
  const found: SegmentedPage[] = [];
  for await (const { page, version, htmlBytes, renderMilliseconds, snapshot } of pages.bySize(
    quick ? 4 : 40,
  )) {
    progress(`${page} ${version}, ${Math.round(htmlBytes / KB)} KB`);
    const segmented = leastCpu(3, () => pageLayout(snapshot, { version }));
    const written = leastCpu(3, () => writeViXml(segmented.result.layout));
    found.push({
      page,
      htmlBytes,
      render: renderMilliseconds,
      segment: segmented.milliseconds,
      write: written.milliseconds,
      viXmlBytes: Buffer.byteLength(written.result),
    });
  }
  return found.sort((a, b) => a.htmlBytes - b.htmlBytes);
}

const AROUND_AVERAGE: readonly [number, number] = [100 * KB, 220 * KB];
const isAverage = ({ htmlBytes }: SegmentedPage): boolean =>
  htmlBytes >= AROUND_AVERAGE[0] && htmlBytes <= AROUND_AVERAGE[1];

/** For the third with the least HTML, and for the third with the most. */
function thirds(all: readonly SegmentedPage[], of: (page: SegmentedPage) => number): [number, number] {
  const third = Math.max(1, Math.floor(all.length / 3));
  return [mean(all.slice(0, third).map(of)), mean(all.slice(-third).map(of))];
}

const fig8 = paperExperiment<SegmentedPage[]>({
  name: 'vi-diff-fig-8',
  title: 'Time of rendering and of segmentation, by size of the HTML',
  paper: PAPER,
  figure: 'Fig. 8',
  method:
    'Real pages of 20 to 600 KB of HTML, offline in Chromium, one at a time. Rendering by the clock, with scripts, scrolling and ' +
    'the wait for quiet, to the snapshot; segmentation (our default) and writing in processor time, the least of three runs.',
  measure: segmentedPages,
  rows: (all): Row[] =>
    all.map(({ page, htmlBytes, render, segment, write }) => ({
      page,
      'HTML, KB': htmlBytes / KB,
      'render, ms': render,
      'segment, ms': segment,
      'write Vi-XML, ms': write,
    })),
  plots: (all) => [
    {
      title: 'Time by size of the HTML',
      x: 'KB of HTML',
      y: 'milliseconds',
      kind: 'lines',
      logX: true,
      logY: true,
      series: (['render', 'segment', 'write'] as const).map((name) => ({
        name,
        points: all.map((page) => ({ x: page.htmlBytes / KB, y: page[name] })),
      })),
    },
  ],
  claims: [
    {
      statement: 'The time for rendering is almost constant.',
      verdict: (all) => {
        const [small, large] = thirds(all, ({ render }) => render);
        return {
          holds: grade([large / small < 1.5]),
          ours: `${round(small)} ms on the smallest third of the pages, ${round(large)} ms on the largest.`,
        };
      },
    },
    {
      statement: 'The time of the segmentation increases with the size of the HTML.',
      verdict: (all) => {
        const [small, large] = thirds(all, ({ segment }) => segment);
        return {
          holds: grade([large / small > 1.5]),
          ours: `${round(small)} ms on the smallest third of the pages, ${round(large)} ms on the largest.`,
        };
      },
    },
    {
      statement: 'It is about 0.2 s for documents of about 150 KB.',
      verdict: (all) => {
        const average = all.filter(isAverage).map(({ segment }) => segment);
        return {
          holds: grade(average.length === 0 ? [] : [mean(average) <= 200]),
          ours: `${round(mean(average.length > 0 ? average : [0]))} ms of processor over ${average.length} pages of 100 to 220 KB, on another machine.`,
        };
      },
    },
  ],
});

const LARGE = 100 * KB;

const fig9 = paperExperiment<SegmentedPage[]>({
  name: 'vi-diff-fig-9',
  title: 'Size of Vi-XML, by size of the HTML',
  paper: PAPER,
  figure: 'Fig. 9',
  method:
    'The pages of Fig. 8; bytes of Vi-XML as it is stored, before compression, boxes, hashes and importance included.',
  measure: segmentedPages,
  rows: (all): Row[] =>
    all.map(({ page, htmlBytes, viXmlBytes }) => ({
      page,
      'HTML, KB': htmlBytes / KB,
      'Vi-XML, KB': viXmlBytes / KB,
      'Vi-XML ÷ HTML': viXmlBytes / htmlBytes,
    })),
  plots: (all) => [
    {
      title: 'Vi-XML by HTML',
      x: 'KB of HTML',
      y: 'KB of Vi-XML',
      kind: 'lines',
      logX: true,
      logY: true,
      series: [
        { name: 'Vi-XML', points: all.map((page) => ({ x: page.htmlBytes / KB, y: page.viXmlBytes / KB })) },
        { name: 'as large', points: all.map((page) => ({ x: page.htmlBytes / KB, y: page.htmlBytes / KB })) },
      ],
    },
  ],
  claims: [
    {
      statement: 'Vi-XML is 30 to 50 percent smaller than HTML of more than 100 KB.',
      verdict: (all) => {
        const less = all
          .filter(({ htmlBytes }) => htmlBytes > LARGE)
          .map(({ htmlBytes, viXmlBytes }) => 1 - viXmlBytes / htmlBytes);
        const spread = spreadOf(less);
        if (!spread) return { holds: grade([]), ours: 'No page was that large.' };
        const { median, minimum, maximum, count } = spread;
        return {
          holds: grade([median >= 0.3, minimum > 0]),
          ours: `Smaller by ${percent(median)} at the median of ${count} pages, from ${percent(minimum)} to ${percent(maximum)}.`,
        };
      },
    },
  ],
});

export const VI_DIFF_PAGES: readonly PaperExperiment[] = [fig8, fig9];
