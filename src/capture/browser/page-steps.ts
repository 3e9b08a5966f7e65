/** What is done with a page, in order. Each step has a name, so that a time limit can say where it struck. */
import type { Rendering } from '../../ports/renderer.ts';
import { faultOfNetError, faultOfRefusal } from './net-errors.ts';
import {
  LOOK,
  type PageLook,
  type PageReading,
  READ,
  type ScrollResult,
  scrollScript,
} from './page-script.ts';
import type { PageVisit } from './page-visit.ts';
import { pictureWhole, takeSnapshot } from './snapshot-step.ts';

/** Found so far; steps fill it in. */
export interface Findings {
  look: PageLook | undefined;
  reading: PageReading | undefined;
  links: readonly string[];
  view: Rendering['view'];
  thumbnail: Rendering['thumbnail'];
  snapshot: Rendering['snapshot'];
  fullView: Rendering['fullView'];
  /** Requests when scrolling began. */
  startedBeforeScroll: number;
}

export interface PageStep {
  readonly name: string;
  run(visit: PageVisit, found: Findings): Promise<void>;
}

/** Milliseconds without network or DOM changes. */
const QUIET = { afterScripts: 100, afterActivity: 500 } as const;
/** Milliseconds to wait for quiet; for a DOM that changes for ever; for the end of scrolling. */
const LIMIT = { settle: 10_000, changes: 1500, scroll: 5000 } as const;
/** Milliseconds between two looks at a page that settles; a look costs about one. */
const POLL = 15;
/** Share of the page's time after which waiting stops, so that there is time left to look. */
const WAITING_SHARE = 0.6;
const MOST_SCREENS = 40;
const MOST_FRAMES = 50;
const THUMBNAIL_WIDTH = 320;

export const STEPS: readonly PageStep[] = [
  { name: 'navigate', run: navigate },
  { name: 'settle', run: settle },
  { name: 'scroll', run: scroll },
  { name: 'settle after scroll', run: settleAgain },
  { name: 'read', run: read },
  { name: 'snapshot', run: snapshot },
  { name: 'picture', run: picture },
  { name: 'picture of the whole', run: wholePicture },
];

async function navigate(visit: PageVisit): Promise<void> {
  const { url } = visit.request;
  const { errorText } = await visit.tab.main.send('Page.navigate', { url });
  if (!errorText) await visit.shown(visit.left());
  if (!errorText || visit.committed) return;
  // Nothing was shown yet, so what was refused is this document, or one that it redirects to.
  const refusal = [...visit.recorder.refused.values()].at(-1);
  if (refusal !== undefined) throw faultOfRefusal(url, refusal);
  // 204, or a download: there is an answer, but no page.
  if (errorText === 'net::ERR_ABORTED') {
    visit.facts.add('the answer is no page: nothing to show');
    return;
  }
  throw faultOfNetError(url, errorText);
}

async function settle(visit: PageVisit, found: Findings): Promise<void> {
  if (!visit.committed) return;
  // A script that runs without end would keep the load event away for ever: it is stopped before the wait.
  await visit.insist("''", patience(visit));
  await visit.loaded(visit.left(WAITING_SHARE));
  const startedAtLoad = visit.recorder.started;
  found.look = await lookAt(visit);
  const begin = Date.now();
  const limit = Math.min(LIMIT.settle, visit.left(WAITING_SHARE));
  for (;;) {
    if (visit.scriptsStopped) return;
    const now = Date.now();
    const active = visit.recorder.started > startedAtLoad || visit.recorder.busy(now) || visit.leaving;
    const { look } = found;
    const changed = look.sinceChange !== null;
    // Without scripts nothing comes later than the load event.
    const quiet = active || changed ? QUIET.afterActivity : look.scripts > 0 ? QUIET.afterScripts : 0;
    const networkQuiet =
      !visit.recorder.busy(now) && now - visit.recorder.lastActivity >= quiet && !visit.leaving;
    const domQuiet = !changed || (look.sinceChange ?? 0) >= quiet || now - begin >= LIMIT.changes;
    if (networkQuiet && domQuiet && (now - begin >= quiet || !(active || changed || look.scripts > 0)))
      return;
    if (now - begin >= limit) {
      visit.facts.add('the page was still busy when its capture went on');
      return;
    }
    await pause(POLL);
    if (visit.loadedAt === undefined) await visit.loaded(visit.left(WAITING_SHARE));
    found.look = await lookAt(visit);
  }
}

async function lookAt(visit: PageVisit): Promise<PageLook> {
  return JSON.parse(await visit.insist(LOOK, patience(visit))) as PageLook;
}

/** A fifth of the time that is left, and never less than half a second. */
function patience(visit: PageVisit): number {
  return Math.max(500, visit.left() / 5);
}

async function scroll(visit: PageVisit, found: Findings): Promise<void> {
  const { look } = found;
  found.startedBeforeScroll = visit.recorder.started;
  // Nothing on the page says that more is to be loaded: scrolling is to make sure.
  if (!look?.lazy) visit.request.onQuiet?.();
  if (!look || look.height <= visit.tab.viewport.height || (look.scripts === 0 && !look.lazy)) return;
  const limit = Math.min(LIMIT.scroll, visit.left(WAITING_SHARE));
  if (limit === 0) return;
  const answer = await visit.insist(scrollScript(MOST_SCREENS, limit), limit + patience(visit));
  const result = JSON.parse(answer) as ScrollResult;
  if (!result.reachedEnd)
    visit.facts.add(`scrolling stopped after ${result.screens} screens: the page goes on`);
}

async function settleAgain(visit: PageVisit, found: Findings): Promise<void> {
  if (visit.recorder.started > found.startedBeforeScroll || visit.leaving) await settle(visit, found);
}

async function read(visit: PageVisit, found: Findings): Promise<void> {
  visit.request.onQuiet?.();
  if (!visit.committed) return;
  visit.held = true;
  const reading = JSON.parse(await visit.insist(READ, patience(visit))) as PageReading;
  found.reading = reading;
  const links = new Set(reading.links);
  const frames = [...visit.frames].filter(([id]) => id !== visit.tab.targetId).slice(0, MOST_FRAMES);
  const answers = await Promise.all(
    // A frame may go away, or hang, while it is asked: the page is not made to wait for it.
    frames.map(([id, session]) =>
      Promise.race([visit.evaluate(session, id, READ), pause(patience(visit))]).catch(() => undefined),
    ),
  );
  for (const answer of answers) {
    if (answer) for (const link of (JSON.parse(answer) as PageReading).links) links.add(link);
  }
  for (const link of visit.opened) links.add(link);
  found.links = [...links];
  if (reading.moreLinks) visit.facts.add(`only the first ${reading.links.length} links were kept`);
}

/** Before the pictures, so that they show the page as it was walked: with its animations frozen. */
async function snapshot(visit: PageVisit, found: Findings): Promise<void> {
  if (visit.request.snapshot) found.snapshot = await takeSnapshot(visit);
}

async function wholePicture(visit: PageVisit, found: Findings): Promise<void> {
  const { wholePage } = visit.request;
  if (!wholePage || !found.reading) return;
  try {
    found.fullView = await pictureWhole(visit, wholePage, found.reading.height);
  } catch (error) {
    visit.facts.add(`no picture of the whole page could be taken: ${String(error)}`);
  }
}

/**
 * The first screen, as Browsertrix's `view`: what a visitor meets. A picture of the whole page was tried: it
 * took several times as long as all the rest, and made records of a megabyte a page.
 */
async function picture(visit: PageVisit, found: Findings): Promise<void> {
  if (!visit.request.screenshots || !found.reading) return;
  const { viewport } = visit.tab;
  const shoot = async (scale: number) => {
    const { data } = await visit.tab.main.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality: 75,
      optimizeForSpeed: true,
      clip: { x: 0, y: 0, ...viewport, scale },
    });
    return { contentType: 'image/jpeg', bytes: new Uint8Array(Buffer.from(data, 'base64')) };
  };
  try {
    // One after the other: asked for at once, the small one was now and then a corner of the large one.
    found.view = await shoot(1);
    found.thumbnail = await shoot(THUMBNAIL_WIDTH / viewport.width);
  } catch (error) {
    visit.facts.add(`no picture could be taken: ${String(error)}`);
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
