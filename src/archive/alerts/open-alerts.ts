import type { Millis } from '../../model/time.ts';
import type { AlertJudge } from '../../ports/alert-judge.ts';
import type { Clock } from '../../ports/clock.ts';
import { alertJudge } from '../../stages/judge-alerts.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { alertId } from './alert-id.ts';
import type { ConfiguredRule } from './alert-settings.ts';
import { captureAlerts } from './capture-findings.ts';
import type { Channel } from './channel.ts';
import type { DeliverySettings } from './channel-settings.ts';
import { type Environment, openChannels } from './open-channels.ts';
import { createSender, type SenderOptions, type Sent } from './sender.ts';

export interface AlertConfig {
  readonly rules: readonly ConfiguredRule[];
  readonly delivery: DeliverySettings;
}

/** Rules applied to an archive that is open for writing. */
export interface Alerts {
  /** What rules tell of a visit: for `RunOptions.alerts`, `CrawlOptions.alerts`. */
  readonly judge: AlertJudge;
  /**
   * Stores what rules tell of captures of whole sites that ended since. To be called after each capture, and at
   * startup.
   */
  judgeCaptures(since: Millis): Promise<void>;
  /**
   * Replaces the configuration from now on. Throws UserError, and changes nothing, where a secret or a server
   * is missing.
   */
  configure(config: AlertConfig): void;
  /** Tries once what is due by `now`. */
  sendDue(now: Millis, signal?: AbortSignal): Promise<Sent>;
  /** Sends until the signal fires, then resolves. Rejects if the catalog fails. */
  send(signal: AbortSignal, onSent?: (sent: Sent) => void): Promise<void>;
}

/** Interval between two looks into the outbox, in milliseconds. */
const LOOK_EVERY = 5_000;

export function openAlerts(
  archive: Pick<OpenArchive, 'catalog' | 'reader'>,
  config: AlertConfig,
  {
    clock,
    environment = process.env,
    maySend = () => true,
  }: { readonly clock: Clock; readonly environment?: Environment } & Pick<SenderOptions, 'maySend'>,
): Alerts {
  const { catalog, reader } = archive;
  const opened = (given: AlertConfig) => ({
    ...given,
    channels: openChannels(given.rules, { delivery: given.delivery, environment, now: clock.now }),
  });
  let current = opened(config);
  const rules = () => current.rules.map(({ rule }) => rule);
  const channels = (rule: string): readonly Channel[] => current.channels.get(rule) ?? [];
  const giveUpAfter = () => current.delivery.giveUpAfter;
  const sender = createSender({ catalog, rules, channels, giveUpAfter, maySend });
  return {
    judge: alertJudge(rules, { catalog, reader, idOf: alertId, now: clock.now }),
    async judgeCaptures(since) {
      const told = await captureAlerts(rules(), archive, { since }, () => clock.now());
      if (told.length > 0) await catalog.addAlerts(told);
    },
    configure(given) {
      current = opened(given);
    },
    sendDue: sender.sendDue,
    async send(signal, onSent) {
      while (!signal.aborted) {
        try {
          const sent = await sender.sendDue(clock.now(), signal);
          if (sent.sent + sent.failed + sent.givenUp > 0) onSent?.(sent);
        } catch (error) {
          // An attempt that was cut short is repeated by whoever opens the archive next.
          if (signal.aborted) return;
          throw error;
        }
        await clock.sleep(LOOK_EVERY, signal);
      }
    },
  };
}
