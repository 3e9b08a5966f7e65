/**
 * What a layout costs relative to the page load before it, and whether memory stays flat:
 * `npx tsx bench/segmentation.ts [--json] [--rounds N] [--pages N]`.
 *
 * Pages are real ones if ../shared/data exists (news pages of about 150 KB of HTML), otherwise made up. Load is
 * navigation, settling and scrolling in Chromium, served from memory: a network would only make it longer. The snapshot
 * is the walk inside the page; the layout is everything after it: unpacking, segmentation, ids, importance, Vi-XML.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { givenHtml, openPageViewer } from '../src/capture/browser/index.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import { diffLayouts } from '../src/science/delta/diff-layouts.ts';
import { pageLayout } from '../src/science/layout/page-layout.ts';
import { writeViXml } from '../src/science/layout/vi-xml.ts';
import { sharedData } from '../test/shared-data.ts';
import { median, print, type Ratio, round } from './figures.ts';
import { plainSite } from './sites/plain-site.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '10000' },
  },
});
const rounds = Number(values.rounds);
const notes: string[] = [];

interface Page {
  readonly name: string;
  readonly html: Buffer;
}

const REAL = ['news-gmx.net-index', 'openbsd-events', 'news-volksstimme.de-index', 'telegram-faq'];

function pages(): Page[] {
  const folder = mkdtempSync(join(tmpdir(), 'daguerre-bench-'));
  try {
    const real = REAL.flatMap((name) => {
      const archive = sharedData(`versions/${name}.tar.xz`);
      if (!archive || spawnSync('tar', ['xf', archive, '-C', folder]).status !== 0) return [];
      const [version = ''] = readdirSync(join(folder, name))
        .filter((file) => file.endsWith('.html'))
        .slice(10);
      return [{ name, html: readFileSync(join(folder, name, version)) }];
    });
    if (real.length > 0) return real;
    notes.push('Pages are made up: ../shared/data is not there.');
    const html = Buffer.concat([...plainSite(8).files.values()].map(({ body }) => body));
    return [{ name: 'made up', html }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function layOut(snapshot: string): string {
  return writeViXml(pageLayout(unpackSnapshot(snapshot), { version: '1' }).layout);
}

const LOAD = new Set(['navigate', 'settle', 'scroll']);
const steps = new Map<string, number>();
const viewer = await openPageViewer({
  tabs: 1,
  onStep: (_, step, duration) => steps.set(step, (steps.get(step) ?? 0) + duration),
});

const rows = [];
const ratios: Ratio[] = [];
const packed: string[] = [];
try {
  for (const { name, html } of pages()) {
    const url = 'https://bench.invalid/';
    const [load, walk, layout]: number[][] = [[], [], []];
    for (let i = 0; i < rounds + 1; i++) {
      steps.clear();
      const view = await viewer.view({ url, answer: givenHtml(url, html), scripts: true, timeLimit: 60_000 });
      if (view.snapshot.kind !== 'taken') throw new Error(`${name}: ${view.snapshot.reason}`);
      if (i === 0) {
        packed.push(view.snapshot.packed);
        // As warm as in a crawl, where the same code has seen other pages.
        for (let warm = 0; warm < 20; warm++) layOut(view.snapshot.packed);
        continue;
      }
      load?.push([...steps].reduce((sum, [step, time]) => sum + (LOAD.has(step) ? time : 0), 0));
      walk?.push(steps.get('snapshot') ?? 0);
      const begun = performance.now();
      layOut(view.snapshot.packed);
      layout?.push(performance.now() - begun);
    }
    const [loaded, walked, laidOut] = [median(load ?? []), median(walk ?? []), median(layout ?? [])];
    rows.push({
      page: name,
      'HTML KB': round(html.length / 1000, 0),
      'load ms': round(loaded, 1),
      'snapshot ms': round(walked, 1),
      'layout ms': round(laidOut, 1),
    });
    ratios.push({
      what: `layout against page load, ${name}`,
      value: laidOut / loaded,
      aim: 0.25,
      atMost: true,
    });
  }
} finally {
  await viewer.close();
}

/** Megabytes of heap after so many layouts and deltas, each released before the next. */
const total = Number(values.pages);
const heap: number[] = [];
for (let i = 1; i <= total; i++) {
  const snapshot = unpackSnapshot(packed[i % packed.length] ?? '');
  const { layout } = pageLayout(snapshot, { version: String(i) });
  diffLayouts(layout, { ...layout, version: String(i + 1) });
  if (i === Math.ceil(total / 10) || i === total) {
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 2 ** 20);
  }
}
rows.push({
  page: `heap after ${Math.ceil(total / 10)} and ${total} pages`,
  'HTML KB': '',
  'load ms': '',
  'snapshot ms': '',
  'layout ms': heap.map((size) => `${round(size, 0)} MB`).join(', '),
});
ratios.push({
  what: `heap after ${total} layouts against a tenth of them`,
  value: (heap[1] ?? 0) / (heap[0] ?? 1),
  aim: 1.2,
  atMost: true,
});
if (!globalThis.gc) notes.push('Run with --expose-gc for an exact heap: garbage is counted too.');

print({ title: `Layouts beside page loads, median of ${rounds} rounds`, rows, ratios, notes }, values.json);
