import type { Alert } from '../../model/alert.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import type { ConfiguredRule } from './alert-settings.ts';
import { DeliveryError } from './channel.ts';
import type { DeliverySettings } from './channel-settings.ts';
import { type Environment, openChannels } from './open-channels.ts';
import { pastAlerts } from './past-alerts.ts';

export interface RuleTest {
  readonly alert: Alert;
  /** One per channel; `error` where the message was not accepted. */
  readonly results: readonly { readonly channel: string; readonly error?: string }[];
}

/** Sends the last alert that a rule would have told, once, under an id that no alert has. */
export async function testRule(
  configured: ConfiguredRule,
  delivery: DeliverySettings,
  archive: Pick<OpenArchive, 'catalog' | 'reader'>,
  environment: Environment = process.env,
): Promise<RuleTest> {
  const { rule } = configured;
  const ports = { delivery, environment, now: systemClock.now };
  const channels = openChannels([configured], ports).get(rule.name) ?? [];
  const [past] = await pastAlerts([rule], archive, { since: 0, until: systemClock.now() });
  const last = past?.alerts.at(-1);
  if (!last)
    throw new UserError(
      `the rule '${rule.name}' would have told nothing so far: 'daguerre changes' lists what there was to tell`,
    );
  const alert = { ...last, id: `test-${last.id}` };
  const message = { id: alert.id, rule: rule.name, digest: rule.digest, alerts: [alert] };
  const results = await Promise.all(
    channels.map(async (channel) => {
      try {
        await channel.deliver(message, new AbortController().signal);
        return { channel: channel.name };
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        return { channel: channel.name, error: error.message };
      }
    }),
  );
  return { alert, results };
}
