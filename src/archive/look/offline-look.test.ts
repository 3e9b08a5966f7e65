import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../capture/browser/index.ts';
import { openPageEye, type PageEye } from './look-at-page.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: pages that empty themselves, because there is no Chromium');

let folder: string;
let eye: PageEye;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  eye = openPageEye({
    archive: folder,
    segmenter: 'blocks',
    allowPrivate: false,
    picture: false,
    onFact: () => {},
  });
});
afterAll(async () => {
  await eye.close();
  await rm(folder, { recursive: true });
});

async function look(name: string, script: string) {
  const path = join(folder, name);
  await writeFile(path, `<!doctype html><title>News</title><p>It rained.</p><script>${script}</script>`);
  return eye.look({ kind: 'file', path }, 0);
}

test.skipIf(noChromium)(
  'a file that empties itself => shown without its scripts, and it says so',
  async () => {
    const { layout, facts } = await look('consent.html', 'document.body.replaceChildren()');
    expect(JSON.stringify(layout)).toContain('It rained.');
    expect(facts).toContain('nothing is to be seen with its scripts: shown without them');
  },
);

test.skipIf(noChromium)('a file whose scripts write => shown with them', async () => {
  const { layout, facts } = await look('scripted.html', 'document.body.append("It snowed.")');
  expect(JSON.stringify(layout)).toContain('It snowed.');
  expect(facts).toEqual([]);
});
