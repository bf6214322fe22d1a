import {
  systemClock,
  type Clock,
  type ServerStores,
  type StoreHealth,
  type StorePorts,
} from '@toolwright/core';
import { finite } from '../link/finite.js';
import { askable, type Askable, type PoolState } from '../link/messages.js';
import { GrantedPoints } from './granted-points.js';
import type { PrimaryLink } from './primary-link.js';
import { SharedBus } from './shared-bus.js';
import { SharedLeases } from './shared-leases.js';

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
