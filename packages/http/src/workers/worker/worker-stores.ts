import {
  type Clock,
  type EventBus,
  type LeaseLimit,
  type LeaseStore,
  type Logger,
  MemoryEventBus,
  type ReleaseLease,
  type ServerEvent,
  type ServerStores,
  type StoreHealth,
  type StorePorts,
  systemClock,
} from '@toolwright/core/ports';
import { type Askable, PATIENCE_MS, type PoolState, askable, finite } from '../link/messages.js';
import { GrantedPoints } from './granted-points.js';
import type { PrimaryLink } from './primary-link.js';

type Remote = Required<Pick<ServerStores, Askable>>;

/** What the workers of one machine share. The primary process keeps it in its memory. */
export class WorkerStores implements ServerStores {
  readonly anyProcess = true;
  readonly secrets: readonly string[];
  readonly rateLimiter: GrantedPoints;
  readonly leases: SharedLeases;
  readonly bus: SharedBus;
  readonly claims: Remote['claims'];
  readonly endedSessions: Remote['endedSessions'];
  readonly events: Remote['events'];
  readonly sessions: Remote['sessions'];
  readonly cache: Remote['cache'];
  readonly records: Remote['records'];
  /** True as soon as a server boots with these stores. */
  isUsed = false;
  #health: StoreHealth;

  constructor(link: PrimaryLink, secret: string, clock: Clock = systemClock) {
    this.secrets = [secret];
    this.rateLimiter = new GrantedPoints(link, clock);
    this.leases = new SharedLeases(link);
    this.bus = new SharedBus(link);
    this.claims = remote(link, 'claims');
    this.endedSessions = remote(link, 'endedSessions');
    this.events = remote(link, 'events');
    this.sessions = remote(link, 'sessions');
    this.cache = remote(link, 'cache');
    this.records = remote(link, 'records');
    this.#health = { store: 'workers', up: true, since: clock.now() };
    link.on('pool', ({ wanted, serving }: PoolState) => {
      const up = serving >= wanted;
      if (up !== this.#health.up) this.#health = { ...this.#health, up, since: clock.now() };
    });
  }

  open({ logger }: StorePorts): void {
    this.isUsed = true;
    this.bus.logger = logger;
  }

  /** Away while a worker is missing. */
  health(): readonly StoreHealth[] {
    return [this.#health];
  }
}

/** A store whose methods ask the primary process. */
function remote<Name extends Askable>(link: PrimaryLink, store: Name): Remote[Name] {
  const methods = askable[store].map((method) => [
    method,
    (...args: unknown[]) => link.ask(['store', store, method, args.map(finite)]),
  ]);
  return Object.fromEntries(methods) as Remote[Name];
}

/** Carries events between the workers. Listeners of this one get its own events at once. */
class SharedBus implements EventBus {
  readonly #local = new MemoryEventBus();
  /** Is set when the server has booted. */
  logger: Logger | undefined;

  constructor(private readonly link: PrimaryLink) {
    link.on('event', (event) => this.#deliver(event));
  }

  publish(event: ServerEvent): void {
    this.link.post(['publish', event]);
    this.#local.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#local.subscribe(listener);
  }

  /** Nobody waits for an event of another worker, so its errors go to the log. */
  #deliver(event: ServerEvent): void {
    try {
      this.#local.publish(event);
    } catch (err) {
      this.logger?.error({ err }, 'A listener of the event bus failed');
    }
  }
}

/** Leases that the primary process counts. It takes back the leases of a worker that ends. */
class SharedLeases implements LeaseStore {
  readonly patienceMs = PATIENCE_MS;
  constructor(private readonly link: PrimaryLink) {}

  async acquire(limits: readonly LeaseLimit[]): Promise<ReleaseLease | undefined> {
    const lease = await this.link.ask<number | undefined>([
      'lease',
      limits.map(({ key, max }) => ({ key, max: finite(max) })),
    ]);
    if (lease === undefined) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.link.post(['release', lease]);
      isHeld = false;
    };
  }
}
