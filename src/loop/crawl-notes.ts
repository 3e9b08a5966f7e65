import type { Skip } from '../model/crawl.ts';
import { SKIPS } from '../model/fault.ts';
import type { FoundTrap } from '../ports/scope.ts';
import { honouredWait } from '../science/policy/politeness.ts';

/** Notes of one run. A hostile site could make up more traps; all of them are counted as skips. */
const NOTES = 100;

const MORE = `there is more to tell than ${NOTES} notes: see the counts of skips`;

/** @param example of the URLs that are left out */
export const trapNote = ({ reason, detail }: FoundTrap, example?: string): string =>
  `crawler trap${example === undefined ? '' : ` at ${new URL(example).host}`}: ${detail}; further URLs of it are ` +
  `skipped${example === undefined ? '' : `, such as ${example}`} (${reason}: ${SKIPS[reason]})`;

/** Milliseconds of a pause from which it is told: until then a crawl may seem to think. */
const LONG_PAUSE = 60_000;

/** Undefined for a pause that nobody notices. */
export function pauseNote(host: string, retryAfter: number): string | undefined {
  if (retryAfter < LONG_PAUSE) return undefined;
  const waited = honouredWait(retryAfter);
  const asked = `${host} is too busy and asks to be left alone for ${pauseWords(retryAfter)} (Retry-After)`;
  if (waited === retryAfter) return `${asked}: it is asked again after that`;
  return (
    `${asked}: it is asked again in ${pauseWords(waited)}, the longest that a crawl waits; ` +
    'stop the crawl and run the same command later to go on then'
  );
}

function pauseWords(ms: number): string {
  const [unit, length] = UNITS.find(([, least]) => ms >= 2 * least) ?? ['seconds', 1000];
  return `${Math.round(ms / length)} ${unit}`;
}

const UNITS = [
  ['years', 365.25 * 86_400_000],
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** What a crawl tells while it runs, each once, and keeps for its report. */
export class CrawlNotes {
  readonly #store: (notes: readonly string[]) => Promise<void>;
  readonly #onNote: ((note: string) => void) | undefined;
  readonly #told = new Set<string>();
  /** Traps that were told, without their examples. */
  readonly #traps = new Set<string>();

  constructor(store: (notes: readonly string[]) => Promise<void>, onNote?: (note: string) => void) {
    this.#store = store;
    this.#onNote = onNote;
  }

  /** Keeps notes that were told already. */
  async keep(notes: readonly string[]): Promise<void> {
    for (const note of notes) this.#told.add(note);
    if (notes.length > 0) await this.#store(notes);
  }

  async tell(notes: readonly string[]): Promise<void> {
    const fresh = [...new Set(notes)].filter((note) => !this.#told.has(note));
    const room = Math.max(0, NOTES - this.#told.size);
    if (fresh.length > room) fresh.splice(room, fresh.length, ...(this.#told.has(MORE) ? [] : [MORE]));
    for (const note of fresh) this.#onNote?.(note);
    await this.keep(fresh);
  }

  /** A family of URLs that has become a trap is told with its first skip, once. */
  tellTraps(skips: readonly Skip[]): Promise<void> {
    const notes: string[] = [];
    for (const { reason, rule, detail: own, url } of skips) {
      if (!FAMILIES.has(reason)) continue;
      const detail = rule ?? own;
      const family = `${reason} ${new URL(url).host} ${detail}`;
      if (this.#traps.has(family) || this.#traps.size >= NOTES) continue;
      this.#traps.add(family);
      notes.push(trapNote({ reason, detail }, url));
    }
    return this.tell(notes);
  }
}

/** Traps in which many URLs are left out for what the others were; the rest is told by its count. */
const FAMILIES: ReadonlySet<Skip['reason']> = new Set<Skip['reason']>([
  'trap-calendar',
  'trap-query-variants',
  'trap-alike-pages',
  'trap-sitemaps',
]);
