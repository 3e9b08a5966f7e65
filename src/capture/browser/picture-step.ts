/** Pictures that load when they come into view have been in view once the page was scrolled: they are waited for. */
import type { PageVisit } from './page-visit.ts';

/** Milliseconds; what has not arrived by then is missing from the layout's pictures, and reported. */
const LIMIT = 3000;
/** Milliseconds between two checks. */
const PERIOD = 50;

interface WaitResult {
  /** Pictures of the part of the page that was scrolled through. */
  readonly pending: number;
  readonly all: number;
}

/**
 * A picture that failed is complete, too: it will not come. Nothing below `bottom` (in pixels) was scrolled into view.
 */
const waitScript = (bottom: number, limit: number): string => `(async () => {
  const start = performance.now();
  const images = [...document.images].filter((image) => {
    const box = image.getBoundingClientRect();
    return (image.currentSrc || image.src) && box.width > 0 && box.top + scrollY < ${bottom};
  });
  const pending = () => images.filter((image) => image.isConnected && !image.complete).length;
  while (pending() > 0 && performance.now() - start < ${limit}) await new Promise((done) => setTimeout(done, ${PERIOD}));
  return JSON.stringify({ pending: pending(), all: images.length });
})()`;

/** @param bottom how far down the page was scrolled, in pixels */
export async function waitForPictures(visit: PageVisit, bottom: number): Promise<void> {
  if (!visit.state.isShown || visit.state.areScriptsStopped) return;
  const limit = Math.min(LIMIT, visit.leftToWait());
  if (limit <= 0) return;
  const answer = await visit.insist(waitScript(bottom, limit), limit + visit.patience());
  const { pending, all } = JSON.parse(answer) as WaitResult;
  if (pending > 0) visit.facts.add(`${pending} of ${all} pictures had not come after ${limit} ms`);
}
