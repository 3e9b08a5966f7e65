import { z } from 'zod';
import type { Millis } from '../../model/time.ts';
import { readConfig } from '../given/config-file.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { complaint, type OwnCommands } from './own-commands.ts';

/** What may be requested of a check through a server: one page, or what a crawl captured. */
export const WANTED_CHECK = z
  .strictObject({
    url: z.string().min(1).max(8192).optional().describe('this page'),
    at: z.int().optional().describe('of the page, the capture nearest to this time (ms since 1970)'),
    crawl: z.int().min(0).optional().describe('pages that this crawl captured'),
    sample: z.int().min(1).optional().describe('at most so many pages, drawn by lot'),
    mend: z.boolean().default(false).describe('ask the web again for what is missing'),
  })
  .refine(({ url, crawl }) => (url === undefined) !== (crawl === undefined), 'give either url or crawl')
  .refine(({ url, at }) => at === undefined || url !== undefined, 'at is a time of a page: give its url');
export type WantedCheck = z.output<typeof WANTED_CHECK>;
/** The form in which it is sent. */
export type WantedCheckBody = z.input<typeof WANTED_CHECK>;

export interface RunningCheck extends WantedCheck {
  readonly startedAt: Millis;
}

/** A check that has ended; `why` where it failed. */
export interface EndedCheck extends RunningCheck {
  readonly endedAt: Millis;
  readonly why?: string;
}

export interface CheckState {
  readonly running?: RunningCheck;
  /** The last check that ended while this server was running. */
  readonly last?: EndedCheck;
}

const READ_ONLY =
  'the database user of this server may only read the catalog: check on a machine whose --database names a user that may write';
/** Exit codes of `check` whose verdicts hold: also where pages are damaged, or it was stopped. */
const FINE = new Set([0, 8, 130]);
const PRIVATE = z.looseObject({ allowPrivate: z.boolean().optional() });

/** Checks started by a server, one at a time: each keeps a browser and a processor busy. */
export class OwnChecks {
  readonly #commands: OwnCommands;
  readonly #place: readonly string[];
  readonly #config: string | undefined;
  readonly #mayWrite: () => Promise<boolean>;
  #running: RunningCheck | undefined;
  #last: EndedCheck | undefined;

  /**
   * @param place flags that name the archive
   * @param config settings of crawls: whether private addresses may be contacted for what is missing
   * @param mayWrite whether verdicts can be stored
   */
  constructor(
    commands: OwnCommands,
    place: readonly string[],
    config: string | undefined,
    mayWrite: () => Promise<boolean>,
  ) {
    this.#mayWrite = mayWrite;
    this.#commands = commands;
    this.#place = place;
    this.#config = config;
  }

  get state(): CheckState {
    return {
      ...(this.#running && { running: this.#running }),
      ...(this.#last && { last: this.#last }),
    };
  }

  /** Begins it in a process of its own; verdicts can be read as they come. */
  async start(wanted: WantedCheck): Promise<RunningCheck> {
    this.#refuseSecond();
    if (!(await this.#mayWrite())) throw new UserError(READ_ONLY, 'forbidden');
    const allowsPrivate = wanted.mend && (await this.#allowsPrivate());
    // Somebody may have begun another one while the file was being read.
    this.#refuseSecond();
    const running = { ...wanted, startedAt: systemClock.now() };
    const { ended } = this.#commands.start([
      'check',
      ...flagsOf(wanted),
      ...(allowsPrivate ? ['--allow-private'] : []),
      ...this.#place,
      '--json',
    ]);
    this.#running = running;
    ended.then(
      ({ code, stderr }) => this.#end(running, FINE.has(code) ? undefined : complaint(stderr)),
      (error: unknown) => this.#end(running, String(error)),
    );
    return running;
  }

  #refuseSecond(): void {
    if (this.#running) throw new UserError('another check is running', 'conflict');
  }

  #end(running: RunningCheck, why: string | undefined): void {
    this.#running = undefined;
    this.#last = { ...running, endedAt: systemClock.now(), ...(why !== undefined && { why }) };
  }

  async #allowsPrivate(): Promise<boolean> {
    if (this.#config === undefined) return false;
    return PRIVATE.parse(await readConfig(this.#config, PRIVATE)).allowPrivate ?? false;
  }
}

const flagsOf = ({ url, at, crawl, sample, mend }: WantedCheck): string[] => [
  // As one argument: an address that begins with a dash is not a flag.
  ...(url === undefined ? [] : [`--url=${url}`]),
  ...(at === undefined ? [] : [`--at=${new Date(at).toISOString()}`]),
  ...(crawl === undefined ? [] : [`--crawl=${crawl}`]),
  ...(sample === undefined ? [] : [`--sample=${sample}`]),
  ...(mend ? ['--mend'] : []),
];
