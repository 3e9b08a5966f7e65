/**
 * What a page with a given number of nodes costs: the walk in Chromium, the layout, the delta, and their memory. Each
 * size runs in its own process, with the heap limit of the analysis thread. `npx tsx bench/large-pages.ts [nodes …]`
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { givenHtml, openPageViewer } from '../src/capture/browser/index.ts';
import { unpackSnapshot } from '../src/model/snapshot-codec.ts';
import { changeImportance } from '../src/science/delta/change-importance.ts';
import { diffLayouts } from '../src/science/delta/diff-layouts.ts';
import { pageLayout } from '../src/science/layout/page-layout.ts';
import { parseViXml, writeViXml } from '../src/science/layout/vi-xml.ts';

const [, , first, ...rest] = process.argv;
if (first === 'one') {
  await measure(Number(rest[0]), rest[1] ?? 'plain');
} else {
  console.log('nodes   page    view s  JSON MB  layout s  Vi-XML s  delta s  heap MB');
  const sizes = first ? [first, ...rest] : ['60000', '120000', '250000', '500000'];
  for (const nodes of sizes) {
    for (const kind of ['plain', 'rich']) {
      const file = fileURLToPath(import.meta.url);
      const options = [
        '--import',
        'tsx',
        '--expose-gc',
        '--max-old-space-size=4096',
        file,
        'one',
        nodes,
        kind,
      ];
      spawnSync(process.execPath, options, { stdio: 'inherit' });
    }
  }
}

/** `plain`: paragraphs; `rich`: cards with a link, a picture and a text. */
function page(nodes: number, kind: string, last: string): string {
  const parts: string[] = [];
  const each = kind === 'plain' ? 2 : 9;
  for (let i = 0; i < nodes / each; i++) {
    const said = (i + 1) * each >= nodes ? last : `number ${i}`;
    parts.push(
      kind === 'plain'
        ? `<p>${said} of many paragraphs`
        : `<div class="card"><h3><a href="/n/${i}">${said}</a></h3><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="${i}" width=9 height=9><p>text of <b>card ${i}</b>, ${said}</p></div>`,
    );
  }
  return `<!doctype html><title>large</title><body>${parts.join('\n')}`;
}

async function measure(nodes: number, kind: string): Promise<void> {
  const viewer = await openPageViewer();
  const url = 'https://large.invalid/';
  const took = [0, 0, 0, 0];
  const timed = async <T>(slot: number, work: () => T | Promise<T>): Promise<T> => {
    // The browser is another process; for our own work only processor time counts.
    const [begun, used] = [performance.now(), process.cpuUsage()];
    const result = await work();
    const { user, system } = process.cpuUsage(used);
    took[slot] = slot === 0 ? (performance.now() - begun) / 1000 : (user + system) / 1e6;
    return result;
  };
  const packed: string[] = [];
  for (const last of ['the old end', 'the new end']) {
    const answer = givenHtml(url, page(nodes, kind, last));
    const view = await timed(0, () => viewer.view({ url, answer, scripts: false, timeLimit: 300_000 }));
    if (view.snapshot.kind === 'none') throw new Error(JSON.stringify(view.snapshot));
    packed.push(view.snapshot.packed);
  }
  await viewer.close();
  let most = 0;
  const watch = () => {
    most = Math.max(most, process.memoryUsage().heapUsed);
  };
  const [old, now] = await timed(1, () =>
    packed.map((json, i) => {
      const { layout } = pageLayout(unpackSnapshot(json), { version: String(i) });
      watch();
      return layout;
    }),
  );
  if (!old || !now) return;
  const parsed = await timed(2, () => parseViXml(writeViXml(old)));
  watch();
  const delta = await timed(3, () => diffLayouts(parsed, now));
  watch();
  const { importance } = changeImportance(delta);
  const row = [
    String(nodes).padEnd(7),
    kind.padEnd(7),
    took[0]?.toFixed(1).padEnd(7),
    ((packed[0]?.length ?? 0) / 1e6).toFixed(1).padEnd(8),
    ((took[1] ?? 0) / 2).toFixed(1).padEnd(9),
    took[2]?.toFixed(1).padEnd(9),
    took[3]?.toFixed(1).padEnd(8),
    (most / 1e6).toFixed(0).padEnd(5),
    `${delta.operations.length} operations, importance ${importance.toExponential(2)}`,
  ];
  console.log(row.join(' '));
}
