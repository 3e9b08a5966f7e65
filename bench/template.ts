/**
 * A layout by template compared with rendering and segmenting, on the same versions in the same run:
 * `npx tsx bench/template.ts [--json] [--versions N]`.
 *
 * Versions are real ones from ../shared/data, consecutive for each page. The slow way is a browser that is already
 * running, with the HTML from memory and nothing else to load, then the layout and its Vi-XML; by template it is
 * parsing the HTML, the layout and its Vi-XML. `learned anew` adds the cost of the first fill of a page: learning its
 * template from the archived version. Every filled version is compared: one that differs ends the run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { givenHtml, openPageViewer } from '../src/capture/browser/index.ts';
import type * as HtmlTree from '../src/capture/html/html-tree.ts';
import type { Layout } from '../src/model/layout.ts';
import type { Filling, RenderedVersion } from '../src/ports/page-analyser.ts';
import type * as ViXml from '../src/science/layout/vi-xml.ts';
import type * as StoredLayout from '../src/stages/stored/layout.ts';
import type * as TemplateLayout from '../src/stages/template-layout.ts';
import { sharedData } from '../test/shared-data.ts';
import { median, print, round } from './figures.ts';
import { shipped } from './shipped.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, versions: { type: 'string', default: '12' } },
});
const [{ parseHtmlTree }, { parseViXml, writeViXml }, { placedFrom }, { createTemplateFiller, difference }] =
  await shipped<[typeof HtmlTree, typeof ViXml, typeof StoredLayout, typeof TemplateLayout]>(
    'capture/html/html-tree',
    'science/layout/vi-xml',
    'stages/stored/layout',
    'stages/template-layout',
  );

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

function versionsOf(page: string): string[] {
  const archive = sharedData(`versions/${page}.tar.xz`);
  if (!archive) return [];
  const folder = mkdtempSync(join(tmpdir(), 'daguerre-bench-'));
  try {
    if (spawnSync('tar', ['xf', archive, '-C', folder]).status !== 0) return [];
    const files = readdirSync(join(folder, page)).filter((file) => file.endsWith('.html'));
    const start = page.startsWith('news') ? 0 : files.length >> 1;
    return files.slice(start, start + count).map((file) => readFileSync(join(folder, page, file), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const viewer = await openPageViewer({ tabs: 1 });
const rows = [];
const slowAll: number[] = [];
const fastAll: number[] = [];
const anewAll: number[] = [];
const quotients: number[] = [];
const anewQuotients: number[] = [];

const request = (url: string, of: RenderedVersion, html: string) =>
  ({ kind: 'fill', url, version: '2', html, of, pictures: {} }) as const;

/**
 * A crawl runs for hours, with its code compiled, like the browser's: hence the median of runs after half a second of
 * warm-up.
 */
function timed(fill: () => Filling): { filling: Filling; ms: number } {
  const times: number[] = [];
  for (const begin = performance.now(); ; ) {
    const start = performance.now();
    const filling = fill();
    if (start - begin > WARM_UP) times.push(performance.now() - start);
    if (filling.kind !== 'filled' || times.length === RUNS) return { filling, ms: median(times) };
  }
}

async function slowWay(url: string, html: string, version: string, previous: Layout | undefined) {
  const start = performance.now();
  const view = await viewer.view({ url, answer: givenHtml(url, html), scripts: true, timeLimit: 60_000 });
  if (view.snapshot.kind === 'none') throw new Error(`${url}: ${view.snapshot.reason}`);
  const { packed } = view.snapshot;
  const { layout } = placedFrom(packed, url, version, undefined, previous);
  const viXml = writeViXml(layout);
  return { version, html, packed, layout, viXml, ms: performance.now() - start };
}

try {
  for (const page of PAGES) {
    const versions = versionsOf(page);
    const url = `https://${page}.invalid/`;
    const slow: number[] = [];
    const fast: number[] = [];
    let tries = 0;
    const anew: number[] = [];
    let before: (RenderedVersion & { readonly layout: Layout }) | undefined;
    for (const [i, html] of versions.entries()) {
      const rendered = await slowWay(url, html, `${i}`, before?.layout);
      if (before !== undefined && before.html !== html) {
        const of = before;
        tries++;
        const kept = createTemplateFiller(parseHtmlTree);
        const { filling, ms } = timed(() => kept(request(url, of, html)));
        if (filling.kind === 'filled') {
          const where = difference(parseViXml(filling.viXml), rendered.layout);
          if (where) throw new Error(`${page}: a filled layout differs at ${where}`);
          const first = timed(() => createTemplateFiller(parseHtmlTree)(request(url, of, html)));
          slow.push(rendered.ms);
          fast.push(ms);
          anew.push(first.ms);
          quotients.push(rendered.ms / ms);
          anewQuotients.push(rendered.ms / first.ms);
        }
      }
      before = rendered;
    }
    if (versions.length === 0) continue;
    slowAll.push(...slow);
    fastAll.push(...fast);
    anewAll.push(...anew);
    rows.push({
      page,
      'HTML KB': Math.round((versions[0] as string).length / 1024),
      tried: tries,
      filled: fast.length,
      'render + segment ms': fast.length > 0 ? round(median(slow), 0) : '',
      'template ms': fast.length > 0 ? round(median(fast), 1) : '',
      'learned anew ms': fast.length > 0 ? round(median(anew), 1) : '',
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
            { what: 'render + segment / learned anew, all time', value: sum(slowAll) / sum(anewAll) },
            { what: 'render + segment / learned anew, median of versions', value: median(anewQuotients) },
          ],
    notes:
      fastAll.length === 0
        ? ['Real versions are not there (../shared/data).']
        : ['Each filled version had the ids of its rendering.'],
  },
  values.json,
);
