import { barX, link, ruleX } from '@observablehq/plot';
import { openPageViewer } from '../../archive/look/page-parts.ts';
import { stream } from '../../lab/newspaper/random.ts';
import {
  leafCutter,
  measureSegmenters,
  type SegmentationResult,
  segmentationTable,
  treeCutter,
} from '../../lab/segmentation/index.ts';
import type { PageViewer } from '../../ports/page-viewer.ts';
import { blocks } from '../../science/layout/blocks/index.ts';
import { vips } from '../../science/layout/vips/vips.ts';
import type { LabSegmentFlags } from '../commands/lab.ts';
import { writeOutput } from '../write-output.ts';
import { findAnnotated, showAnnotated } from './annotated-set.ts';
import { writeFigure } from './figure.ts';
import { KeptSnapshots } from './kept-snapshots.ts';
import { TABS } from './show-versions.ts';

const VIPS = 'vips';
/** The default segmenter learned from such pages: only its held-out row tells how it does on others. */
const DEFAULT_CUTTER = treeCutter(blocks);

export async function labSegment(flags: LabSegmentFlags): Promise<void> {
  const files = await findAnnotated(flags.set);
  let viewer: Promise<PageViewer> | undefined;
  try {
    const shown = showAnnotated(flags.set, files, {
      viewer: () => {
        viewer ??= openPageViewer({ tabs: TABS });
        return viewer;
      },
      kept: new KeptSnapshots(flags.snapshots),
      onUnseen: (site, reason) => process.stderr.write(`${site}: ${reason}\n`),
    });
    const result = await measureSegmenters(shown, {
      random: stream(flags.seed, 'bootstrap').next,
      cutters: [
        DEFAULT_CUTTER,
        leafCutter(VIPS, { 1: vips({ permittedDoc: 5 }), 2: vips({ permittedDoc: 7 }) }),
      ],
      reference: VIPS,
      folds: flags.folds,
    });
    await writeOutput(flags.json ? `${JSON.stringify(result)}\n` : segmentationTable(result), undefined);
    if (flags.out !== undefined) await drawResult(result, flags.out);
  } finally {
    await (await viewer)?.close();
  }
}

/** F of every cutter with its interval, one figure for each level and way of counting. */
async function drawResult({ levels, pages }: SegmentationResult, folder: string): Promise<void> {
  for (const { level, weighting, cutters } of levels) {
    const rows = cutters.map(({ name, f }) => ({ name, ...f }));
    await writeFigure(
      folder,
      `segment-level-${level}-${weighting}`,
      {
        width: 720,
        marginLeft: 240,
        x: { label: `F, level ${level}, by ${weighting}`, domain: [0, 1], grid: true },
        y: { label: null, domain: rows.map(({ name }) => name) },
        marks: [
          barX(rows, { x: 'mean', y: 'name', fill: '#9db8d6' }),
          link(rows, { x1: 'low', x2: 'high', y1: 'name', y2: 'name', stroke: '#223344' }),
          ruleX([0]),
        ],
      },
      { title: `BCubed F at level ${level} by ${weighting}, ${pages} pages, 95 % intervals` },
    );
  }
}
