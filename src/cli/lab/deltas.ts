import { dot, lineY, ruleY } from '@observablehq/plot';
import { openAdRecogniser, openPageViewer } from '../../archive/look/page-parts.ts';
import { type DeltaStudy, deltaTable, studyDeltas } from '../../lab/deltas/index.ts';
import type { PageViewer } from '../../ports/page-viewer.ts';
import type { LabDeltasFlags } from '../commands/lab.ts';
import { writeOutput } from '../write-output.ts';
import { writeFigure } from './figure.ts';
import { KeptSnapshots } from './kept-snapshots.ts';
import { showVersions, TABS } from './show-versions.ts';
import { openVersionSet } from './version-set.ts';

export async function labDeltas(flags: LabDeltasFlags): Promise<void> {
  const set = await openVersionSet(flags.set, { only: flags.page, most: flags.versions });
  let viewer: Promise<PageViewer> | undefined;
  try {
    const { recogniser, fact } = openAdRecogniser();
    process.stderr.write(`${fact}\n`);
    const shown = showVersions(set.pages, {
      viewer: () => {
        viewer ??= openPageViewer({ tabs: TABS });
        return viewer;
      },
      kept: new KeptSnapshots(flags.snapshots),
      again: flags.twice ?? 0,
      onShown: progress,
    });
    const study = await studyDeltas(shown, {
      segmenter: flags.segmenter,
      ads: (pageUrl) => ({
        byUrl: (url, kind) => recogniser.isAdvertisement(url, pageUrl, kind),
        hidden: (names) => recogniser.hidden(pageUrl, names),
      }),
    });
    await writeOutput(flags.json ? `${JSON.stringify(study)}\n` : deltaTable(study), undefined);
    if (flags.out !== undefined) await drawStudy(study, flags.out);
  } finally {
    await (await viewer)?.close();
    await set.close();
  }
}

/** One line, written over; none where nobody looks. */
function progress(done: number, all: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all} versions${done === all ? '\n' : ''}`);
}

/** Importance over time, one figure for each page. */
async function drawStudy({ pages }: DeltaStudy, folder: string): Promise<void> {
  for (const { page, pairs } of pages) {
    const points = pairs.map(({ time, to, importance }, i) => ({
      at: time === undefined ? i : new Date(time * 1000),
      importance,
      to,
    }));
    await writeFigure(
      folder,
      `importance-${page}`,
      {
        width: 800,
        height: 260,
        marginLeft: 50,
        x: { label: null },
        y: { label: 'change importance', domain: [0, 1], grid: true },
        marks: [
          ruleY([0]),
          lineY(points, { x: 'at', y: 'importance', stroke: '#bbb', strokeWidth: 0.75 }),
          dot(points, { x: 'at', y: 'importance', r: 2, fill: '#225588' }),
        ],
      },
      {
        title: `Importance of the changes of ${page}`,
        description: `${points.length} pairs of successive versions; each dot stands at the newer one.`,
      },
    );
  }
}
