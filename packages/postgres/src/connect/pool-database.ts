import type { Clock } from '@toolwright/core/ports';
import { PostgresError, toPostgresError } from '../errors.js';
import type { PostgresClient, PostgresPool, PostgresPoolClient } from './connection-options.js';
import { type Database, type Query, type Row, SCRIPT_MS, type DatabaseSession } from './database.js';
import { ownTypes } from './own-types.js';

export interface DatabasePoolSettings {
  readonly clock: Clock;
  readonly timeout: number;
}

const ignore = () => {};

/** A database behind a pool of connections. */
export class PoolDatabase implements Database {
  constructor(
    private readonly pool: PostgresPool,
    private readonly settings: DatabasePoolSettings,
  ) {}

  query(text: string, values: unknown[] = [], ms = this.settings.timeout): Promise<Row[]> {
    return this.#withClient(ms, (client) => ask(client, text, values));
  }

  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#withClient(this.settings.timeout, async (client) => {
      const query: Query = (text, values = []) => ask(client, text, values);
      // The default of the database may be stricter, and would refuse what has to be tried again.
      await query('BEGIN ISOLATION LEVEL READ COMMITTED');
      const result = await work(query);
      await query('COMMIT');
      return result;
    });
  }

  script(sql: string, ms = SCRIPT_MS): Promise<Row[]> {
    return this.#withClient(ms, async (client) => {
      // `pg` answers several statements with a list. Its types do not say so.
      const answers = [await ofDatabase(client.query({ text: sql, types: ownTypes(client) }))].flat();
      return answers.flatMap(({ rows }) => rows as Row[]);
    });
  }

  async session(onLost: (error: unknown) => void): Promise<DatabaseSession> {
    const client = await this.#take();
    return new PooledSession(client, {
      ...this.settings,
      onLost,
      end: () => client.release(true),
      isUnwanted: () => this.pool.ending === true,
    });
  }

  async close(): Promise<void> {}

  /**
   * Lends a connection. One whose work fails or takes too long is not given back but closed: it may be in the middle
   * of a transaction, or of an answer. What the work itself throws is not an error of the database.
   */
  #withClient<T>(ms: number, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const loan = new Loan();
    const { clock } = this.settings;
    const giveUp = () => {
      loan.end(true);
      return loan.isTaken ? '' : whyNoneCame(this.pool);
    };
    return inTime(loan.use(this.pool, work), { clock, ms, giveUp });
  }

  /** A pool that has no connection to give must not hold us either. */
  async #take(): Promise<PostgresPoolClient> {
    const { clock, timeout } = this.settings;
    let isOver = false;
    const taken = this.pool.connect();
    taken.then((client) => isOver && client.release(), ignore);
    const giveUp = () => {
      isOver = true;
      return whyNoneCame(this.pool);
    };
    return inTime(ofDatabase(taken), { clock, ms: timeout, giveUp });
  }
}

/** An application that keeps its connections looks like a Postgres that does not answer. */
function whyNoneCame({ totalCount = 0, options }: PostgresPool): string {
  const isFull = options?.max !== undefined && totalCount >= options.max;
  return isFull ? ` All ${options.max} connections of the pool are in use.` : '';
}

async function ask(client: PostgresClient, text: string, values: unknown[]): Promise<Row[]> {
  return (await ofDatabase(client.query({ text, values, types: ownTypes(client) }))).rows as Row[];
}

/** Makes errors of the driver errors of ours. */
async function ofDatabase<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toPostgresError(error);
  }
}

/** A connection on loan from the pool, from the request for it to its return. */
class Loan {
  #client: PostgresPoolClient | undefined;
  #isOver = false;

  get isTaken(): boolean {
    return this.#client !== undefined;
  }

  async use<T>(pool: PostgresPool, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await ofDatabase(pool.connect());
    if (this.#isOver) {
      client.release();
      throw new Error('the connection came too late');
    }
    this.#client = client;
    // Without a listener, a connection that breaks while it is on loan would end the process. The work fails anyway.
    client.on('error', ignore);
    try {
      const result = await work(client);
      this.end(false);
      return result;
    } catch (error) {
      this.end(true);
      throw error;
    }
  }

  end(destroy: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#client?.release(destroy);
    this.#client?.removeListener('error', ignore);
  }
}

interface SessionSettings {
  readonly clock: Clock;
  readonly timeout: number;
  onLost(error: unknown): void;
  /** Closes the connection, or gives it back to its pool as one to be closed. */
  end(): void;
  /** The pool waits for the connection, to end it. */
  isUnwanted?(): boolean;
}

/** A session on a connection of `pg`. */
export class PooledSession implements DatabaseSession {
  #isOver = false;

  constructor(
    private readonly client: PostgresClient,
    private readonly settings: SessionSettings,
  ) {
    client.on('error', (error: unknown) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the connection has ended')));
  }

  async query(text: string, values: unknown[] = []): Promise<Row[]> {
    const { clock, timeout } = this.settings;
    try {
      // The statement may be answered later. Nothing else can be asked before that, so the connection is lost.
      const giveUp = () => {
        this.#lose(new Error(`no answer within ${timeout} ms`));
        return '';
      };
      if (this.settings.isUnwanted?.()) throw new Error('the application has ended the pool');
      const answer = this.client.query({ text, values, types: ownTypes(this.client) });
      return (await inTime(answer, { clock, ms: timeout, giveUp })).rows as Row[];
    } catch (error) {
      throw toPostgresError(error);
    }
  }

  async listen(channel: string, hear: (payload: string) => void): Promise<void> {
    this.client.on('notification', (message: { channel: string; payload?: string }) => {
      if (message.channel === channel) hear(message.payload ?? '');
    });
    await this.query(`LISTEN "${channel.replaceAll('"', '""')}"`);
  }

  /** A pooler tells its clients a process id of its own making. */
  async isPooled(): Promise<boolean> {
    const { processID } = this.client as { processID?: unknown };
    const [row] = await this.query('SELECT pg_backend_pid() AS pid');
    return typeof processID === 'number' && row?.['pid'] !== processID;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.settings.end();
  }

  #lose(error: unknown): void {
    if (this.#isOver) return;
    this.end();
    this.settings.onLost(error);
  }
}

interface Deadline {
  clock: Clock;
  ms: number;
  /** Is called when the time is over. The work may still be running. It returns what the error says in addition. */
  giveUp(): string;
}

/**
 * Waits for the work, but no longer than the deadline.
 *
 * A process that was busy for long finds its timers due before it has read what Postgres answered meanwhile. So the
 * sockets get one more turn before the time counts as over.
 *
 * @throws {PostgresError} `TW_POSTGRES_UNAVAILABLE` when the time is over
 */
export function inTime<T>(work: Promise<T>, { clock, ms, giveUp }: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    let isDone = false;
    const expire = () => {
      if (isDone) return;
      const reason = giveUp();
      reject(
        new PostgresError('TW_POSTGRES_UNAVAILABLE', `Postgres does not answer within ${ms} ms.${reason}`),
      );
    };
    const stopClock = clock.after(ms, () => void setImmediate(expire));
    const done = () => {
      isDone = true;
      stopClock();
    };
    work.then(resolve, reject).finally(done);
  });
}
