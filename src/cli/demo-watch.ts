import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { OpenArchive } from '../archive/open/open-archive.ts';
import { RunningWatch } from '../archive/watch/run-watch.ts';
import { watchConfig } from '../archive/watch/watch-settings.ts';
import type { WatchStatus } from '../archive/watch/watch-status.ts';
import type { FastClock } from '../lab/newspaper/index.ts';
import type { RenderMode } from '../model/crawl.ts';
import type { SeenVisit } from '../model/watch.ts';
import { plural } from './quantity-text.ts';

export interface DemoWatch {
  readonly origin: string;
  readonly clock: FastClock;
  readonly days: number;
  readonly render: RenderMode;
  readonly say: (sentence: string) => void;
}

const DAY = 86_400_000;
/** Requests per hour of the newspaper's time: a page and what it embeds take about eight. */
const REQUESTS = 8;

/**
 * Watches the newspaper for some days of its time. Between two rounds its clock jumps, during a round it runs: as slow a crawl of
 * as quick a site as in reality.
 */
export async function watchNewspaper(
  archive: OpenArchive,
  { origin, clock, days, render, say }: DemoWatch,
  signal: AbortSignal,
): Promise<WatchStatus> {
  const end = clock.now() + days * DAY;
  const over = new AbortController();
  // Kept beside the archive: the web page plans by it, and tries its rules on the past.
  const settings = settingsFor(origin, render);
  await writeFile(watchFile(archive.folder.root), stringify(settings));
  const config = watchConfig(settings);
  const diary = new Diary(say);
  const watch = await RunningWatch.open(archive, config, {
    clock,
    loopClock: {
      now: clock.now,
      async sleep(ms) {
        clock.advance(ms);
        diary.turn(clock.now());
        if (clock.now() >= end) over.abort();
      },
    },
    syncEvery: 60_000,
    tell: say,
    onSeen: (seen) => diary.note(seen),
  });
  try {
    await watch.run(AbortSignal.any([signal, over.signal]));
    diary.turn(Number.POSITIVE_INFINITY);
    return watch.status();
  } finally {
    await watch.close();
  }
}

export const watchFile = (root: string): string => join(root, 'watch.yaml');

const settingsFor = (origin: string, render: RenderMode) => ({
  budget: { requestsPerHour: render === 'never' ? 2 : REQUESTS },
  round: '6h',
  shares: { discovery: '25%' },
  defaults: {
    render,
    allowPrivate: true,
    delay: '1s',
    perHost: 2,
    collection: 'newspaper',
    timezone: 'UTC',
  },
  sites: [{ url: `${origin}/`, capture: 'never', pages: { every: '6h', of: ['/'] } }],
  alerts: [
    { name: 'important', when: { salience: 0.4 }, digest: 'daily', timezone: 'UTC' },
    { name: 'gone', when: { gone: true, back: true } },
  ],
});

/** Reports what each day of the newspaper brought, in one line. */
class Diary {
  readonly #say: (sentence: string) => void;
  #day: number | undefined;
  #visits: SeenVisit[] = [];

  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  note(seen: SeenVisit): void {
    this.#day ??= Math.floor(seen.at / DAY);
    this.#visits.push(seen);
  }

  turn(now: number): void {
    if (this.#day === undefined || Math.floor(now / DAY) === this.#day) return;
    const changed = this.#visits.filter(({ outcome }) => outcome === 'changed');
    const [most] = changed.toSorted((a, b) => b.importance - a.importance);
    const what = most
      ? `; the most: ${new URL(most.url).pathname}, importance ${most.importance.toFixed(2)}`
      : '';
    const day = new Date(this.#day * DAY).toUTCString().slice(0, 11);
    this.#say(
      `  ${day}: ${plural(this.#visits.length, 'visit')}, ${changed.length} found something new${what}`,
    );
    this.#day = undefined;
    this.#visits = [];
  }
}
