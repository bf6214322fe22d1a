import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { StorePorts } from '@toolwright/core/ports';
import { Keeper, type Database, type DatabaseSession } from '@toolwright/postgres/database';

export interface TaskLineSettings {
  readonly schema: string;
  readonly checkInterval: number;
  /** There may be work. */
  onWork(): void;
  /** Somebody says that the task of this job has ended. Anybody who may connect to the database can say so. */
  onStop(jobId: string): void;
}

const POOLED =
  'The connection that listens goes through a pooler. If the pooler works by transaction, tasks begin and stop up to ' +
  'a second later. Set the option "listenUrl" to the address of Postgres itself.';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Who says it, and what. */
const PAYLOAD = new RegExp(`^(${UUID}) (work|${UUID})$`);

/**
 * Tells the other processes at once what they would find out within a second: that there is work, or that a task has
 * ended. It tells so after the transaction: a NOTIFY inside would make all transactions of the database stand in line.
 */
export class TaskLine {
  readonly keeper: Keeper;
  readonly #self = randomUUID();
  readonly #channel: string;
  readonly #waiting = new Set<string>();
  #sending: Promise<void> | undefined;
  readonly #atBoot = AsyncLocalStorage.snapshot();
  #session: DatabaseSession | undefined;

  constructor(
    private readonly database: Database,
    private readonly ports: StorePorts,
    private readonly settings: TaskLineSettings,
  ) {
    this.#channel = `${settings.schema}_tasks`;
    const kept = {
      name: 'postgres tasks line',
      raise: () => this.#connect(),
      check: async () => void (await this.#session?.query('SELECT 1')),
      lower: () => this.#disconnect(),
      raised: () => settings.onWork(),
    };
    this.keeper = new Keeper(kept, ports, settings.checkInterval);
  }

  tellWork(): void {
    this.#tell('work');
  }

  tellStop(jobId: string): void {
    this.#tell(jobId);
  }

  async close(): Promise<void> {
    await this.#sending;
    this.keeper.stop();
  }

  /** Equal notifications at the same time are sent once. */
  #tell(what: string): void {
    this.#waiting.add(`${this.#self} ${what}`);
    this.#sending ??= this.#atBoot(() => this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const payloads = [...this.#waiting];
      this.#waiting.clear();
      await this.database
        .query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [this.#channel, payloads])
        .catch(() => {});
    }
    // Not in a `finally` of the caller: what comes in between would stay behind.
    this.#sending = undefined;
  }

  async #connect(): Promise<void> {
    const session = await this.database.session((error) => this.keeper.lost(error));
    this.#session = session;
    await session.listen(this.#channel, (payload) => this.#hear(payload));
    if (await session.isPooled()) this.ports.logger.warn({ store: 'postgres tasks line' }, POOLED);
  }

  #hear(payload: string): void {
    const [, from, what] = PAYLOAD.exec(payload) ?? [];
    if (what === undefined || from === this.#self) return;
    if (what === 'work') this.settings.onWork();
    else this.settings.onStop(what);
  }

  #disconnect(): void {
    this.#session?.end();
    this.#session = undefined;
  }
}
