import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../src/archive/check/check-archive.ts';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { checkUri } from '../../src/model/derived-uris.ts';
import { cutRecords, flipBytes } from '../cut-records.ts';
import { capturesOf, daguerre, temporaryFolder } from './daguerre.ts';
import { startSite } from './small-site.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: checks of captures, because there is no Chromium');

const STYLE = `body{margin:0 200px;font:18px sans-serif;color:#333} h1{font-size:60px;color:#900} main{columns:2}
  #top{display:block;width:880px;height:500px}`;
/** 64 × 64, red. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="red"/></svg>`;
const STORY =
  'The harbour office said on Monday that the ferry to the islands will not sail before the spring.';
const front = `<!doctype html><html lang="en"><title>Front</title><link rel="stylesheet" href="/style.css">
  <h1>The Daily</h1><img id="top" src="/top.svg" alt="The ferry"><main><p>${STORY}</p><p>${STORY} Nobody knows why.</p></main>
  <a href="/stories">Stories of the week</a> <a href="/about">About this paper</a>`;
/** Its list comes from an address that is never the same. */
const stories = `<!doctype html><html lang="en"><title>Stories</title><h1>Stories</h1><div id="list"></div><script>
  fetch('/list?' + Math.random()).then((answer) => answer.text()).then((text) => { list.innerHTML = text; });</script>`;
const LIST = [
  'Mayor resigns over the harbour contract',
  'Ferry sold to Denmark',
  'School closes after the storm',
]
  .map((title) => `<h2><a href="/s">${title}</a></h2><p>${STORY}</p>`)
  .join('');
/** A clock and an advertisement: other at each visit, and nothing lost. */
const about = `<!doctype html><html lang="en"><title>About</title><h1>About this paper</h1><p>${STORY}</p><p id="clock"></p>
  <script>clock.textContent = new Date().toISOString();</script>`;

describe.skipIf(noChromium)('check', () => {
  it('whole, random addresses, records cut out, mended => told apart; verdicts come back after reindex', async () => {
    const site = await startSite((path) => {
      if (path === '/style.css') return { headers: { 'Content-Type': 'text/css' }, body: STYLE };
      if (path === '/top.svg') return { headers: { 'Content-Type': 'image/svg+xml' }, body: PICTURE };
      if (path.startsWith('/list?')) return LIST;
      return { '/': front, '/stories': stories, '/about': about }[path];
    });
    const archive = join(await temporaryFolder(), 'archive');
    const run = (...given: string[]) => daguerre([...given, '--archive', archive]);
    const check = async (...given: string[]): Promise<CheckReport & { code: number | undefined }> => {
      const done = await run('check', '--json', ...given);
      expect(done.stderr).not.toMatch(/^\s+at /m);
      return { ...done.json<CheckReport>(), code: done.code };
    };
    const pageOf = (report: CheckReport, path: string) =>
      report.pages.find(({ url }) => url === site.url + path);
    try {
      await run('archive', `${site.url}/`, '--allow-private', '--delay', '0');
      const first = await check();
      expect(first).toMatchObject({ checked: 3, whole: 2, damaged: 1, code: 8, missing: 0 });
      expect(pageOf(first, '/')).toMatchObject({ verdict: 'whole', score: 1, lostCount: 0 });
      expect(pageOf(first, '/about')).toMatchObject({ verdict: 'whole' });
      // Nothing that was received is missing, and yet replay shows no story.
      const random = pageOf(first, '/stories');
      expect(random).toMatchObject({ verdict: 'damaged', missingCount: 0, neverHad: 1 });
      expect(random?.lost.map(({ text }) => text).join()).toContain(
        'Mayor resigns over the harbour contract',
      );

      const lost = ['/style.css', '/top.svg'].map((path) => site.url + path);
      const captures = await capturesOf(archive);
      cutRecords(
        archive,
        captures.filter(({ url }) => lost.includes(url)),
      );
      expect((await run('reindex')).code).toBe(0);
      const url = ['--url', `${site.url}/`];
      const second = await check(...url);
      const page = pageOf(second, '/');
      expect(page?.missing.map((one) => one.url).toSorted()).toEqual(lost.toSorted());
      expect(page?.missing[0]).toMatchObject({
        url: lost[1],
        type: 'image',
        matters: expect.closeTo(0.34, 1),
      });
      expect(page?.shift).toBeGreaterThan(0.9);
      expect(page?.score).toBeLessThan(0.4);

      // Private addresses are asked only where that is allowed.
      const refused = await check(...url, '--mend');
      expect(pageOf(refused, '/')?.mended).toEqual(
        expect.arrayContaining([expect.objectContaining({ url: lost[0], outcome: 'failed' })]),
      );
      const mended = await check(...url, '--mend', '--allow-private');
      expect(mended).toMatchObject({ whole: 1, damaged: 0, mended: 2, score: 1, code: 0 });
      expect(pageOf(mended, '/')?.mended).toEqual(
        expect.arrayContaining([{ url: lost[1], outcome: 'same' }]),
      );

      const verdicts = async (): Promise<number> =>
        (await capturesOf(archive)).filter((fact) => fact.url === checkUri(`${site.url}/`)).length;
      const before = await verdicts();
      expect(before).toBe(6);
      expect((await run('reindex')).code).toBe(0);
      expect(await verdicts()).toBe(before);
      expect((await run('verify')).code).toBe(0);
      const report = await run('report', site.url);
      expect(report.stdout).toContain('Replay: 3 pages checked: 2 whole, 1 damaged; mean score');
      expect((await run('check', '--url', `${site.url}/nowhere`)).code).toBe(2);
    } finally {
      await site.close();
    }
  });

  it('flipped bytes of a stylesheet and of the page itself, mended => whole at once, without reindex', async () => {
    const site = await startSite((path) => {
      if (path === '/style.css') return { headers: { 'Content-Type': 'text/css' }, body: STYLE };
      if (path === '/top.svg') return { headers: { 'Content-Type': 'image/svg+xml' }, body: PICTURE };
      return { '/': front }[path];
    });
    const archive = join(await temporaryFolder(), 'archive');
    const run = (...given: string[]) => daguerre([...given, '--archive', archive]);
    const check = async (...given: string[]): Promise<CheckReport> =>
      (await run('check', '--json', '--url', `${site.url}/`, ...given)).json<CheckReport>();
    try {
      await run('archive', `${site.url}/`, '--allow-private', '--delay', '0', '--scope-type', 'page');
      const whole = await check();
      expect(whole).toMatchObject({ whole: 1, damaged: 0 });
      const captures = await capturesOf(archive);
      const broken = [`${site.url}/`, `${site.url}/style.css`];
      flipBytes(
        archive,
        captures.filter(({ url, type }) => broken.includes(url) && type === 'response'),
      );
      const damaged = await check();
      expect(damaged.pages[0]).toMatchObject({ verdict: 'damaged', score: 0 });
      const mended = await check('--mend', '--allow-private');
      expect(mended).toMatchObject({ whole: 1, damaged: 0, missing: 0, score: 1 });
      expect(await check()).toMatchObject({ whole: 1, damaged: 0, mended: 0, missing: 0 });
    } finally {
      await site.close();
    }
  });
});
