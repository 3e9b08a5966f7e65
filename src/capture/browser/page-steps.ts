/** What is done with a page, in order. Each step has a name, so that a time limit can say where it struck. */
import { setTimeout as pause } from 'node:timers/promises';
import { whyCut } from '../../model/snapshot-codec.ts';
import type { Rendering } from '../../ports/renderer.ts';
import { alternatives } from './alternatives-step.ts';
import { behave } from './behaviors/behavior-step.ts';
import { answerConsent } from './consent/consent-step.ts';
import { faultOfNetError, faultOfRefusal } from './net-errors.ts';
import {
  type PageLook,
  type PageReading,
  readScript,
  type ScrollResult,
  scrollScript,
} from './page-script.ts';
import type { PageVisit } from './page-visit.ts';
import { waitForPictures } from './picture-step.ts';
import { takeThumbnail, takeView } from './pictures.ts';
import { settle } from './settle-step.ts';
import { pictureWhole, takeSnapshot } from './snapshot-step.ts';
import { VIEWPORT } from './tab-manner.ts';
import { within } from './within.ts';

/** Found so far; steps fill it in. */
export interface Findings {
  look: PageLook | undefined;
  reading: PageReading | undefined;
  links: readonly string[];
  embedded: readonly string[];
  /** Which parts of text and links are missing. */
  cut: readonly string[];
  view: Rendering['view'];
  thumbnail: Rendering['thumbnail'];
  snapshot: Rendering['snapshot'];
  fullView: Rendering['fullView'];
  /** Number of requests when scrolling began. */
  startedBeforeScroll: number;
}

export interface PageStep {
  readonly name: string;
  run(visit: PageVisit, found: Findings): Promise<void>;
}

/** Milliseconds for scrolling. */
const SCROLL_LIMIT = 5000;
const MOST_SCREENS = 40;

export const STEPS: readonly PageStep[] = [
  { name: 'navigate', run: navigate },
  { name: 'settle', run: settle },
  { name: 'consent', run: consent },
  { name: 'delay after load', run: delay },
  { name: 'scroll', run: scroll },
  { name: 'settle after scroll', run: settleAgain },
  { name: 'behaviours', run: behave },
  { name: 'pictures', run: pictures },
  { name: 'read', run: read },
  { name: 'alternatives', run: alternatives },
  { name: 'snapshot', run: snapshot },
  { name: 'picture', run: picture },
  { name: 'picture of the whole', run: wholePicture },
];

async function navigate(visit: PageVisit): Promise<void> {
  const { url } = visit.request;
  const { errorText } = await visit.tab.main.send('Page.navigate', { url });
  if (!errorText) await visit.shown(visit.left());
  if (!errorText || visit.state.isShown) return;
  // Nothing was shown yet, so the refusal is of this document, or of one it redirects to.
  const refusal = [...visit.recorder.refused.values()].at(-1);
  if (refusal !== undefined) throw faultOfRefusal(url, refusal);
  // 204, or a download: there is an answer, but no page.
  if (errorText === 'net::ERR_ABORTED') {
    visit.facts.add('the answer is no page: nothing to show');
    return;
  }
  throw faultOfNetError(url, errorText);
}

/** Before the page is scrolled and captured: a banner may cover it, and keep it from loading the rest. */
async function consent(visit: PageVisit, found: Findings): Promise<void> {
  const { consent: answer } = visit.request;
  if (answer === undefined || answer === 'none') return;
  if (await answerConsent(visit, answer)) await settle(visit, found);
}

/** Some pages fetch more shortly after they have come to rest, with no earlier sign of it. */
async function delay(visit: PageVisit, found: Findings): Promise<void> {
  const { postLoadDelay = 0 } = visit.request;
  const wait = Math.min(postLoadDelay, visit.leftToWait());
  if (wait <= 0 || !visit.state.isShown) return;
  const { started } = visit.recorder.log;
  await pause(wait);
  if (wait < postLoadDelay)
    visit.facts.add(`waited ${wait} of ${postLoadDelay} ms: the page's time was short`);
  if (visit.recorder.log.started > started || visit.state.isLeaving) await settle(visit, found);
}

async function scroll(visit: PageVisit, found: Findings): Promise<void> {
  const { look } = found;
  found.startedBeforeScroll = visit.recorder.log.started;
  const { behaviors = ['autoscroll'], device } = visit.request;
  // Nothing on the page says that more is to be loaded: scrolling only makes sure.
  if (!look?.lazy && !behaviors.some((one) => one !== 'autoscroll')) visit.request.onQuiet?.();
  if (!behaviors.includes('autoscroll')) return;
  if (!look || look.height <= (device ?? VIEWPORT).height || (look.scripts === 0 && !look.lazy)) return;
  const limit = Math.min(SCROLL_LIMIT, visit.leftToWait());
  if (limit === 0) return;
  const answer = await visit.insist(scrollScript(MOST_SCREENS, limit), limit + visit.patience());
  const result = JSON.parse(answer) as ScrollResult;
  if (!result.reachedEnd)
    visit.facts.add(`scrolling stopped after ${result.screens} screens: the page goes on`);
}

async function settleAgain(visit: PageVisit, found: Findings): Promise<void> {
  if (visit.recorder.log.started > found.startedBeforeScroll || visit.state.isLeaving)
    await settle(visit, found);
}

/** Only where the page says that it loads some lazily: all others were waited for with the page. */
async function pictures(visit: PageVisit, { look }: Findings): Promise<void> {
  const { snapshot: isSeen, device } = visit.request;
  if (isSeen && look?.lazy) await waitForPictures(visit, MOST_SCREENS * (device ?? VIEWPORT).height);
}

async function read(visit: PageVisit, found: Findings): Promise<void> {
  visit.request.onQuiet?.();
  if (!visit.state.isShown) return;
  if (!visit.state.isHeld) visit.state.hold();
  const { selectLinks: selectors = [], keepsFragments = false } = visit.request;
  const script = readScript({ selectors, keepsFragments });
  const reading = JSON.parse(await visit.insist(script)) as PageReading;
  found.reading = reading;
  const links = new Set(reading.links);
  const embedded = new Set(reading.embedded);
  const frames = visit.innerFrames;
  const answers = await Promise.all(
    // A frame may go away, or hang, while it is asked: the page is not made to wait for it.
    frames.map(([id, session]) =>
      within(visit.patience(), visit.evaluate(session, id, script)).catch(() => undefined),
    ),
  );
  const all = visit.frames.size - 1;
  let silent = all - frames.length;
  let { moreLinks } = reading;
  for (const answer of answers) {
    const frame = answer ? (JSON.parse(answer) as PageReading) : undefined;
    if (!frame) silent++;
    for (const link of frame?.links ?? []) links.add(link);
    for (const url of frame?.embedded ?? []) embedded.add(url);
    moreLinks ||= frame?.moreLinks ?? false;
  }
  if (silent > 0)
    visit.facts.add(
      `${silent} of ${all} frames did not answer, or were not asked: their links are not known`,
    );
  for (const link of visit.opened) links.add(link);
  found.links = [...links];
  found.embedded = [...embedded];
  const kept = reading.text.length;
  found.cut = [
    ...found.cut,
    ...(moreLinks ? [`only the first ${links.size} links were kept`] : []),
    ...(reading.broke ? [`not all links were read: ${reading.broke}`] : []),
    ...(reading.textLength > kept
      ? [`only the first ${kept} of ${reading.textLength} characters of text were kept`]
      : []),
  ];
  for (const fact of found.cut) visit.facts.add(fact);
}

/** Before the pictures, so that they show the page as it was walked: with its animations frozen. */
async function snapshot(visit: PageVisit, found: Findings): Promise<void> {
  if (!visit.request.snapshot) return;
  found.snapshot = await takeSnapshot(visit);
  const why = found.snapshot.kind === 'taken' ? whyCut(found.snapshot.packed) : undefined;
  if (why !== undefined) found.cut = [...found.cut, `the layout is partial: ${why}`];
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

async function picture(visit: PageVisit, found: Findings): Promise<void> {
  if (!visit.request.screenshots || !found.reading) return;
  try {
    found.view = await takeView(visit.tab);
    found.thumbnail = await takeThumbnail(visit.tab, visit.request.device);
  } catch (error) {
    visit.facts.add(`not all pictures could be taken: ${String(error)}`);
  }
}
