import type { Outlook, PageOutlook, Unwatched } from '../archive/watch/page-outlook.ts';
import type { RunningWatch } from '../archive/watch/run-watch.ts';
import { shortageText } from '../archive/watch/watch-notes.ts';
import type { WatchStatus } from '../archive/watch/watch-status.ts';
import type { SeenVisit } from '../model/watch.ts';
import { spanWords } from '../science/policy/reason-words.ts';
import { plural } from './quantity-text.ts';
import { harmless } from './terminal-text.ts';

const figure = (value: number): string => value.toPrecision(2).replace(/^0\./, '.');

/** One visit that found something, for the screen. */
export function seenLine({ url, kind, outcome, importance, isFirst, fault }: SeenVisit): string {
  const changed = isFirst ? 'new' : `changed, importance ${figure(importance)}`;
  const what = outcome === 'changed' ? changed : fault === undefined ? outcome : `${outcome} (${fault})`;
  return harmless(`${kind}: ${what}: ${url}`);
}

/** The status of the watch, in one line. */
export function standing(status: WatchStatus): string {
  const { requestsPerHour, lastHour, waiting, capturing, visits } = status;
  const changed = Object.values(visits).reduce((sum, { changed: count }) => sum + count, 0);
  const made = Object.values(visits).reduce(
    (sum, outcomes) => sum + Object.values(outcomes).reduce((all, count) => all + count, 0),
    0,
  );
  const parts = [
    `${lastHour} of ${requestsPerHour} requests in the last hour`,
    `${plural(made, 'visit')}, ${changed} changed`,
    ...(waiting.length > 0 ? [`${waiting.length} to make in this round`] : []),
    ...(capturing.length > 0 ? [`capturing ${capturing.join(', ')}`] : []),
  ];
  return harmless(parts.join(' · '));
}

type PlannedRounds = Awaited<ReturnType<RunningWatch['planAhead']>>;

/** Rounds that are listed one by one; of longer plans, the first ones. */
const LINES = 200;

/** What would be done, round by round, each action with its reason. */
export function planText(rounds: PlannedRounds, hours: number): string {
  const lines = rounds.flatMap(({ at, round: { visits, captures } }) => [
    ...captures.map(({ site, cost, reason }) => `${clock(at)} capture ${site}, ${cost} requests: ${reason}`),
    ...visits.map(({ url, kind, reason }) => `${clock(at)} ${kind} ${url}: ${reason}`),
  ]);
  if (lines.length === 0)
    return `Nothing would be visited in the next ${hours} h: the budget does not suffice, or is 0.\n`;
  const more = lines.length > LINES ? [`… and ${lines.length - LINES} more (--json has all)`] : [];
  return `${harmless([...lines.slice(0, LINES), ...more].join('\n'))}\n`;
}

const clock = (at: number): string => new Date(at).toISOString().slice(11, 16);

function cannotPay({ every, shortage }: PageOutlook, requestsPerHour: number): string {
  if (!shortage || every === undefined || requestsPerHour === 0) return '';
  const { wanted, budget } = shortage;
  return `; but ${shortageText(shortage)}: about every ${spanWords((every * wanted) / budget)}`;
}

const UNWATCHED: Readonly<Record<Unwatched, string>> = {
  elsewhere: 'does not visit it: it is of no site there',
  'out-of-scope': 'does not visit it: it is out of the scope of its site there',
  'decided-out': 'does not visit it: it is decided out',
  unknown:
    "would visit it and has not yet: no page, feed or sitemap that was read names it ('daguerre ping' tells a running one of it)",
};

/** What a watch knows of a page, and what would have to change for it to be visited sooner. */
export function outlookText(known: Outlook, file: string): string {
  if (!known.outlook) return `A watch by ${file} ${UNWATCHED[known.because]}.`;
  const { outlook, requestsPerHour } = known;
  const { weight, rate, importance, expectedChanges, chanceChanged, cost, score, price, nextVisit, every } =
    outlook;
  const lines = [
    `Watched: weight ${figure(weight)}, ${figure(rate * 24)} changes a day of importance ${figure(importance)}, a visit takes ` +
      `${figure(cost)} requests; ${outlook.availability}`,
    `  since its last visit ${figure(expectedChanges)} changes are expected, ${(100 * chanceChanged).toFixed(0)} % likely at least one`,
    price === null
      ? `  worth ${figure(score)} a request; no price is known yet`
      : `  worth ${figure(score)} a request, at a price of ${figure(price)}: ${score >= price ? 'it is due' : 'others come first'}`,
    every === undefined
      ? undefined
      : `  wanted every ${spanWords(every)} at the latest, whatever its worth${cannotPay(outlook, requestsPerHour)}`,
    requestsPerHour === 0
      ? '  nothing is visited while budget.requestsPerHour is 0'
      : nextVisit === undefined
        ? '  no visit is expected within four weeks, unless a signal is heard'
        : `  expected to be visited about ${new Date(nextVisit).toISOString()}, sooner with a signal, a larger budget or weight`,
    ...outlook.signals.map(
      ({ source, chance }) => `  heard from ${source}: ${(100 * chance).toFixed(0)} % believed`,
    ),
    ...outlook.tellers.map(
      ({ source, precision, recall }) =>
        `  ${source} tells of it: right in ${(100 * precision).toFixed(0)} %, tells ${(100 * recall).toFixed(0)} % of its changes`,
    ),
  ];
  return harmless(lines.filter((line) => line !== undefined).join('\n'));
}
