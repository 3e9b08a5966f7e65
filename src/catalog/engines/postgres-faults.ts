import { StorageFull } from '../../ports/record-store.ts';
import { CatalogFault, errorCode } from '../faults.ts';

/** The server, or the way to it, is gone: it may come back, and then the same statement succeeds. */
const AWAY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers at that address: check host and port, and that it runs',
  ENOTFOUND: 'its host name cannot be resolved',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no way to the server: check the network',
  ENETUNREACH: 'there is no way to the server: check the network',
  ETIMEDOUT: 'the server does not answer',
  EPIPE: 'the server closed the connection: run the same command to go on',
  ECONNRESET: 'the server closed the connection: run the same command to go on',
  ERR_STREAM_DESTROYED: 'the server closed the connection: run the same command to go on',
  ERR_STREAM_WRITE_AFTER_END: 'the server closed the connection: run the same command to go on',
  '08003': 'the server closed the connection: run the same command to go on',
  '08006': 'the server closed the connection: run the same command to go on',
  '25P03':
    'the server ended a transaction in which nothing was done for too long: run the same command to go on',
  '53300': 'the server takes no more connections: close some, or raise max_connections',
  '57P01': 'the server is shutting down: run the same command to go on',
  '57P02': 'the server crashed: run the same command to go on',
  '57P03': 'the server is starting up or shutting down: try again in a moment',
};

/** The server answers, and does not let us in: waiting does not help. */
const CLOSED: Readonly<Record<string, string>> = {
  '28P01': 'the server rejects user name or password',
  '28000': 'the server rejects this user',
  '3D000': 'there is no such database: create it first',
};

/** `pg` gives these no code. */
const UNCODED: readonly (readonly [start: string, code: string])[] = [
  ['Connection terminated due to connection timeout', 'ETIMEDOUT'],
  ['timeout expired', 'ETIMEDOUT'],
  ['Connection terminated', 'ECONNRESET'],
  ['Client has encountered a connection error', 'ECONNRESET'],
  ['Client was closed', 'ECONNRESET'],
];

function codeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const uncoded = UNCODED.find(([start]) => message.startsWith(start));
  // Several addresses of one name, none of which answers.
  if (error instanceof AggregateError && errorCode(error) === '') return codeOf(error.errors[0]);
  return uncoded ? uncoded[1] : errorCode(error);
}

export function isAway(error: unknown): boolean {
  return AWAY[codeOf(error)] !== undefined;
}

/** A name that nobody knows is mistyped rather than away. */
const NAMELESS = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/** Whether a server that was never reached may be there in a moment: it is starting, say, or takes no more connections. */
export function mayCome(error: unknown): boolean {
  return isAway(error) && !NAMELESS.has(codeOf(error));
}

/** It is there, and refuses one more connection. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === '53300';
}

/** What keeps us from the server, in words. */
export function awayText(error: unknown): string {
  return AWAY[codeOf(error)] ?? 'the server does not answer';
}

/** Text of a fault; `daguerre serve` looks for its beginning. */
const mayNot = (what: string): string =>
  `this user of the database may not do that (${what}): whoever reads needs USAGE on the schema and SELECT on its tables, whoever writes must own them`;

export const readOnlyFault = (location: string): CatalogFault =>
  new CatalogFault('read-only', location, mayNot('it may read the tables alone'));

export function explainPostgres(location: string, error: unknown): unknown {
  const code = codeOf(error);
  const fault = (kind: CatalogFault['kind'], detail: string): CatalogFault =>
    new CatalogFault(kind, location, detail, error);
  if (code === '53100') return new StorageFull(location, error);
  const unreachable = AWAY[code] ?? CLOSED[code];
  if (unreachable !== undefined) return fault('unreachable', unreachable);
  if (code === 'XX001' || code === 'XX002')
    return fault('damaged', 'is damaged: drop the schema and run `daguerre reindex`');
  if (code === '40P01' || code === '40001' || code === '55P03')
    return fault('busy', 'another process writes the same rows: try again');
  if (code === '42501') return fault('read-only', mayNot((error as Error).message));
  if (code === '25006') {
    return fault(
      'read-only',
      'the server takes no writes (a standby, or default_transaction_read_only is on): name one that does',
    );
  }
  return error;
}
