/** Decides when a page has come to rest: the longest part of a visit. */
import { setTimeout as pause } from 'node:timers/promises';
import { LOOK, type PageLook } from './page-script.ts';
import type { PageVisit } from './page-visit.ts';

/** Milliseconds without network or DOM changes. */
const QUIET = { afterScripts: 100, afterActivity: 500 } as const;
/** Milliseconds to wait for quiet, and for a DOM that never stops changing. */
const LIMIT = { settle: 10_000, changes: 1500 } as const;
/** Milliseconds between two checks of a busy page or network. */
const POLL = 15;
/**
 * Share of the page's time spent waiting while answers still arrive: what is not waited for is requested a second
 * time.
 */
const LONGEST_SHARE = 0.8;
/** Milliseconds between two checks whether they still arrive. */
const LOOK_AGAIN = 500;

/** Waits until the page has loaded, and neither network nor DOM has changed for a while. */
export async function settle(visit: PageVisit, found: { look: PageLook | undefined }): Promise<void> {
  if (!visit.state.isShown) return;
  // A script that runs without end would hold off the load event for ever: it is stopped before the wait.
  await visit.insist("''");
  await waitForLoad(visit);
  const { workers } = visit;
  const { log } = visit.recorder;
  const startedAtLoad = log.started;
  const begin = Date.now();
  const limit = Math.min(LIMIT.settle, visit.leftToWait());
  for (;;) {
    if (!visit.state.isLoaded) await waitForLoad(visit);
    const busy = log.busy(Date.now()) || workers.isBusy || visit.state.isLeaving;
    // A look costs the page, the browser and us a message each: skipped while the network already says busy.
    if (!busy || !found.look) found.look = await lookAt(visit);
    if (visit.state.areScriptsStopped) return;
    const now = Date.now();
    const wait = busy
      ? POLL
      : quietIn(now, {
          begin,
          lastActivity: Math.max(log.lastActivity, workers.lastStep),
          active: log.started > startedAtLoad || workers.lastStep > 0,
          look: found.look,
        });
    if (wait <= 0) return;
    if (now - begin >= limit && !isWorthWaiting(visit)) {
      visit.facts.add('the page was still busy when its capture went on');
      return;
    }
    await pause(Math.min(Math.max(wait, POLL), now - begin < limit ? begin + limit - now : POLL));
  }
}

/** A page may queue thousands of pictures for six connections. */
const isWorthWaiting = (visit: PageVisit): boolean =>
  visit.recorder.log.moving(Date.now()) && visit.left(LONGEST_SHARE) > 0;

async function waitForLoad(visit: PageVisit): Promise<void> {
  await visit.loaded(visit.leftToWait());
  while (!visit.state.isLoaded && isWorthWaiting(visit)) await visit.loaded(LOOK_AGAIN);
}

export interface SettlingPage {
  /** When waiting began, and when the network was last active: milliseconds on the clock of `now`. */
  readonly begin: number;
  readonly lastActivity: number;
  /** Requests were made after the load event. */
  readonly active: boolean;
  readonly look: Pick<PageLook, 'scripts' | 'sinceChange'>;
}

/** Milliseconds until the page counts as quiet if nothing more happens; 0 or less: it already is. */
export function quietIn(now: number, { begin, lastActivity, active, look }: SettlingPage): number {
  const changed = look.sinceChange !== null;
  // Without scripts nothing comes after the load event.
  const quiet = active || changed ? QUIET.afterActivity : look.scripts > 0 ? QUIET.afterScripts : 0;
  return Math.max(
    quiet - (now - begin),
    quiet - (now - lastActivity),
    // A DOM that never stops changing, e.g. a clock, is waited for only a while.
    Math.min(quiet - (look.sinceChange ?? quiet), LIMIT.changes - (now - begin)),
  );
}

async function lookAt(visit: PageVisit): Promise<PageLook> {
  return JSON.parse(await visit.insist(LOOK)) as PageLook;
}
