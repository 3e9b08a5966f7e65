import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CatalogFault } from '../faults.ts';
import { awayText, explainPostgres, isAway, isFull, mayCome } from './postgres-faults.ts';
import { type Patience, ServerWait, seconds } from './server-wait.ts';

export type { Patience };

export interface ConnectionsOptions {
  readonly config: pg.ClientConfig;
  /** For messages. */
  readonly location: string;
  readonly patience: Patience;
  /** Connects the first time, and again after each loss, before anyone else does; then holds the connection. */
  readonly first?: (client: pg.Client, isAgain: boolean) => Promise<void>;
  /** Milliseconds after which it is asked whether the server still works on a statement. */
  readonly probeEvery?: number;
}

/** A connection out of the pool, and the generation it belongs to. */
export interface Checkout {
  readonly client: pg.PoolClient;
  readonly generation: number;
}

const MOST = 4;
/** Milliseconds. */
const CONNECT_TIME = 10_000;
const PROBE_EVERY = 15_000;
const GOODBYE_TIME = 2_000;

/** `pg-pool` takes its time-out for waiting in the queue too: there the server is only busy. */
class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIME });
  }
}

/**
 * A pool that outlives its server.
 *
 *   up ──a connection is lost──▶ away ──connected again──▶ up, in a new generation
 *                                 └──patience over──▶ given up: everything fails from then on
 *
 * With one connection all of its generation go: what still lives of them may hold locks. Who has lost one waits in
 * `lost` until the next generation stands; losses of an older generation are ignored.
 */
export class PostgresConnections {
  readonly #options: ConnectionsOptions;
  #generation = 0;
  #pool: pg.Pool;
  #clients = new Set<pg.ClientBase>();
  /** For a connection of the pool. */
  readonly #waiting = new Set<() => void>();
  #holder: pg.Client | undefined;
  #resuming: Promise<void> | undefined;
  #givenUp: { readonly error: unknown } | undefined;
  #isOpen = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#pool = this.#newPool();
  }

  /** The connection that holds what `first` took; undefined while there is none. */
  get holder(): pg.Client | undefined {
    return this.#holder;
  }

  /** Waits for a server that is not there yet; throws at once what one says that does not let us in. */
  async open(): Promise<void> {
    const { location, patience } = this.#options;
    const wait = new ServerWait(location, patience);
    for (;;) {
      try {
        await this.#connectFirst(false);
        break;
      } catch (error) {
        if (mayCome(error) && (await wait.again(error))) continue;
        throw mayCome(error) && patience.wait > 0 ? neverCame(location, error, wait.waited) : error;
      }
    }
    wait.over();
    this.#isOpen = true;
  }

  async checkout(): Promise<Checkout> {
    let crowd: ServerWait | undefined;
    for (;;) {
      await this.#resuming;
      if (this.#givenUp) throw this.#givenUp.error;
      const generation = this.#generation;
      try {
        const client = await this.#fromPool();
        if (!client) continue;
        crowd?.over();
        return { client, generation };
      } catch (error) {
        if (!isAway(error) || !this.#isOpen) throw error;
        if (!isFull(error)) {
          await this.lost(generation, error);
          continue;
        }
        // What we have is well, and goes on: only one more is refused.
        crowd ??= this.#newWait();
        if (!(await crowd.again(error))) throw error;
      }
    }
  }

  /** Silent while other connections do what there is to do. */
  #newWait(): ServerWait {
    const { location, patience } = this.#options;
    const isQuiet = this.#clients.size > 0;
    return new ServerWait(location, isQuiet ? { ...patience, tell: () => {} } : patience);
  }

  /** Undefined where the pool was given up meanwhile: it never tells those who wait for one of its connections. */
  #fromPool(): Promise<pg.PoolClient | undefined> {
    return new Promise((resolve, reject) => {
      const gone = (): void => resolve(undefined);
      this.#waiting.add(gone);
      this.#pool.connect().then(
        (client) => (this.#waiting.delete(gone) ? resolve(client) : client.release(true)),
        (error: unknown) => {
          this.#waiting.delete(gone);
          reject(error);
        },
      );
    });
  }

  /** Resolves when there is a server again; throws when there is none for too long. */
  lost(generation: number, error: unknown): Promise<void> {
    if (generation === this.#generation && !this.#givenUp) {
      this.#generation++;
      this.#cut();
      this.#pool = this.#newPool();
      const resuming = this.#resume(error).finally(() => {
        if (this.#resuming === resuming) this.#resuming = undefined;
      });
      this.#resuming = resuming;
      // Who needs it awaits it; nobody may, when the loss was noticed between two statements.
      resuming.catch(() => {});
    }
    if (this.#givenUp) return Promise.reject(this.#givenUp.error);
    return this.#resuming ?? Promise.resolve();
  }

  /** Runs a statement; one that the server does not work on any more ends in an error. */
  async watched<T>(client: pg.ClientBase, query: Promise<T>): Promise<T> {
    let isPending = true;
    const timer = setInterval(() => {
      void this.#isWorking(client).then((working) => {
        if (!working && isPending) destroy(client);
      });
    }, this.#options.probeEvery ?? PROBE_EVERY);
    try {
      return await query;
    } finally {
      isPending = false;
      clearInterval(timer);
    }
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    const ended = Promise.all([this.#pool.end(), this.#holder?.end()]).catch(() => {});
    // A server that does not answer will not confirm the end of the connection either.
    const cut = new AbortController();
    const late = sleep(GOODBYE_TIME, undefined, { signal: cut.signal }).then(
      () => this.#cut(),
      () => {},
    );
    await Promise.race([ended, late]);
    cut.abort();
  }

  async #resume(error: unknown): Promise<void> {
    const { patience, location } = this.#options;
    const wait = new ServerWait(location, patience);
    for (;;) {
      try {
        await this.#connectFirst(true);
        return wait.over();
      } catch (failure) {
        if (isAway(failure) && (await wait.again(error))) continue;
        // A reader asks again with its next statement.
        if (patience.wait === 0) throw explainPostgres(location, failure);
        const told = isAway(failure) ? gaveUp(location, failure, wait.waited) : failure;
        this.#givenUp = { error: told };
        throw told;
      }
    }
  }

  async #connectFirst(isAgain: boolean): Promise<void> {
    const generation = this.#generation;
    const { first, config } = this.#options;
    const client = new Client(config);
    client.on('error', () => {});
    try {
      await client.connect();
      await first?.(client, isAgain);
    } catch (error) {
      destroy(client);
      throw error;
    }
    if (!first) {
      await client.end();
      return;
    }
    this.#holder = client;
    client.on('end', () => {
      if (this.#isOpen) void this.lost(generation, new Error('Connection terminated')).catch(() => {});
    });
  }

  #newPool(): pg.Pool {
    const pool = new pg.Pool({ ...this.#options.config, max: MOST, Client });
    // A connection that dies while idle is replaced at the next query; without a listener its error would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      this.#clients.add(client);
    });
    pool.on('remove', (client) => this.#clients.delete(client));
    return pool;
  }

  #cut(): void {
    for (const client of this.#clients) destroy(client);
    this.#clients = new Set();
    if (this.#holder) destroy(this.#holder);
    this.#holder = undefined;
    void this.#pool.end().catch(() => {});
    for (const gone of this.#waiting) gone();
    this.#waiting.clear();
  }

  /** A network may swallow a statement, or its answer, and say nothing: the server is asked by another connection. */
  async #isWorking(client: pg.ClientBase): Promise<boolean> {
    const probe = new Client({ ...this.#options.config, query_timeout: CONNECT_TIME });
    probe.on('error', () => {});
    try {
      await probe.connect();
      const { rows } = await probe.query<{ state: string }>(
        'select state from pg_stat_activity where pid = $1',
        [(client as unknown as { processID: number }).processID],
      );
      return rows[0]?.state === 'active';
    } catch (error) {
      // A server that is too busy for one more connection is there.
      return !isAway(error) || isFull(error);
    } finally {
      destroy(probe);
    }
  }
}

function gaveUp(location: string, error: unknown, waited: number): CatalogFault {
  return new CatalogFault(
    'unreachable',
    location,
    `${awayText(error).split(':')[0]}; gave up after ${seconds(waited)}. What was reported captured is safe: ` +
      'start the server, then run the same command to go on',
    error,
  );
}

const neverCame = (location: string, error: unknown, waited: number): CatalogFault =>
  new CatalogFault('unreachable', location, `${awayText(error)} (waited ${seconds(waited)})`, error);

/** Without telling the server, which may be gone. */
function destroy(client: pg.ClientBase): void {
  (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
}
