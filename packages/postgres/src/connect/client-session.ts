import type { Clock } from '@toolwright/core';
import { toPostgresError } from '../errors.js';
import type { PostgresClient } from './clients.js';
import type { Row, Session } from './database.js';
import { inTime } from './deadline.js';

export interface SessionSettings {
  readonly clock: Clock;
  readonly timeoutMs: number;
  onLost(error: unknown): void;
  /** Closes the connection, or gives it back to its pool as one to be closed. */
  end(): void;
}

/** A session on a connection of `pg`. */
export class ClientSession implements Session {
  #isOver = false;

  constructor(
    private readonly client: PostgresClient,
    private readonly settings: SessionSettings,
  ) {
    client.on('error', (error: unknown) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the connection has ended')));
  }

  async query(text: string, values: unknown[] = []): Promise<Row[]> {
    const { clock, timeoutMs } = this.settings;
    try {
      // The statement may be answered later. Nothing else can be asked before that, so the connection is lost.
      const giveUp = () => this.#lose(new Error(`no answer within ${timeoutMs} ms`));
      const answer = this.client.query(text, values);
      return (await inTime(answer, { clock, ms: timeoutMs, giveUp })).rows as Row[];
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
