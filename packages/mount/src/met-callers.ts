import { getOrMake, keepNewest, orAborted } from '@toolwright/json';
import { BUDGET } from './budget.js';
import type { Principal, RequestContext } from '@toolwright/core';
import { type Clock, monotonic } from '@toolwright/core/ports';
import { foldersOf } from './call/round.js';
import type { MountSettings } from './options.js';
import { OfferedForms } from './publish/offered-forms.js';
import { readCatalogue, type UpstreamCatalogue } from './read-catalogue.js';
import { callerOf, passedCapabilities } from './session/caller.js';
import { type CallerGroup, type CallerValues, COMMON } from './session/caller-values.js';
import type { Lease, Leasing } from './session/session-pool.js';
import { withinConnectTimeout } from './upstream/connect-limit.js';

/** The values of one caller. */
interface Asked {
  readonly group: Promise<CallerGroup>;
  /** When they came. */
  at: number;
}

interface MeetingHost {
  readonly settings: MountSettings;
  readonly clock: Clock;
  readonly values: CallerValues;
  lease(leasing: Leasing): Promise<Lease>;
  /** Shows what was listed. */
  offer(list: string, catalogue: UpstreamCatalogue): Promise<void>;
  failed(error: unknown): void;
}

/** How long the values of one principal count: a session may keep its principal for hours, and a token expires. */
const FRESH_MS = 10_000;

/** How soon a server behind is asked again for callers for whom it could not be reached. */
const AGAIN_MS = 5_000;

/**
 * What a mount whose options are functions of the caller knows of its callers: which list each of them has. A caller is met
 * when its request comes, before anything is looked up for it.
 */
export class MetCallers {
  readonly forms: OfferedForms;
  /** Each request has a principal of its own, or shares it with requests of the same token or session. */
  readonly #groups = new WeakMap<Principal, Asked>();
  readonly #lists = new WeakMap<Principal, string>();
  readonly #reading = new Map<string, Promise<void>>();
  /** When each list was read. */
  readonly #readAt = new Map<string, number>();
  readonly #failedAt = new Map<string, number>();

  constructor(private readonly host: MeetingHost) {
    this.forms = new OfferedForms((principal, lists) => {
      const list = principal === undefined ? COMMON : this.#lists.get(principal);
      return list !== undefined && lists.has(list);
    });
  }

  /** @throws {MountError} when a function throws, or gives what its option does not take */
  async groupOf({
    principal,
    unkeptClaims,
  }: Pick<RequestContext, 'principal' | 'unkeptClaims'>): Promise<CallerGroup> {
    if (!principal) return this.host.values.of(undefined);
    const known = this.#groups.get(principal);
    if (known && this.#isFresh(known)) return known.group;
    const group = Promise.resolve(this.host.values.of(principal, unkeptClaims));
    // A function that takes its time is not asked again meanwhile.
    const asked: Asked = { group, at: Infinity };
    this.#groups.set(principal, asked);
    return group.finally(() => (asked.at = monotonic(this.host.clock)));
  }

  /** @returns `undefined` where nobody must wait */
  meet(request: RequestContext): Promise<void> | undefined {
    const { principal } = request;
    // Nobody's values are those of the mount itself.
    if (!principal) return undefined;
    const known = this.#groups.get(principal);
    if (known && this.#isFresh(known) && this.#lists.has(principal)) return undefined;
    return this.#meet(principal, request);
  }

  #isFresh({ at }: Asked): boolean {
    return monotonic(this.host.clock) - at < FRESH_MS;
  }

  /** The server behind has announced a change. It is listed anew for the next caller. */
  forget({ listKey }: CallerGroup): void {
    this.#readAt.delete(listKey);
  }

  async #meet(principal: Principal, request: RequestContext): Promise<void> {
    let list = COMMON;
    try {
      const group = await this.groupOf(request);
      list = group.listKey;
      if (list !== COMMON && this.#isDue(list)) await this.#read(group, request);
    } catch (error) {
      // Where the functions fail, the caller has what everybody has, and its calls fail.
      this.host.failed(error);
    }
    this.#lists.set(principal, list);
  }

  #isDue(list: string): boolean {
    const now = monotonic(this.host.clock);
    const readAt = this.forms.has(list) ? this.#readAt.get(list) : undefined;
    if (readAt !== undefined) return now - readAt >= this.host.settings.idle;
    return now - (this.#failedAt.get(list) ?? -Infinity) >= AGAIN_MS;
  }

  /** Callers of one moment wait for the same list. */
  #read(group: CallerGroup, request: RequestContext): Promise<void> {
    const { listKey } = group;
    return getOrMake(this.#reading, listKey, () =>
      this.#list(group, request).finally(() => this.#reading.delete(listKey)),
    );
  }

  async #list(group: CallerGroup, request: RequestContext): Promise<void> {
    const { settings, clock } = this.host;
    const { listKey } = group;
    const capabilities = passedCapabilities(request.client.capabilities, foldersOf(settings, group));
    try {
      const lease = await this.host.lease({ caller: callerOf(request), capabilities, group });
      try {
        const catalogue = await withinConnectTimeout(settings, undefined, (signal) =>
          orAborted(signal, readCatalogue(lease.session, settings, undefined)),
        );
        keepNewest(this.#readAt, listKey, monotonic(clock), MOST_KEPT);
        this.#failedAt.delete(listKey);
        await this.host.offer(listKey, catalogue);
      } finally {
        lease.release();
      }
    } catch (error) {
      keepNewest(this.#failedAt, listKey, monotonic(clock), MOST_KEPT);
      throw error;
    }
  }
}

const MOST_KEPT = BUDGET.metCallers;
