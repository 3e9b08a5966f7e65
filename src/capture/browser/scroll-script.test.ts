import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ScrollResult, scrollScript } from './page-script.ts';

const SCREEN = 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * A page that draws a frame at this interval, in milliseconds, and learns of a scroll with it, as in
 * browsers.
 */
async function scrolled(frameEvery: number, isEndless: boolean): Promise<ScrollResult> {
  let height = 2 * SCREEN;
  let top = 0;
  let hasScrolled = false;
  let callbacks: (() => void)[] = [];
  const frames = setInterval(() => {
    if (hasScrolled && isEndless) height += SCREEN;
    hasScrolled = false;
    const due = callbacks;
    callbacks = [];
    for (const callback of due) callback();
  }, frameEvery);
  const window = {
    document: {
      scrollingElement: {
        get scrollHeight() {
          return height;
        },
      },
    },
    get scrollY() {
      return top;
    },
    innerHeight: SCREEN,
    performance: { now: () => Date.now() },
    scrollBy: (by: { top: number }) => {
      top = Math.min(height - SCREEN, top + by.top);
      hasScrolled = true;
    },
    scrollTo: (to: { top: number }) => {
      top = to.top;
    },
    requestAnimationFrame: (callback: () => void) => callbacks.push(callback),
    setTimeout,
  };
  const answer = runInNewContext(scrollScript(40, 60_000), window) as Promise<string>;
  let said: string | undefined;
  void answer.then((json) => {
    said = json;
  });
  while (said === undefined) await vi.advanceTimersByTimeAsync(1);
  clearInterval(frames);
  return JSON.parse(said) as ScrollResult;
}

test.each([
  [16, 'a machine at rest'],
  [400, 'a busy machine'],
])('an endless page, a frame every %i ms (%s) => scrolled to the limit of screens', async (frameEvery) => {
  expect(await scrolled(frameEvery, true)).toEqual({ screens: 40, reachedEnd: false });
});

test.each([16, 400])('a page with an end, a frame every %i ms => its end', async (frameEvery) => {
  expect(await scrolled(frameEvery, false)).toEqual({ screens: 1, reachedEnd: true });
});
