/** For tests that kill it: stores alerts as fast as it can and sends them to a webhook, until it dies. */

import { DELIVERY_SETTINGS } from '../src/archive/alerts/channel-settings.ts';
import { openChannels } from '../src/archive/alerts/open-channels.ts';
import { createSender } from '../src/archive/alerts/sender.ts';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import type { AlertRule } from '../src/model/alert.ts';

export async function openOutbox(file: string, hook: string) {
  const catalog = await openSqliteCatalog(file);
  const rule: AlertRule = { name: 'r', where: {}, when: { salience: 0 }, digest: 'none', zone: 'UTC' };
  const delivery = DELIVERY_SETTINGS.parse({ allowPrivate: true });
  const send = [{ kind: 'webhook', address: hook } as const];
  const channels = openChannels([{ rule, send }], { delivery, environment: {}, now: Date.now });
  const sender = createSender({
    catalog,
    rules: () => [rule],
    channels: (name) => channels.get(name) ?? [],
    giveUpAfter: () => 3_600_000,
  });
  return { catalog, sender };
}

const [file, hook, run] = process.argv.slice(2);
if (file !== undefined && hook !== undefined && run !== undefined) {
  const { catalog, sender } = await openOutbox(file, hook);
  for (let number = 0; ; number++) {
    const at = Date.now();
    const alert = { rule: 'r', url: 'https://example.org/', kind: 'change', to: at, madeAt: at } as const;
    await catalog.addAlerts([{ ...alert, id: `${run}-${number}`, summary: 's', operations: [] }]);
    process.stdout.write('stored\n');
    await sender.sendDue(Date.now());
  }
}
