import type { RequestContext } from '@toolwright/core';
import { digest, type ExtensionHost } from '@toolwright/core/extend';
import { MemoryResultCache, type ResultCache } from '@toolwright/core/ports';
import { principalKey } from '@toolwright/core/transport';

/** How long a group stays in the list of a caller who has no session. */
const KEPT_MS = 12 * 3_600_000;
const MOST_CALLERS = 10_000;
const NONE: ReadonlySet<string> = new Set();

/** What has become of a group that a caller asked for. */
interface Loaded {
  /** Its tools are in the list of the caller. */
  readonly isListed: boolean;
  /** They were not before. */
  readonly isNew: boolean;
}

/**
 * Which groups each caller has loaded. A session of the older era has groups of its own, which end with it. Without
 * sessions, a principal has them, over all its connections and, with a shared cache, over all processes.
 */
export class LoadedGroups {
  readonly #ofSessions = new WeakMap<object, Set<string>>();
  readonly #ofRequests = new WeakMap<RequestContext, ReadonlySet<string>>();
  readonly #cache: ResultCache;

  constructor({ stores, clock }: Pick<ExtensionHost, 'stores' | 'clock'>) {
    this.#cache = stores.cache ?? new MemoryResultCache(clock, MOST_CALLERS);
  }

  /** Fetches the groups of a caller, before a list is made for it. */
  async fetch(request: RequestContext): Promise<void> {
    this.#ofRequests.set(request, await this.#read(request));
  }

  /** The groups of a caller, after `fetch`. */
  of(request: RequestContext): ReadonlySet<string> {
    return this.#ofRequests.get(request) ?? NONE;
  }

  /** A caller whom nothing tells from others has no list of its own. */
  async load(group: string, request: RequestContext): Promise<Loaded> {
    const { session } = request;
    if (session) {
      // Without a pause between, so that two calls at a time both count.
      const all = this.#ofSessions.get(session) ?? new Set();
      const isNew = !all.has(group);
      this.#ofSessions.set(session, all.add(group));
      return { isListed: true, isNew };
    }
    const key = keyOf(request);
    if (key === undefined) return { isListed: false, isNew: false };
    const before = await this.#read(request);
    await this.#cache.set(key, [...new Set(before).add(group)], KEPT_MS);
    return { isListed: true, isNew: !before.has(group) };
  }

  async #read(request: RequestContext): Promise<ReadonlySet<string>> {
    if (request.session) return this.#ofSessions.get(request.session) ?? NONE;
    const key = keyOf(request);
    if (key === undefined) return NONE;
    const stored = await this.#cache.get(key);
    return Array.isArray(stored) ? new Set(stored as string[]) : NONE;
  }
}

/** Nothing tells one anonymous caller over HTTP from another one. Over stdio there is one caller. */
function keyOf({ principal, transport }: RequestContext): string | undefined {
  if (!principal && transport === 'http') return undefined;
  return `tool-groups:${digest(principalKey(principal))}`;
}
