import type { Millis } from '../../model/time.ts';
import { type PlannedVisit, type SeenVisit, VISIT_KINDS, type VisitKind } from '../../model/watch.ts';

const OUTCOMES = ['changed', 'unchanged', 'gone', 'failed'] as const;
/** Changes that are remembered for display. */
const CHANGES = 20;
const HOUR = 3_600_000;

/** What a watch is doing and has done since it began, for its screen, the API and the metrics. */
export interface WatchStatus {
  readonly since: Millis;
  readonly now: Millis;
  readonly requestsPerHour: number;
  /** Requests in the hour before now. */
  readonly lastHour: number;
  readonly visits: Readonly<Record<VisitKind, Readonly<Record<SeenVisit['outcome'], number>>>>;
  readonly requests: number;
  readonly bytes: number;
  /** Importance that visits were expected to bring, and did bring. */
  readonly expected: number;
  readonly found: number;
  readonly rounds: number;
  /** Planned for the current round, and not visited yet. */
  readonly waiting: readonly PlannedVisit[];
  /** Sites that are being captured. */
  readonly capturing: readonly string[];
  readonly captures: number;
  /** Newest first. */
  readonly changes: readonly Pick<SeenVisit, 'url' | 'at' | 'importance' | 'kind'>[];
  readonly signals: number;
  /** Alerts that wait to be sent, and alerts that were given up; absent where there are no rules. */
  readonly outbox?: { readonly waiting: number; readonly givenUp: number };
  readonly problem?: string;
  /** Conditions that somebody should know and that hold nothing up; absent where there are none. */
  readonly notes?: readonly string[];
}

/** Counts. */
export class WatchCounts {
  requestsPerHour: number;
  rounds = 0;
  captures = 0;
  problem: string | undefined;
  readonly capturing = new Set<string>();
  readonly #since: Millis;
  readonly #visits = Object.fromEntries(
    VISIT_KINDS.map((kind) => [kind, Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]))]),
  ) as Record<VisitKind, Record<SeenVisit['outcome'], number>>;
  readonly #waiting = new Map<string, PlannedVisit>();
  readonly #changes: SeenVisit[] = [];
  /** In the last hour, oldest first. */
  readonly #spent: { readonly at: Millis; readonly requests: number }[] = [];
  #requests = 0;
  #bytes = 0;
  #expected = 0;
  #found = 0;
  #signals = 0;

  constructor(since: Millis, requestsPerHour: number) {
    this.#since = since;
    this.requestsPerHour = requestsPerHour;
  }

  planned(visits: readonly PlannedVisit[]): void {
    this.rounds++;
    for (const visit of visits) this.#waiting.set(visit.url, visit);
  }

  /** The round is over: what is left of it is planned again. */
  roundOver(): void {
    this.#waiting.clear();
  }

  seen(visit: SeenVisit): void {
    const { kind, outcome, requests, bytes, importance, at, url } = visit;
    this.#visits[kind][outcome]++;
    this.#requests += requests;
    this.#bytes += bytes;
    this.#found += importance;
    this.#expected += this.#waiting.get(url)?.value ?? 0;
    this.#waiting.delete(url);
    this.#signals += visit.signals.length;
    this.#spent.push({ at, requests });
    if (outcome === 'changed') this.#changes.unshift(visit);
    if (this.#changes.length > CHANGES) this.#changes.pop();
  }

  status(now: Millis): WatchStatus {
    while ((this.#spent[0]?.at ?? now) < now - HOUR) this.#spent.shift();
    return {
      since: this.#since,
      now,
      requestsPerHour: this.requestsPerHour,
      lastHour: this.#spent.reduce((sum, { requests }) => sum + requests, 0),
      visits: this.#visits,
      requests: this.#requests,
      bytes: this.#bytes,
      expected: this.#expected,
      found: this.#found,
      rounds: this.rounds,
      waiting: [...this.#waiting.values()],
      capturing: [...this.capturing],
      captures: this.captures,
      changes: this.#changes.map(({ url, at, importance, kind }) => ({ url, at, importance, kind })),
      signals: this.#signals,
      ...(this.problem !== undefined && { problem: this.problem }),
    };
  }
}

/** In the text format of Prometheus. */
export function watchMetrics(status: WatchStatus): string {
  const lines: string[] = [];
  const metric = (
    name: string,
    type: 'counter' | 'gauge',
    help: string,
    values: readonly (readonly [labels: string, value: number])[],
  ): void => {
    lines.push(`# HELP daguerre_${name} ${help}`, `# TYPE daguerre_${name} ${type}`);
    for (const [labels, value] of values) lines.push(`daguerre_${name}${labels} ${value}`);
  };
  const one = (value: number) => [['', value]] as const;
  metric(
    'up',
    'gauge',
    'Whether the watch runs without a problem.',
    one(status.problem === undefined ? 1 : 0),
  );
  metric('budget_requests_per_hour', 'gauge', 'Requests that an hour may have.', one(status.requestsPerHour));
  metric('requests_last_hour', 'gauge', 'Requests of the hour before now.', one(status.lastHour));
  metric('requests_total', 'counter', 'Requests since the watch began.', one(status.requests));
  metric('bytes_total', 'counter', 'Bytes received.', one(status.bytes));
  metric(
    'visits_total',
    'counter',
    'Visits by what they were for and what came of them.',
    Object.entries(status.visits).flatMap(([kind, outcomes]) =>
      Object.entries(outcomes).map(
        ([outcome, count]) => [`{kind="${kind}",outcome="${outcome}"}`, count] as const,
      ),
    ),
  );
  metric(
    'gain_expected_total',
    'counter',
    'Importance that visits were expected to bring.',
    one(status.expected),
  );
  metric('gain_found_total', 'counter', 'Importance that visits brought.', one(status.found));
  metric('rounds_total', 'counter', 'Rounds of visits.', one(status.rounds));
  metric('waiting', 'gauge', 'Visits of this round that are still to be made.', one(status.waiting.length));
  metric('site_captures_total', 'counter', 'Whole sites that were captured.', one(status.captures));
  metric(
    'site_captures_running',
    'gauge',
    'Whole sites that are being captured.',
    one(status.capturing.length),
  );
  metric('signals_total', 'counter', 'Signals that were heard.', one(status.signals));
  if (status.outbox) {
    metric('alerts_waiting', 'gauge', 'Alerts that are to be sent.', one(status.outbox.waiting));
    metric('alerts_given_up', 'gauge', 'Alerts that could not be sent.', one(status.outbox.givenUp));
  }
  return `${lines.join('\n')}\n`;
}
