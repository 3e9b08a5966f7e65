import type { CheckState, RunningCheck, WantedCheck } from '../archive/serve/start-check.ts';
import type { StartedCrawl, WantedCrawl } from '../archive/serve/start-crawl.ts';
import type { TabsNow } from '../archive/writer/look-at-tabs.ts';
import type { AlertRule } from '../model/alert.ts';
import type { Millis } from '../model/time.ts';
import type { PlannedCapture, PlannedVisit } from '../model/watch.ts';
import type { Ask } from './write-routes.ts';

/** Visits that a watch would make in one round. */
export interface RoundAhead {
  readonly at: number;
  readonly round: { readonly visits: readonly PlannedVisit[]; readonly captures: readonly PlannedCapture[] };
}

/** What a server does beside reading from the archive. */
export interface ServerWork {
  /** Has whoever writes to the archive do something. */
  readonly ask: Ask;
  /** Whether a watch runs, wherever: it hears pings. */
  watches?(): Promise<boolean>;
  /** Begins a crawl in a process of its own. */
  startCrawl(wanted: WantedCrawl): Promise<StartedCrawl>;
  /** Goes on with a crawl as it was begun. */
  resumeCrawl(id: number): Promise<StartedCrawl>;
  /** Begins a check in a process of its own. */
  startCheck(wanted: WantedCheck): Promise<RunningCheck>;
  checks(): CheckState;
  /** What the browser of a running crawl shows; undefined where nothing writes to the archive. */
  look(url: string | undefined, picture: boolean): Promise<TabsNow | undefined>;
  /** What a command of Daguerre prints of this archive, with `--json`: for answers that take seconds of computing. */
  command(args: readonly string[], operands?: readonly string[]): Promise<unknown>;
  /** What a rule, or those of the configuration, would have told. */
  dryRun(rule: Readonly<Record<string, unknown>> | undefined, since: Millis | undefined): Promise<unknown>;
  /** Undefined where no watch is configured. */
  plan(hours: number): Promise<readonly RoundAhead[] | undefined>;
  /** Whether a watch is configured. */
  readonly plans?: boolean;
  /** Of the configuration, without their channels: those hold secrets. */
  rules(): Promise<readonly AlertRule[]>;
}
