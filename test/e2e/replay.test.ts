import { describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../src/access/replay-url.ts';
import { hrefs } from '../../web/router.ts';
import { shown } from './replay-browser.ts';
import { LATER, origin, server, T, useReplay, visiting } from './replayed-site.ts';

useReplay();

describe('replay in a browser, the site shut down', () => {
  it('page with style, image and a script that fetches => all of them work', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      const frame = await shown(tab, `${origin}/`, 'Morning edition');
      await frame.waitForFunction(`document.getElementById('fetched').textContent !== ''`);
      const seen = await frame.evaluate(`({
        color: getComputedStyle(document.getElementById('headline')).color,
        width: document.getElementById('picture').naturalWidth,
        text: document.getElementById('fetched').textContent,
        ran: document.body.dataset.ran,
      })`);
      expect(seen).toEqual({
        color: 'rgb(1, 2, 3)',
        width: 1,
        text: 'rendered by a script',
        ran: 'yes',
      });
      await expect.poll(() => tab.title()).toContain('Morning edition');
    }));

  it('pictures: by a redirect, drawn with a style of their own, and none => as they would be live', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      const frame = await shown(tab, `${origin}/`, 'Morning edition');
      const colours =
        await frame.evaluate(`Promise.all(['/moved.png', '/drawn.svg', '/never.png'].map((src) =>
        new Promise((done) => {
          const picture = new Image();
          picture.onload = () => {
            const context = document.createElement('canvas').getContext('2d');
            context.drawImage(picture, 0, 0);
            done([...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join());
          };
          picture.onerror = () => done('none');
          picture.src = src;
        })))`);
      expect(colours).toEqual(['255,0,0', '90,80,70', 'none']);
    }));

  it("a second page => wombat is the browser's own copy, and nothing is fetched ahead", () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      const asked: string[] = [];
      tab.on('request', (request) => asked.push(request.url()));
      await (await shown(tab, `${origin}/`, 'Morning edition')).click('#inside');
      const frame = await shown(tab, `${origin}/second`, 'Second');
      const transferred = await frame.evaluate(
        `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/wombat.js')).map((one) => one.transferSize)`,
      );
      expect(transferred).toEqual([0]);
      expect(asked.filter((url) => url.includes('autoFetchWorker'))).toEqual([]);
    }));

  it('two captures 300 ms apart => each its own content, and the time bar steps between them', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await shown(tab, `${origin}/`, 'Morning edition');
      await tab.getByRole('button', { name: 'Later capture' }).click();
      await shown(tab, `${origin}/`, 'Evening edition');
      expect(new URL(tab.url()).hash).toContain(`at=${formatTimestamp(LATER)}`);
      await tab.getByRole('slider', { name: 'Capture' }).press('ArrowLeft');
      await shown(tab, `${origin}/`, 'Morning edition');
    }));

  it('a link => the archived page, and the address follows', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await (await shown(tab, `${origin}/`, 'Morning edition')).click('#inside');
      await shown(tab, `${origin}/second`, 'Second');
      await expect.poll(() => decodeURIComponent(tab.url())).toContain(`url=${origin}/second`);
    }));

  it('a moment between two versions => the most likely, with its own style; a click stays on that day', () => {
    const day = T + 2 * 3_600_000;
    return visiting(`${origin}/paper`, day, async ({ tab }) => {
      const frame = await shown(tab, `${origin}/paper`, 'Next paper');
      await expect
        .poll(() => frame.evaluate(`getComputedStyle(document.getElementById('headline')).color`))
        .toBe('rgb(9, 9, 9)');
      await frame.click('#inside');
      await shown(tab, `${origin}/second`, 'Second');
      await expect.poll(() => decodeURIComponent(tab.url())).toContain(`url=${origin}/second`);
      expect(tab.url()).toContain(`at=${formatTimestamp(day)}`);
    });
  });

  it('an archived redirect => its archived target; an archived 500 => its own page', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await (await shown(tab, `${origin}/`, 'Morning edition')).click('#moved');
      await shown(tab, `${origin}/second`, 'Second');
      await tab.goto(`${server.url}/${hrefs.replay(`${origin}/broken`, formatTimestamp(T))}`);
      await shown(tab, `${origin}/broken`, 'Archived fault');
    }));

  it('a link to a page that is not archived => says so, asks nobody else', () =>
    visiting(`${origin}/`, T, async ({ tab }) => {
      await (await shown(tab, `${origin}/`, 'Morning edition')).click('#gone');
      await shown(tab, `${origin}/never`, 'Not in this archive');
    }));
});
