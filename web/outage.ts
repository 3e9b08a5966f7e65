/** A server that does not answer: it is asked until it does, once for all who wait. */

/** Milliseconds between two tries. */
const EVERY = 1500;
let waiting: Promise<void> | undefined;
const hearers = new Set<() => void>();

export async function answers(): Promise<boolean> {
  try {
    // What stands before a server that is down says so with 502 to 504.
    return (await fetch('/api/session', { cache: 'no-store' })).status < 500;
  } catch {
    return false;
  }
}

/** Resolves once the server answers. */
export function answersAgain(): Promise<void> {
  waiting ??= tries().finally(() => (waiting = undefined));
  return waiting;
}

async function tries(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, EVERY));
  while (!(await answers()));
}

/** Hears that something is to be read anew because the server answers again, until the answer is called. */
export function onAgain(hear: () => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** For what could not be read: has the place read anew once the server answers, unless the answer is called before. */
export function readAgain(): () => void {
  let isWanted = true;
  void answersAgain().then(() => {
    if (isWanted) for (const hear of hearers) hear();
  });
  return () => {
    isWanted = false;
  };
}

const RELOADED = 'daguerre-reloaded';
/** Milliseconds: a file that is missing so soon after a reload is missing for good. */
const SOON = 20_000;

/**
 * A file of the page itself did not come. Browsers and the loader remember that: the page is loaded anew, once the server answers.
 * False where that was done just now and has not helped.
 */
export async function loadAnew(): Promise<boolean> {
  if (await answers()) {
    if (Date.now() - reloadedAt() < SOON) return false;
  } else await answersAgain();
  keepReload();
  location.reload();
  return true;
}

function reloadedAt(): number {
  try {
    return Number(sessionStorage.getItem(RELOADED) ?? 0);
  } catch {
    // Nothing can be kept: loading anew might go on for ever.
    return Date.now();
  }
}

function keepReload(): void {
  try {
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // See above.
  }
}
