import type { ClientCapabilities, Notification } from '@modelcontextprotocol/client';
import type { Clock, Logger } from '@toolwright/core/ports';
import { AsyncResource } from 'node:async_hooks';
import { MountError } from '../errors.js';
import type { MountSettings } from '../options.js';
import { type UpstreamTraits, connect } from '../upstream/connect.js';
import type { Trick } from '../upstream/watched-transport.js';
import type { Caller } from './caller.js';
import { UpstreamSession } from './upstream-session.js';

/** What a pool uses of its mount. */
export interface PoolHost {
  readonly name: string;
  readonly settings: MountSettings;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly clock: Clock;
  readonly logger: Logger;
  changed(notification: Notification, isCatalogue: boolean): void;
  noticed(trick: Trick): void;
  /** The session from which the mount hears has ended. */
  catalogueEnded(): void;
}

interface Entry {
  key: string;
  readonly opening: Promise<UpstreamSession>;
  session: UpstreamSession | undefined;
  used: number;
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

/** How many sessions are open ahead at most, for callers that nobody can tell apart. */
const MOST_SPARES = 2;

/**
 * How long the end of one session and the opening of the next one wait, so that the call is answered first. Its audit record is
 * written before its answer, so one turn of the event loop is not enough.
 */
const ANSWER_FIRST_MS = 2;

/** The sessions of one mount: one for lists, and one for all callers or for each of them. */
export class SessionPool {
  #traits: UpstreamTraits | undefined;
  readonly #entries = new Map<string, Entry>();
  #stopSweep: (() => void) | undefined;
  readonly #closing = new AbortController();
  /** A session outlives the call that opens it. What runs in it must not run in the context of that call. */
  readonly #apart = AsyncResource.bind(<T>(run: () => T): T => run(), 'toolwright.mount');

  constructor(private readonly host: PoolHost) {}

  get traits(): UpstreamTraits | undefined {
    return this.#traits;
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
    return sessions === undefined ? this.#traits?.keepsState === false : sessions === 'shared';
  }

  /** The session for lists. Calls of all callers may use it where they share one. */
  catalogue(): Promise<UpstreamSession> {
    return this.#get(CATALOGUE, this.#ownCapabilities()).opening;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async lease(caller: Caller, capabilities: ClientCapabilities): Promise<Lease> {
    // Before the first connection, nobody knows whether the server keeps state.
    if (!this.#traits) await this.catalogue();
    const key = this.isShared ? SHARED : `${caller.key} ${JSON.stringify(capabilities)}`;
    const wanted = this.isShared
      ? { ...this.#ownCapabilities(), elicitation: {}, sampling: {} }
      : capabilities;
    const needsOwn = caller.isOnce && !this.isShared;
    const spare = needsOwn ? this.#takeSpare(key, capabilities) : undefined;
    const isOld = (spare ?? this.#entries.get(key))?.session !== undefined;
    const entry = spare ?? this.#get(this.#usesCatalogue ? CATALOGUE : key, wanted);
    const session = await entry.opening;
    if (!isOld && !this.isShared && !caller.isOnce) caller.onEnd?.(() => void this.#end(key));
    return {
      session,
      isOld,
      release: () => {
        entry.used = this.host.clock.now();
        if (!needsOwn) return;
        this.host.clock.after(ANSWER_FIRST_MS, () => {
          // The same call may have opened another one meanwhile, because the server had forgotten this one.
          if (this.#entries.get(key) === entry) void this.#end(key);
          this.#openSpare(capabilities);
        });
      },
    };
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
  get #usesCatalogue(): boolean {
    return this.isShared && this.#traits?.keepsState === false;
  }

  #ownCapabilities(): ClientCapabilities {
    return this.host.settings.roots ? { roots: {} } : {};
  }

  #get(key: string, capabilities: ClientCapabilities): Entry {
    const known = this.#entries.get(key);
    if (known && !known.session?.isClosed) {
      known.used = this.host.clock.now();
      return known;
    }
    if (this.#isClosed)
      throw new MountError('TW_MOUNT_DOWN', 'The server behind this tool is not mounted any more.');
    this.#makeRoom();
    const entry: Entry = {
      key,
      opening: this.#open(key, capabilities).then(
        (session) => {
          entry.session = session;
          return session;
        },
        (error: unknown) => {
          if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
          throw error;
        },
      ),
      session: undefined,
      used: this.host.clock.now(),
    };
    this.#entries.set(key, entry);
    this.#sweepLater();
    return entry;
  }

  /**
   * A session that was opened ahead, and that nobody has used. It is for one call, and ends with it, as any other session
   * of a caller that nobody can tell from others.
   */
  #takeSpare(key: string, capabilities: ClientCapabilities): Entry | undefined {
    const spare = this.#entries.get(SPARE + JSON.stringify(capabilities));
    if (!spare || spare.session?.isClosed) return undefined;
    this.#entries.delete(spare.key);
    this.#entries.set((spare.key = key), spare);
    return spare;
  }

  /** Opens a session for the next call: somebody has just called, so somebody may call again. */
  #openSpare(capabilities: ClientCapabilities): void {
    const { command, maxProcesses } = this.host.settings;
    const key = SPARE + JSON.stringify(capabilities);
    if (this.#isClosed || this.#entries.has(key)) return;
    if (command !== undefined && this.#entries.size >= maxProcesses) return;
    const spares = [...this.#entries.keys()].filter((each) => each.startsWith(SPARE));
    if (spares.length >= MOST_SPARES) void this.#end(spares[0]!);
    // If it cannot be opened, the next call opens its own, and learns why.
    this.#get(key, capabilities).opening.catch(() => undefined);
  }

  async #open(key: string, capabilities: ClientCapabilities): Promise<UpstreamSession> {
    const { name, settings, logger, clientInfo } = this.host;
    const isCatalogue = key === CATALOGUE;
    const connected = await this.#apart(() =>
      connect({
        ...{ settings, clientInfo, capabilities, traits: this.#traits, closed: this.#closing.signal },
        noticed: (trick) => this.host.noticed(trick),
        said: (line) => logger.debug({ mount: name, line }, 'A mounted server wrote to its standard error'),
      }),
    );
    this.#traits = connected.traits;
    const session = new UpstreamSession(
      connected,
      {
        changed: (notification) => this.host.changed(notification, isCatalogue),
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

  /** @throws {MountError} when every process is busy */
  #makeRoom(): void {
    const { settings } = this.host;
    if (settings.command === undefined || this.#entries.size < settings.maxProcesses) return;
    const idle = [...this.#entries]
      .filter(([key, { session }]) => key !== CATALOGUE && session && !session.isBusy)
      .sort(
        ([, one], [, other]) => Number(isSpare(other)) - Number(isSpare(one)) || one.used - other.used,
      )[0];
    if (!idle)
      throw new MountError('TW_MOUNT_BUSY', 'The server behind this tool serves as many callers as it can.', {
        retryable: true,
      });
    void this.#end(idle[0]);
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
      const now = this.host.clock.now();
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

function isSpare({ key }: Entry): boolean {
  return key.startsWith(SPARE);
}
