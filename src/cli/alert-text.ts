import type { ListedAlert } from '../archive/alerts/list-alerts.ts';
import type { PastOfRule } from '../archive/alerts/past-alerts.ts';
import type { Alert } from '../model/alert.ts';
import type { OutboxCounts } from '../ports/catalog.ts';
import { plural } from './quantity-text.ts';

/** To the minute, UTC. */
const timeText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** When, by which rule, for which page, why; and its delivery state. */
export function alertLine(alert: Alert & Partial<Pick<ListedAlert, 'deliveries' | 'message'>>): string {
  const { to, rule, url, summary, deliveries } = alert;
  return `${timeText(to)}  ${rule}  ${url}  ${summary}${deliveries ? `  [${stateText(alert)}]` : ''}`;
}

function stateText({
  message,
  deliveries = [],
}: Partial<Pick<ListedAlert, 'deliveries' | 'message'>>): string {
  if (message === undefined) return 'waits';
  if (deliveries.length === 0) return 'in its feed';
  return deliveries
    .map(({ channel, state, tries, lastError }) => {
      if (state === 'sent') return `${channel}: sent`;
      return `${channel}: ${state} after ${tries} ${tries === 1 ? 'try' : 'tries'}${lastError === undefined ? '' : ` (${lastError})`}`;
    })
    .join('; ');
}

export function outboxLine({ alerts, waiting, deliveries }: OutboxCounts): string {
  const { sent, 'given-up': givenUp } = deliveries;
  return `${plural(alerts, 'alert')}, ${waiting} of them not yet in a message; deliveries: ${sent} sent, ${deliveries.waiting} waiting, ${givenUp} given up`;
}

/** The alerts a rule would have raised, message by message. */
export function pastText({ rule, alerts, messages }: PastOfRule): string {
  const days = new Set(alerts.map(({ to }) => Math.floor(to / 86_400_000))).size;
  const head = `${rule.name}: ${plural(alerts.length, 'alert')} on ${plural(days, 'day')}, in ${plural(messages.length, 'message')}\n`;
  const told = messages.map(({ at, alerts: some }) => {
    const [first, ...others] = some;
    if (first && others.length === 0 && at === first.to) return `  ${alertLine(first)}\n`;
    return `  ${timeText(at)}  a message of ${some.length}:\n${some.map((alert) => `    ${alertLine(alert)}\n`).join('')}`;
  });
  return head + told.join('');
}
