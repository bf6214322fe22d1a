import type { ClientCapabilities, Notification } from '@modelcontextprotocol/client';
import { type Clock, type Logger, monotonic } from '@toolwright/core/ports';
import { AsyncResource } from 'node:async_hooks';
import { keepNewest } from '@toolwright/json';
import { BUDGET } from '../budget.js';
import { MountError } from '../errors.js';
import type { GroupSettings, MountSettings } from '../options.js';
import { type UpstreamTraits, connect } from '../upstream/connect.js';
import type { Trick } from '../upstream/watched-transport.js';
import type { Caller } from './caller.js';
import type { CallerGroup } from './caller-values.js';
import { hideValues, withoutValues } from './hide-values.js';
import { UpstreamSession } from './upstream-session.js';

/** What a pool uses of its mount. */
export interface PoolHost {
  readonly name: string;
  readonly settings: MountSettings;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly clock: Clock;
  readonly logger: Logger;
  changed(
    notification: Notification,
    from: { readonly isCatalogue: boolean; readonly group: CallerGroup },
  ): void;
  noticed(trick: Trick): void;
  /** The session from which the mount hears has ended. */
  catalogueEnded(): void;
}

interface Entry {
  key: string;
  /** Whose it is, over sessions. Nobody else may end it to make room. */
  readonly owner: string | undefined;
  readonly opening: Promise<UpstreamSession>;
  session: UpstreamSession | undefined;
  used: number;
}

/** Who needs a session. */
export interface Leasing {
  readonly caller: Caller;
  readonly capabilities: ClientCapabilities;
  readonly group: CallerGroup;
}

/** How a session is opened. */
interface Opening {
  readonly key: string;
  readonly capabilities: ClientCapabilities;
  readonly group: CallerGroup;
  readonly owner?: string;
}

/** A session for as long as a call needs it. */
export interface Lease {
  readonly session: UpstreamSession;
  /** True if the session was there before the call. The server behind may have forgotten it. */
  readonly isOld: boolean;
  release(): void;
}

const CATALOGUE = 'catalogue';
const SHARED = 'shared';
const SPARE = 'spare ';

/** The shortest wait that a refused caller is asked for. */
const SHORTEST_WAIT_MS = 1_000;

/** How many sessions are open ahead at most, for callers that nobody can tell apart. */
const MOST_SPARES = 2;

/**
 * How long the end of one session and the opening of the next one wait, so that the call is answered first. Its audit record is
 * written before its answer, so one turn of the event loop is not enough.
 */
const ANSWER_FIRST_MS = 2;

/** The sessions of one mount: one for lists, and one for all callers or for each of them. */
export class SessionPool {
  /** What is known of the server behind, by the key of the lists for which it was reached. */
  readonly #traits = new Map<string, UpstreamTraits>();
  #lastTraits: UpstreamTraits | undefined;
  /** The group for which the mount lists. */
  #own: CallerGroup | undefined;
  readonly #entries = new Map<string, Entry>();
  #stopSweep: (() => void) | undefined;
  readonly #closing = new AbortController();
  /** A session outlives the call that opens it. What runs in it must not run in the context of that call. */
  readonly #apart = AsyncResource.bind(<T>(run: () => T): T => run(), 'toolwright.mount');

  constructor(private readonly host: PoolHost) {}

  get traits(): UpstreamTraits | undefined {
    return this.#lastTraits;
  }

  get size(): number {
    return this.#entries.size;
  }

  get pids(): number[] {
    return [...this.#entries.values()].flatMap(({ session }) => session?.pid ?? []);
  }

  /** Whether all callers use one session. It is known when the server was reached once. */
  get isShared(): boolean {
    const { sessions } = this.host.settings;
    return sessions === undefined ? this.#lastTraits?.keepsState === false : sessions === 'shared';
  }

  /**
   * The session for lists. Calls of the same group may use it where they share one.
   *
   * @param group for whom the mount lists; default: as before
   * @throws {MountError} when the mount lists for nobody
   */
  catalogue(group = this.#own): Promise<UpstreamSession> {
    if (!group) return Promise.reject(notMounted());
    this.#own = group;
    return this.#get({ key: CATALOGUE, capabilities: rootsOf(group), group }).opening;
  }

  /** Whether a group is reached in the way in which the mount itself is. */
  isOwn({ listKey }: CallerGroup): boolean {
    return this.#own === undefined ? false : listKey === this.#own.listKey;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async lease({ caller, capabilities, group }: Leasing): Promise<Lease> {
    const own = `${caller.key} ${group.key} ${JSON.stringify(capabilities)}`;
    // Before the first connection, nobody knows whether the server keeps state.
    const isKnown = this.#traits.has(group.listKey);
    if (!isKnown) await this.#learn({ key: own, capabilities, group, owner: caller.owner });
    const isShared = this.isShared;
    const key = isShared ? `${SHARED} ${group.key}` : own;
    const wanted = isShared ? { ...rootsOf(group), elicitation: {}, sampling: {} } : capabilities;
    const needsOwn = caller.isOnce && !isShared;
    const spareKey = SPARE + own.slice(caller.key.length);
    const spare = needsOwn ? this.#takeSpare(key, spareKey) : undefined;
    const isOld = isKnown && (spare ?? this.#entries.get(key))?.session !== undefined;
    const usual = this.#usesCatalogue(group) ? CATALOGUE : key;
    const owner = isShared ? undefined : caller.owner;
    const entry =
      spare ?? this.#get({ key: usual, capabilities: wanted, group, ...(owner !== undefined && { owner }) });
    const session = await entry.opening;
    if (!isOld && !isShared && !caller.isOnce) caller.onEnd?.(() => void this.#end(key));
    return {
      session,
      isOld,
      release: () => {
        entry.used = monotonic(this.host.clock);
        if (!needsOwn) return;
        this.host.clock.after(ANSWER_FIRST_MS, () => {
          // The same call may have opened another one meanwhile, because the server had forgotten this one.
          if (this.#entries.get(key) === entry) void this.#end(key);
          this.#openSpare({ key: spareKey, capabilities, group });
        });
      },
    };
  }

  /**
   * Reaches the server behind for a group for the first time. If it keeps state, the session becomes that of the caller who
   * needs it.
   */
  async #learn(opening: Opening): Promise<void> {
    if (opening.group.key === this.#own?.key) return void (await this.catalogue());
    const shared = `${SHARED} ${opening.group.key}`;
    const entry = this.#get({ ...opening, key: shared });
    await entry.opening;
    if (this.isShared || entry.key !== shared || this.#entries.has(opening.key)) return;
    this.#entries.delete(shared);
    this.#entries.set((entry.key = opening.key), entry);
  }

  /** Forgets a session that the server behind has forgotten. */
  drop(session: UpstreamSession): void {
    for (const [key, entry] of this.#entries) if (entry.session === session) void this.#end(key);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopSweep?.();
    await Promise.all([...this.#entries.keys()].map((key) => this.#end(key)));
  }

  /** A server without state needs no second connection for its lists. */
  #usesCatalogue({ key }: CallerGroup): boolean {
    return this.isShared && this.#lastTraits?.keepsState === false && key === this.#own?.key;
  }

  #get(opening: Opening): Entry {
    const { key, group, owner } = opening;
    const known = this.#entries.get(key);
    if (known && !known.session?.isClosed) {
      known.used = monotonic(this.host.clock);
      return known;
    }
    if (this.#isClosed) throw notMounted();
    this.#makeRoom(owner);
    const entry: Entry = {
      key,
      owner,
      opening: this.#open(key === CATALOGUE, opening).then(
        (session) => {
          entry.session = session;
          return session;
        },
        (error: unknown) => {
          if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
          throw withoutValues(error, group.hidden);
        },
      ),
      session: undefined,
      used: monotonic(this.host.clock),
    };
    this.#entries.set(key, entry);
    this.#sweepLater();
    return entry;
  }

  /**
   * A session that was opened ahead, and that nobody has used. It is for one call, and ends with it, as any other session
   * of a caller that nobody can tell from others.
   */
  #takeSpare(key: string, spareKey: string): Entry | undefined {
    const spare = this.#entries.get(spareKey);
    if (!spare || spare.session?.isClosed) return undefined;
    this.#entries.delete(spare.key);
    this.#entries.set((spare.key = key), spare);
    return spare;
  }

  /** Opens a session for the next call: somebody has just called, so somebody may call again. */
  #openSpare(opening: Opening): void {
    if (this.#isClosed || this.#entries.has(opening.key) || this.#isFull) return;
    const spares = [...this.#entries.keys()].filter((each) => each.startsWith(SPARE));
    if (spares.length >= MOST_SPARES) void this.#end(spares[0]!);
    // If it cannot be opened, the next call opens its own, and learns why.
    this.#get(opening).opening.catch(() => undefined);
  }

  async #open(isCatalogue: boolean, { capabilities, group }: Opening): Promise<UpstreamSession> {
    const { name, settings, logger, clientInfo } = this.host;
    const own = { ...settings, ...group.values } as GroupSettings;
    const connected = await this.#apart(() =>
      connect({
        settings: own,
        clientInfo,
        capabilities,
        closed: this.#closing.signal,
        traits: this.#traits.get(group.listKey),
        noticed: (trick) => this.host.noticed(trick),
        said: (line) =>
          logger.debug(
            { mount: name, line: hideValues(line, group.hidden) },
            'A mounted server wrote to its standard error',
          ),
      }),
    );
    this.#know(group, connected.traits);
    const session = new UpstreamSession(
      connected,
      {
        changed: (notification) => this.host.changed(notification, { isCatalogue, group }),
        unexpected: () => this.host.noticed('question without a call'),
      },
      () => {
        for (const [at, entry] of this.#entries) if (entry.session === session) this.#entries.delete(at);
        if (isCatalogue && !this.#isClosed) this.host.catalogueEnded();
      },
    );
    if (this.#isClosed) await session.close();
    return session;
  }

  #know({ listKey: key }: CallerGroup, traits: UpstreamTraits): void {
    this.#lastTraits = traits;
    keepNewest(this.#traits, key, traits, BUDGET.lists);
  }

  get #most(): number {
    const { command, maxProcesses } = this.host.settings;
    return command === undefined ? BUDGET.sessions : maxProcesses;
  }

  get #isFull(): boolean {
    return this.#entries.size >= this.#most;
  }

  /**
   * Ends what nobody uses, or what the same caller has left. What belongs to another caller stays: its server behind may keep
   * something that is not kept elsewhere.
   *
   * @throws {MountError} with a time, when there is no room
   */
  #makeRoom(owner: string | undefined): void {
    if (!this.#isFull) return;
    const idle = [...this.#entries.values()]
      .filter(({ session }) => session && !session.isBusy)
      .filter((entry) => isSpare(entry) || (owner !== undefined && entry.owner === owner))
      .sort((one, other) => Number(isSpare(other)) - Number(isSpare(one)) || one.used - other.used)[0];
    if (!idle) throw this.#busy();
    void this.#end(idle.key);
  }

  /** An idle session ends when nobody has used it for long enough. */
  #busy(): MountError {
    const { clock, settings } = this.host;
    const ends = [...this.#entries.values()]
      .filter(({ key, session }) => key !== CATALOGUE && session && !session.isBusy)
      .map(({ used }) => used + settings.idle - monotonic(clock));
    const wait = Math.max(SHORTEST_WAIT_MS, Math.min(settings.idle, ...ends));
    const seconds = Math.ceil(wait / 1_000);
    return new MountError(
      'TW_MOUNT_BUSY',
      `The server behind this tool serves as many callers as it can. Try again in ${seconds} s.`,
      { retryable: true, retryAfterMs: Math.ceil(wait) },
    );
  }

  async #end(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    const session = await entry.opening.catch(() => undefined);
    await session?.close();
  }

  /** Ends what nobody has used for a while. The session for lists stays: it hears of changes. */
  #sweepLater(): void {
    if (this.#stopSweep || this.#isClosed) return;
    const idle = this.host.settings.idle;
    this.#stopSweep = this.host.clock.after(idle, () => {
      this.#stopSweep = undefined;
      const now = monotonic(this.host.clock);
      let isAnyLeft = false;
      for (const [key, { session, used }] of this.#entries) {
        if (key === CATALOGUE) continue;
        if (session && !session.isBusy && now - used >= idle) void this.#end(key);
        else isAnyLeft = true;
      }
      if (isAnyLeft) this.#sweepLater();
    });
  }
}

function rootsOf({ values }: CallerGroup): ClientCapabilities {
  return values.roots ? { roots: {} } : {};
}

function notMounted(): MountError {
  return new MountError('TW_MOUNT_DOWN', 'The server behind this tool is not mounted any more.');
}

function isSpare({ key }: Entry): boolean {
  return key.startsWith(SPARE);
}
