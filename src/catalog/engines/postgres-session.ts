import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Checkout, PostgresConnections } from './postgres-connections.ts';
import { isAway } from './postgres-faults.ts';

/**
 * What Kysely takes for a pool. A statement outside a transaction that was lost with its connection is sent again: whatever stands
 * outside one may be done twice (queries, signs of life, leases of hosts). Inside one, the transaction is lost, and `transaction` decides.
 */
export function sessionsOf(connections: PostgresConnections, kept: KeptStatements): PostgresPool {
  return {
    connect: async () =>
      new Session(connections, kept, await connections.checkout()) as unknown as PostgresPoolClient,
    end: () => connections.end(),
  };
}

/** Names of statements that each connection plans once, by their text. */
export type KeptStatements = ReadonlyMap<string, string>;

/** idle → begin → inTransaction → (commit, rollback → idle | connection lost → broken → rollback → idle) */
type State = 'idle' | 'inTransaction' | 'broken';

class Session {
  readonly #connections: PostgresConnections;
  readonly #kept: KeptStatements;
  #at: Checkout | undefined;
  #state: State = 'idle';

  constructor(connections: PostgresConnections, kept: KeptStatements, at: Checkout) {
    this.#connections = connections;
    this.#kept = kept;
    this.#at = at;
  }

  async query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.#state === 'broken') {
      if (text !== 'rollback') throw new Error('Connection terminated in a transaction');
      this.#state = 'idle';
      return { command: 'ROLLBACK', rowCount: 0, rows: [] } as unknown as PostgresQueryResult<R>;
    }
    const name = this.#kept.get(text);
    const asked = { text, values: [...values], ...(name !== undefined && { name }) };
    for (;;) {
      this.#at ??= await this.#connections.checkout();
      const { client, generation } = this.#at;
      try {
        const result: unknown = await this.#connections.watched(client, client.query(asked));
        this.#state = BEGINS.test(text) ? 'inTransaction' : ENDS.has(text) ? 'idle' : this.#state;
        // Of several statements in one message, the last is asked for.
        return (Array.isArray(result) ? result.at(-1) : result) as PostgresQueryResult<R>;
      } catch (error) {
        if (!isAway(error)) throw error;
        client.release(true);
        this.#at = undefined;
        const resumed = this.#connections.lost(generation, error);
        if (this.#state === 'inTransaction' || ENDS.has(text)) {
          if (this.#state === 'inTransaction') this.#state = 'broken';
          resumed.catch(() => {});
          throw error;
        }
        await resumed;
      }
    }
  }

  release(): void {
    this.#at?.client.release();
    this.#at = undefined;
  }
}

const BEGINS = /^begin\b/;
const ENDS: ReadonlySet<string> = new Set(['commit', 'rollback']);
