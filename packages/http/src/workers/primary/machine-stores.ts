import {
  MemoryClaimStore,
  MemoryEventStore,
  MemoryLeaseStore,
  MemoryRecordStore,
  MemoryResultCache,
  MemorySessionRecords,
  systemClock,
  type Clock,
  type ReleaseLease,
} from '@toolwright/core/ports';
import {
  type WorkerQuestion,
  type ToPrimary,
  type ToWorker,
  type WindowName,
  type askable,
  checkQuestion,
} from '../link/messages.js';
import { SharedPoints } from './shared-points.js';

/** What the workers share, in the memory of the primary process. */
export class MachineStores {
  readonly leases = new MemoryLeaseStore();
  readonly points: SharedPoints;
  readonly stores: Readonly<Record<keyof typeof askable, object>>;
  readonly connections = new Set<WorkerConnection>();

  /** @param workers how many there are */
  constructor(workers: number, clock: Clock = systemClock) {
    this.points = new SharedPoints(clock, workers);
    this.stores = {
      claims: new MemoryClaimStore(clock),
      // A store of its own: anybody can open and end sessions, and must not fill the room of other claims.
      endedSessions: new MemoryClaimStore(clock),
      events: new MemoryEventStore(),
      sessions: new MemorySessionRecords(clock),
      cache: new MemoryResultCache(clock),
      records: new MemoryRecordStore(clock),
    };
  }

  /** A new worker. */
  join(post: (message: ToWorker) => void): WorkerConnection {
    const connection = new WorkerConnection(this, post);
    this.connections.add(connection);
    return connection;
  }
}

/** Serves one worker until it ends. */
export class WorkerConnection {
  readonly #leases = new Map<number, ReleaseLease>();
  #taken = 0;

  constructor(
    private readonly shared: MachineStores,
    readonly post: (message: ToWorker) => void,
  ) {}

  hear(message: ToPrimary): void {
    if (message[0] === 'ask') this.#answer(message[1], message[2]);
    else if (message[0] === 'release') this.#release(message[1]);
    else if (message[0] === 'publish') this.#publish(message);
    else if (message[0] === 'returned') {
      const [, window, since, back] = message;
      this.shared.points.returned(this, { window, since, back });
    }
  }

  /** The worker has ended, so everything that it held is free again. */
  leave(): void {
    this.shared.connections.delete(this);
    this.shared.points.left(this);
    for (const lease of [...this.#leases.keys()]) this.#release(lease);
  }

  giveBack(window: WindowName, since: number): void {
    this.post(['giveBack', window, since]);
  }

  #answer(id: number, question: readonly unknown[]): void {
    try {
      checkQuestion(question);
      const [ask] = question;
      if (ask === 'lease') return this.#send(id, this.#lease(question[1]));
      if (ask === 'store') return this.#send(id, this.#callStore(question));
      const [, window, cost, since, back] = question;
      this.shared.points.take(this, { window, cost, since, back }, (answer) => this.#send(id, answer));
    } catch (error) {
      this.post(['fault', id, String(error)]);
    }
  }

  #send(id: number, value: unknown): void {
    this.post(value === undefined ? ['answer', id] : ['answer', id, value]);
  }

  /** @returns the number of the lease */
  #lease(limits: Parameters<MemoryLeaseStore['acquire']>[0]): number | undefined {
    const release = this.shared.leases.acquire(limits);
    if (!release) return undefined;
    this.#leases.set(++this.#taken, release);
    return this.#taken;
  }

  #release(lease: number): void {
    void this.#leases.get(lease)?.();
    this.#leases.delete(lease);
  }

  #callStore([, name, method, args]: Extract<WorkerQuestion, readonly ['store', ...unknown[]]>): unknown {
    const store = this.shared.stores[name] as Record<string, (...args: readonly unknown[]) => unknown>;
    return store[method]!(...args);
  }

  #publish([, event]: Extract<ToPrimary, readonly ['publish', ...unknown[]]>): void {
    for (const connection of this.shared.connections)
      if (connection !== this) connection.post(['event', event]);
  }
}
