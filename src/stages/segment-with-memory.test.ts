import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sharedData } from '../../test/shared-data.ts';
import { givenHtml, openPageViewer } from '../capture/browser/index.ts';
import type { Layout } from '../model/layout.ts';
import type { Box, PageSnapshot } from '../model/page-snapshot.ts';
import { unpackSnapshot } from '../model/snapshot-codec.ts';
import type { PageViewer } from '../ports/page-viewer.ts';
import { pageLayout } from '../science/layout/page-layout.ts';
import { leavesIn } from '../science/layout/segment-leaves.ts';

const SET = 'segmentation/random.tar.xz';
const archive = sharedData(SET);
/** Number of pages, and of texts changed in each. */
const PAGES = 32;
const TEXTS = 12;

let viewer: PageViewer | undefined;
const folder = mkdtempSync(path.join(os.tmpdir(), 'daguerre-memory-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await viewer?.close();
});

async function shown(html: Buffer, name: string): Promise<PageSnapshot> {
  viewer ??= await openPageViewer();
  const url = `https://${name}.invalid/`;
  const view = await viewer.view({ url, answer: givenHtml(url, html), scripts: false, timeLimit: 60_000 });
  if (view.snapshot.kind !== 'taken') throw new Error(`${name}: ${view.snapshot.reason}`);
  return unpackSnapshot(view.snapshot.packed);
}

const leafCount = ({ root }: Layout): number => leavesIn(root, ({ blocks }) => blocks).length;

/** Replaces the first word of the text by one three times as long; the box grows with it. */
function withOtherWord(page: PageSnapshot, at: number): PageSnapshot {
  const nodes = page.nodes.map((node, i) => {
    if (i !== at || node.kind !== 'text') return node;
    const text = node.text.replace(/\S+/u, (word) => 'x'.repeat(3 * word.length));
    const [x, y, width, height] = node.box;
    const wider = (width * text.length) / node.text.length;
    const box: Box = x + wider < page.page.width ? [x, y, wider, height] : [x, y, width, height + 20];
    return { ...node, text, box };
  });
  return { ...page, nodes };
}

test.skipIf(!archive)(
  `a word changed in any of ${TEXTS} texts of ${PAGES} real pages => as many leaves (skipped where ../shared/data/${SET} is absent)`,
  async () => {
    expect(spawnSync('tar', ['xf', archive as string, '-C', folder]).status).toBe(0);
    const files = (readdirSync(folder, { recursive: true }) as string[])
      .filter((file) => file.endsWith('index.blocks.html'))
      .sort();
    let pages = 0;
    for (const file of files) {
      if (pages === PAGES) break;
      const html = readFileSync(path.join(folder, file));
      const page = await shown(html, `p${pages}`);
      const first = pageLayout(page, { version: '1' }).layout;
      const texts = page.nodes.flatMap((node, i) =>
        node.kind === 'text' && /\w{3}/u.test(node.text) ? [i] : [],
      );
      if (texts.length < TEXTS) continue;
      pages++;
      for (let k = 0; k < TEXTS; k++) {
        const at = texts[Math.floor((k * texts.length) / TEXTS)] as number;
        const now = pageLayout(withOtherWord(page, at), { version: '2', previous: first }).layout;
        expect([file, at, leafCount(now)]).toEqual([file, at, leafCount(first)]);
      }
      // And as the browser lays it out: the first word of a paragraph in the middle of the HTML.
      const source = html.toString('latin1');
      const half = source.indexOf('</p>', source.length / 2);
      const edited = half < 0 ? source : `${source.slice(0, half)} another${source.slice(half)}`;
      const again = await shown(Buffer.from(edited, 'latin1'), `p${pages - 1}`);
      if (again.nodes.length !== page.nodes.length) continue;
      expect([file, leafCount(pageLayout(again, { version: '2', previous: first }).layout)]).toEqual([
        file,
        leafCount(first),
      ]);
    }
    expect(pages).toBe(PAGES);
  },
  300_000,
);
