/** When a page has come to rest: what takes longest of all that is done with it. */
import { setTimeout as pause } from 'node:timers/promises';
import { LOOK, type PageLook } from './page-script.ts';
import type { PageVisit } from './page-visit.ts';

/** Milliseconds without network or DOM changes. */
const QUIET = { afterScripts: 100, afterActivity: 500 } as const;
/** Milliseconds to wait for quiet, and for a DOM that changes for ever. */
const LIMIT = { settle: 10_000, changes: 1500 } as const;
/** Milliseconds between two looks at a page or network that is busy. */
const POLL = 15;
/** Share of the page's time for waiting on while answers come: what is not waited for is asked for a second time. */
const LONGEST_SHARE = 0.8;
/** Milliseconds between two looks at whether they still come. */
const LOOK_AGAIN = 500;

/** Waits until the page has loaded, and until neither network nor DOM have changed for a while. */
export async function settle(visit: PageVisit, found: { look: PageLook | undefined }): Promise<void> {
  if (!visit.state.isShown) return;
  // A script that runs without end would keep the load event away for ever: it is stopped before the wait.
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
    // Looking costs the page, the browser and us a message each: not while the network has the answer.
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
  /** When waiting began, and when the network was last heard of: milliseconds on the clock of `now`. */
  readonly begin: number;
  readonly lastActivity: number;
  /** Requests were made after the load event. */
  readonly active: boolean;
  readonly look: Pick<PageLook, 'scripts' | 'sinceChange'>;
}

/** Milliseconds until the page counts as quiet if nothing more happens; 0 or less: it is. */
export function quietIn(now: number, { begin, lastActivity, active, look }: SettlingPage): number {
  const changed = look.sinceChange !== null;
  // Without scripts nothing comes later than the load event.
  const quiet = active || changed ? QUIET.afterActivity : look.scripts > 0 ? QUIET.afterScripts : 0;
  return Math.max(
    quiet - (now - begin),
    quiet - (now - lastActivity),
    // A DOM that changes for ever, a clock say, is waited for a while only.
    Math.min(quiet - (look.sinceChange ?? quiet), LIMIT.changes - (now - begin)),
  );
}

async function lookAt(visit: PageVisit): Promise<PageLook> {
  return JSON.parse(await visit.insist(LOOK)) as PageLook;
}
