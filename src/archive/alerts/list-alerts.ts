import type { Delivery } from '../../model/alert.ts';
import type { AlertCatalog, AlertQuery, OutboxCounts, StoredAlert } from '../../ports/catalog.ts';

/** An alert with how far it has got over each channel. */
export interface ListedAlert extends StoredAlert {
  readonly deliveries: readonly Omit<Delivery, 'message'>[];
}

/** Newest first. */
export async function listAlerts(
  catalog: AlertCatalog,
  query: AlertQuery & { readonly limit: number },
): Promise<{ readonly alerts: readonly ListedAlert[]; readonly outbox: OutboxCounts }> {
  const alerts: ListedAlert[] = [];
  for (const alert of await catalog.alerts(query)) {
    const { message } = alert;
    const found = message === undefined ? [] : await catalog.deliveries({ message });
    alerts.push({ ...alert, deliveries: found.map(({ message: _, rule: __, ...delivery }) => delivery) });
  }
  return { alerts, outbox: await catalog.outboxCounts() };
}
