import { compareAddress, headline, type OutgoingMessage } from '../../access/alerts/alert-payload.ts';
import type { Alert } from '../../model/alert.ts';
import type { ChatService } from './channel-settings.ts';

/**
 * Alerts that a chat message lists; the rest are counted. Services truncate messages after a few thousand
 * characters.
 */
const LISTED = 10;
/** Longest summary and longest page address, in characters. */
const SAID = 300;
const ADDRESS = 200;

/**
 * The body each service accepts. Its texts come from pages: whatever the service would read as markup or as a mention
 * (@channel, <!everyone>) is defused.
 */
export function chatBody(service: ChatService, message: OutgoingMessage, base: string): unknown {
  return TEMPLATES[service](message, base);
}

type Template = (message: OutgoingMessage, base: string) => unknown;

const TEMPLATES: Readonly<Record<ChatService, Template>> = {
  // https://api.slack.com/reference/surfaces/formatting: once three characters are escaped, nothing is markup.
  slack: (message, base) => {
    const lines = lined(
      message,
      (alert) =>
        `• <${slackUrl(compareAddress(base, alert))}|${slackText(brief(alert.url, ADDRESS))}> ${slackText(said(alert))}`,
    );
    const text = [`*${slackText(headline(message))}*`, ...lines].join('\n');
    return { text, unfurl_links: false, unfurl_media: false };
  },
  mattermost: (message, base) => ({ text: markdown(message, base) }),
  discord: (message, base) => ({
    content: markdown(message, base).slice(0, 2000),
    // Text from a page must not mention anybody.
    allowed_mentions: { parse: [] },
  }),
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors: an adaptive card in a message.
  teams: (message, base) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', weight: 'Bolder', wrap: true, text: markdownText(headline(message)) },
            ...lined(
              message,
              (alert) =>
                `[${markdownText(brief(alert.url, ADDRESS))}](${markdownUrl(compareAddress(base, alert))}) ${markdownText(said(alert))}`,
            ).map((text) => ({ type: 'TextBlock', wrap: true, text })),
          ],
        },
      },
    ],
  }),
};

function markdown(message: OutgoingMessage, base: string): string {
  const lines = lined(
    message,
    (alert) =>
      `- [${markdownText(brief(alert.url, ADDRESS))}](${markdownUrl(compareAddress(base, alert))}) ${markdownText(said(alert))}`,
  );
  return [`**${markdownText(headline(message))}**`, ...lines].join('\n');
}

function lined({ alerts }: OutgoingMessage, line: (alert: Alert) => string): string[] {
  const more = alerts.length - LISTED;
  return [...alerts.slice(0, LISTED).map(line), ...(more > 0 ? [`and ${more} more`] : [])];
}

const brief = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
const said = ({ summary }: Alert): string => brief(oneLine(summary), SAID);

const slackMarked = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const slackText = (text: string): string => slackMarked(text).replaceAll('@', '@\u200b');
const slackUrl = (url: string): string => slackMarked(url).replaceAll('|', '%7C');
/** An invisible character after @ keeps it from being a mention; markup characters are escaped. */
const markdownText = (text: string): string =>
  text.replace(/[\\`*_~[\]<>|#]/g, '\\$&').replaceAll('@', '@\u200b');
const markdownUrl = (url: string): string =>
  url.replace(/[()<>\s\\]/g, (mark) => encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'));
