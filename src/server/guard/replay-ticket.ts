import { randomBytes } from 'node:crypto';

/**
 * Where people are named, replay needs to know who asks; but a browser sends the cookie of 127.0.0.1 to no host below `localhost`.
 * So each session has replay hosts of its own, `<site and view>.<ticket>.localhost`, and knowing the ticket is the right to read
 * there. It ends with the session, and opens nothing but replay.
 */
const TICKET_HOST = /^[a-z0-9-]{1,63}\.([0-9a-f]{32})\.localhost(?::\d+)?$/i;

/** 128 bits, in what a host name may have: it knows no upper case. */
export const newTicket = (): string => randomBytes(16).toString('hex');

export const ticketOfHost = (hostHeader: string | undefined): string | undefined =>
  TICKET_HOST.exec(hostHeader ?? '')?.[1]?.toLowerCase();

/** The hosts of replay for whoever has this ticket. Hosts that a browser sends the cookie to need none. */
export const ticketedPattern = (pattern: string, ticket: string | undefined): string =>
  ticket === undefined ? pattern : pattern.replace('//*.localhost', `//*.${ticket}.localhost`);
