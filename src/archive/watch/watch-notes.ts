import type { ForcedShortage } from '../../science/policy/watch/fixed-visits.ts';

const whole = (requests: number): string => String(Math.ceil(requests));

/** `forced pages want 180 requests an hour, and budget.requestsPerHour has 60`. */
export function shortageText({ site, wanted, budget }: ForcedShortage): string {
  const [of, key] = site === undefined ? ['', 'budget.'] : [` of ${site}`, 'its '];
  return `forced pages${of} want ${whole(wanted)} requests an hour, and ${key}requestsPerHour has ${budget}`;
}

/**
 * Conditions that do not hold the watch up but that somebody should know: reported when they begin, and shown for as
 * long as they last.
 */
export class WatchNotes {
  readonly #tell: (sentence: string) => void;
  readonly #notes = new Map<string, string>();

  constructor(tell: (sentence: string) => void) {
    this.#tell = tell;
  }

  get all(): readonly string[] {
    return [...this.#notes.values()];
  }

  /**
   * `about` identifies the condition; an empty sentence ends it. A condition is reported once, even if its sentence
   * changes.
   */
  note(about: string, sentence: string): void {
    const isNew = !this.#notes.has(about);
    if (sentence === '') this.#notes.delete(about);
    else this.#notes.set(about, sentence);
    if (isNew && sentence !== '') this.#tell(sentence);
  }

  /** Visit frequencies that people want and the budget does not allow. */
  shortages(shortages: readonly ForcedShortage[], isPaused: boolean): void {
    const about = new Map(shortages.map((one) => [`forced ${one.site ?? ''}`, one]));
    for (const known of [...this.#notes.keys()])
      if (known.startsWith('forced ') && !about.has(known)) this.note(known, '');
    // A paused watch is paused on purpose.
    if (isPaused) return;
    for (const [name, one] of about)
      this.note(
        name,
        `${shortageText(one)}: they are visited less often than that, the longest overdue first.`,
      );
  }
}
