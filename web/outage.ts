/** A server that does not answer: it is asked until it does, once for all who wait. */

/** Milliseconds between two tries. */
const EVERY = 1500;
/** Between two looks while nothing is known to be wrong. */
const LOOK = 12_000;
/** A connection that is gone without a word: no answer comes, and no error. */
const PATIENCE = 15_000;
let waiting: Promise<void> | undefined;
const hearers = new Set<() => void>();

/** Nobody is kept logged in by it; a certificate of the browser may be what lets it through all the same. */
export const answers = async (): Promise<boolean> => (await isThere('omit')) || isThere('same-origin');

async function isThere(credentials: RequestCredentials): Promise<boolean> {
  try {
    const asked = { cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) } as const;
    // What stands before a server that is down says so with 502 to 504.
    return (await fetch('/api/session', { ...asked, credentials })).status < 500;
  } catch {
    return false;
  }
}

/** Looks after the server while somebody sees the page: most places ask once, and would never know. Until the answer is called. */
export function lookAfter(hear: (isDown: boolean) => void): () => void {
  let isOver = false;
  let isLooking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    clearTimeout(timer);
    if (document.visibilityState === 'visible' && !(await answers()) && !isOver) {
      hear(true);
      await answersAgain();
      if (!isOver) hear(false);
    }
    isLooking = false;
    if (!isOver) timer = setTimeout(() => void look(), LOOK);
  };
  const seen = (): void => {
    if (document.visibilityState === 'visible') void look();
  };
  timer = setTimeout(() => void look(), LOOK);
  document.addEventListener('visibilitychange', seen);
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
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
