import { createHash } from 'node:crypto';
import { messagePayload } from '../../access/alerts/alert-payload.ts';
import { UserError } from '../user-error.ts';
import type { ConfiguredRule } from './alert-settings.ts';
import type { Channel } from './channel.ts';
import type { ChannelSettings, DeliverySettings } from './channel-settings.ts';
import { chatBody } from './chat-templates.ts';
import { sendMail } from './mail.ts';
import { postJson } from './post-json.ts';
import { runCommand } from './run-command.ts';
import { signedHeaders } from './standard-webhook.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface ChannelPorts {
  readonly delivery: DeliverySettings;
  readonly environment: Environment;
  /** Milliseconds; timestamps signatures. */
  readonly now: () => number;
}

/**
 * The channels of each rule, by rule name. Throws UserError for secrets that are not set, and for mail without a
 * server.
 */
export function openChannels(
  rules: readonly ConfiguredRule[],
  ports: ChannelPorts,
): ReadonlyMap<string, readonly Channel[]> {
  return new Map(
    rules.map(({ rule, send }) => [
      rule.name,
      send.map((settings) => openChannel(rule.name, settings, ports)),
    ]),
  );
}

function openChannel(
  rule: string,
  settings: ChannelSettings,
  { delivery, environment, now }: ChannelPorts,
): Channel {
  const known = (text: string): string => secretOf(text, rule, environment);
  const { address: base, timeLimit, allowPrivate } = delivery;
  switch (settings.kind) {
    case 'email': {
      const { smtp } = delivery;
      if (!smtp)
        throw new UserError(
          `alerts: the rule '${rule}' sends e-mail, and no server is named: add delivery: { smtp: { host: …, from: … } }`,
        );
      const password = smtp.password === undefined ? undefined : known(smtp.password);
      const { to } = settings;
      return {
        name: `email ${to.join(' ')}`.slice(0, LONGEST),
        deliver: (message, signal) => sendMail(message, { smtp, password, to, timeLimit, base }, signal),
      };
    }
    case 'command': {
      const { command } = settings;
      return {
        name: `command ${command[0]} ${fingerprint(command.join('\0'))}`.slice(-LONGEST),
        deliver: (message, signal) =>
          runCommand(command, `${JSON.stringify(messagePayload(message, base))}\n`, timeLimit, signal),
      };
    }
    default: {
      const address = known(settings.address);
      if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
        throw new UserError(`alerts: the rule '${rule}': ${settings.address} holds no http or https address`);
      const secret =
        settings.kind === 'webhook' && settings.secret !== undefined ? known(settings.secret) : undefined;
      return {
        // The address of a chat service is its secret, so only its host is shown.
        name: `${settings.kind} ${new URL(address).host} ${fingerprint(address)}`.slice(-LONGEST),
        async deliver(message, signal) {
          const payload =
            settings.kind === 'webhook'
              ? messagePayload(message, base)
              : chatBody(settings.kind, message, base);
          const body = JSON.stringify(payload);
          const headers = signedHeaders({ id: message.id, body, secret }, now() / 1000);
          await postJson({ address, body, headers, timeLimit }, { allowPrivate }, signal);
        },
      };
    }
  }
}

/** Longest channel name, in characters. */
const LONGEST = 200;

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

function secretOf(text: string, rule: string, environment: Environment): string {
  if (!text.startsWith('env:')) return text;
  const name = text.slice('env:'.length);
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw new UserError(`alerts: the rule '${rule}' needs the environment variable ${name}, which is not set`);
}
