/**
 * A layout by template beside rendering and segmenting, on the same versions in the same run:
 * `npx tsx bench/template.ts [--json] [--versions N]`.
 *
 * Versions are real ones from ../shared/data, one after the other of each page. The slow way is a browser that is
 * there already, with the HTML from memory and nothing else to load, then the layout; by template it is reading the kept
 * JSON, parsing the HTML, and the layout. Every filled version is compared: one that differs ends the run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { givenHtml, openPageViewer } from '../src/capture/browser/index.ts';
import { parseHtmlTree } from '../src/capture/html/html-tree.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import { blocks } from '../src/science/layout/blocks/index.ts';
import { pageLayout } from '../src/science/layout/page-layout.ts';
import {
  agrees,
  type HtmlVersion,
  learnedTemplate,
  parseTemplate,
  templateLayout,
  writeTemplate,
} from '../src/stages/template-layout.ts';
import { sharedData } from '../test/shared-data.ts';
import { median, print, round } from './figures.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, versions: { type: 'string', default: '12' } },
});
/** Milliseconds. */
const WARM_UP = 500;
const RUNS = 5;
const count = Number(values.versions);

const PAGES = [
  'flink-index',
  'kafka-downloads',
  'openbsd-index',
  'openbsd-events',
  'telegram-faq',
  'telegram-bots-api',
  'news-compact-online.de-index',
  'news-fr.de-index',
  'news-heise.de-index',
  'news-volksstimme.de-index',
  'news-zeit.de-index',
];

function versionsOf(page: string): HtmlVersion[] {
  const archive = sharedData(`versions/${page}.tar.xz`);
  if (!archive) return [];
  const folder = mkdtempSync(join(tmpdir(), 'daguerre-bench-'));
  try {
    if (spawnSync('tar', ['xf', archive, '-C', folder]).status !== 0) return [];
    const files = readdirSync(join(folder, page)).filter((file) => file.endsWith('.html'));
    const start = page.startsWith('news') ? 0 : files.length >> 1;
    return files.slice(start, start + count).map((file) => {
      const html = readFileSync(join(folder, page, file), 'utf8');
      return { html, digest: html };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const options = { segmenter: blocks.name, parse: parseHtmlTree };
const viewer = await openPageViewer({ tabs: 1 });
const rows = [];
const slowAll: number[] = [];
const fastAll: number[] = [];
const quotients: number[] = [];

/** A crawl runs for hours: its code is compiled, as the browser's is. So the median of some runs after half a second. */
function byTemplate(kept: string, version: HtmlVersion) {
  const times: number[] = [];
  for (const begin = performance.now(); ; ) {
    const start = performance.now();
    const outcome = templateLayout(parseTemplate(kept), version, { ...options, version: '2' });
    if (start - begin > WARM_UP) times.push(performance.now() - start);
    if (outcome.kind !== 'filled' || times.length === RUNS) return { outcome, ms: median(times) };
  }
}

async function slowWay(url: string, { html }: HtmlVersion) {
  const start = performance.now();
  const view = await viewer.view({ url, answer: givenHtml(url, html), scripts: true, timeLimit: 60_000 });
  if (view.snapshot.kind === 'none') throw new Error(`${url}: ${view.snapshot.reason}`);
  const snapshot = unpackSnapshot(view.snapshot.packed);
  const placed = pageLayout(snapshot, { version: '1' });
  return { snapshot, placed, ms: performance.now() - start };
}

try {
  for (const page of PAGES) {
    const versions = versionsOf(page);
    const url = `https://${page}.invalid/`;
    const slow: number[] = [];
    const fast: number[] = [];
    let tries = 0;
    let kept: string | undefined;
    for (const version of versions) {
      const rendered = await slowWay(url, version);
      if (kept !== undefined) {
        const { outcome, ms } = byTemplate(kept, version);
        if (outcome.kind !== 'same') tries++;
        if (outcome.kind === 'filled') {
          if (!agrees(outcome.layout, rendered.placed.layout))
            throw new Error(`${page}: a filled layout differs`);
          slow.push(rendered.ms);
          fast.push(ms);
          quotients.push(rendered.ms / ms);
        }
      }
      const learning = learnedTemplate(version, rendered.snapshot, rendered.placed, options);
      kept = learning.kind === 'learned' ? writeTemplate(learning.kept) : undefined;
    }
    if (versions.length === 0) continue;
    slowAll.push(...slow);
    fastAll.push(...fast);
    rows.push({
      page,
      'HTML KB': Math.round((versions[0] as HtmlVersion).html.length / 1024),
      tried: tries,
      filled: fast.length,
      'render + segment ms': fast.length > 0 ? round(median(slow), 0) : '',
      'template ms': fast.length > 0 ? round(median(fast), 1) : '',
      ratio: fast.length > 0 ? round(median(slow) / median(fast), 1) : '',
    });
  }
} finally {
  await viewer.close();
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
print(
  {
    title: 'Layouts by template',
    rows,
    ratios:
      fastAll.length === 0
        ? []
        : [
            { what: 'render + segment / template, all time', value: sum(slowAll) / sum(fastAll), aim: 20 },
            { what: 'render + segment / template, median of versions', value: median(quotients), aim: 20 },
          ],
    notes:
      fastAll.length === 0
        ? ['Real versions are not there (../shared/data).']
        : ['Each filled version had the ids of its rendering.'],
  },
  values.json,
);
