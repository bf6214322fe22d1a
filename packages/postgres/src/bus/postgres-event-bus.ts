import { type EventBus, MemoryEventBus, type ServerEvent, type StorePorts } from '@toolwright/core/ports';
import { randomUUID } from 'node:crypto';
import { reasonOf } from '@toolwright/json';
import type { Database, DatabaseSession } from '../connect/database.js';
import { Keeper } from '../connect/keeper.js';
import { BusInbox } from './bus-inbox.js';
import { BusOutbox } from './bus-outbox.js';

/**
 * Carries events between processes. The listeners of this process hear its own events at once, whether or not Postgres
 * answers. Those of the other processes hear them through the line.
 */
export class PostgresEventBus implements EventBus {
  readonly #local = new MemoryEventBus();
  #line: BusLine | undefined;

  use(line: BusLine): void {
    this.#line = line;
  }

  publish(event: ServerEvent): void {
    this.#line?.send(event);
    this.#local.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#local.subscribe(listener);
  }

  /** Takes an event of another process. */
  receive(event: ServerEvent): void {
    this.#local.publish(event);
  }
}

interface BusLineSettings {
  readonly schema: string;
  readonly checkInterval: number;
  /** Takes what the other processes have sent. */
  deliver(event: ServerEvent): void;
}

const POOLED =
  'The connection that listens goes through a pooler. If the pooler works by transaction, events get lost. ' +
  'Set the option "listenUrl" to the address of Postgres itself.';

/** The connection to the other processes: LISTEN and NOTIFY, on one connection of its own. */
export class BusLine {
  readonly keeper: Keeper;
  readonly #self = randomUUID();
  readonly #channel: string;
  readonly #outbox: BusOutbox;
  #session: DatabaseSession | undefined;
  #inbox: BusInbox | undefined;

  constructor(
    private readonly database: Database,
    private readonly ports: StorePorts,
    private readonly settings: BusLineSettings,
  ) {
    const { schema, checkInterval } = settings;
    this.#channel = `${schema}_events`;
    this.#outbox = new BusOutbox({ self: this.#self, schema, channel: this.#channel });
    const kept = {
      name: 'postgres bus',
      raise: () => this.#connect(),
      check: async () => void (await this.#session?.query('SELECT 1')),
      lower: () => this.#disconnect(),
      raised: (isFirst: boolean) => this.#connected(isFirst),
    };
    this.keeper = new Keeper(kept, ports, checkInterval);
  }

  send(event: ServerEvent): void {
    this.#outbox.send(event);
  }

  /** Sends what is waiting, then ends the connection. */
  async close(): Promise<void> {
    await this.#outbox.settled();
    this.keeper.stop();
  }

  async #connect(): Promise<void> {
    const session = await this.database.session((error) => this.keeper.lost(error));
    this.#session = session;
    const inbox = (this.#inbox = new BusInbox(session, {
      self: this.#self,
      schema: this.settings.schema,
      clock: this.ports.clock,
      deliver: (event) => this.#deliver(event),
    }));
    await session.listen(this.#channel, (payload) => inbox.receive(payload));
    if (await session.isPooled()) this.ports.logger.warn({ store: 'postgres bus' }, POOLED);
  }

  #connected(isFirst: boolean): void {
    this.#outbox.use(this.#session);
    if (!isFirst) this.#deliver({ type: 'eventsMissed' });
  }

  #disconnect(): void {
    this.#outbox.use(undefined);
    this.#inbox?.close();
    this.#session?.end();
    this.#session = undefined;
  }

  /** A listener that fails must not end the process, and there is no caller to tell. */
  #deliver(event: ServerEvent): void {
    try {
      this.settings.deliver(event);
    } catch (error) {
      this.ports.logger.error(
        { event: event.type, reason: reasonOf(error) },
        'A listener failed on an event of another process',
      );
    }
  }
}
