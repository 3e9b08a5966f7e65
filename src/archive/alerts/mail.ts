import { compareAddress, headline, type OutgoingMessage } from '../../access/alerts/alert-payload.ts';
import { DeliveryError } from './channel.ts';
import type { SmtpSettings } from './channel-settings.ts';

export interface Mail {
  readonly smtp: SmtpSettings;
  readonly password: string | undefined;
  readonly to: readonly string[];
  /** Per step of the conversation, in milliseconds. */
  readonly timeLimit: number;
  /** Where the web page is served. */
  readonly base: string;
}

/** Sends it, or rejects with a DeliveryError. A mail that is sent twice has the same Message-ID. */
export async function sendMail(message: OutgoingMessage, mail: Mail, signal: AbortSignal): Promise<void> {
  // Loading a mail library is a good part of the startup time, and most rules send no mail.
  const { createTransport } = await import('nodemailer');
  const { smtp, password, to, timeLimit, base } = mail;
  const { host, port, tls, user, from } = smtp;
  const transport = createTransport({
    ...{ host, port, secure: tls },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: timeLimit, greetingTimeout: timeLimit, socketTimeout: timeLimit },
    // Nothing in a mail is fetched or read from disk.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const stop = (): void => transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await transport.sendMail({
      from,
      to: [...to],
      subject: headline(message).replace(/\s+/gu, ' '),
      text: mailText(message, base),
      messageId: `<${message.id}@${from.replace(/^.*@/, '')}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new DeliveryError(`mail server ${host}:${port}: ${(error as Error).message}`);
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
  }
}

/** Operations that a mail lists per alert. */
const LISTED = 5;

export function mailText({ rule, alerts }: OutgoingMessage, base: string): string {
  const parts = alerts.map((alert) => {
    const { url, from, to, summary, operations } = alert;
    const time = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const lines = operations.slice(0, LISTED).map(({ op, element, old, new: now }) => {
      const texts = [old === undefined ? '' : `was: ${old}`, now === undefined ? '' : `now: ${now}`];
      return `  ${op} ${element}  ${texts.filter((text) => text !== '').join('  ')}`;
    });
    return [
      url,
      `${from === undefined ? '' : `${time(from)} to `}${time(to)}`,
      summary,
      ...lines,
      compareAddress(base, alert),
    ].join('\n');
  });
  return `${parts.join('\n\n')}\n\n-- \nTold by the rule '${rule}' of a Daguerre archive.\n`;
}
