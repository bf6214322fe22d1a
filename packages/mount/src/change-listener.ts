import type { McpSubscription } from '@modelcontextprotocol/client';
import type { Clock } from '@toolwright/core/ports';
import type { MountStatus } from '@toolwright/json';
import { shownName } from './shown-name.js';
import { BUDGET } from './budget.js';
import type { UpstreamSession } from './session/upstream-session.js';

interface ListenerHost {
  readonly clock: Clock;
  /** Reads the lists again. */
  reread(): Promise<void>;
  /** The stream of changes has broken off. */
  lost(error: unknown): void;
}

/** How often it looks which resources nobody watches any more. */
const SWEEP_MS = 60_000;
const MOST_WATCHED = BUDGET.watched;

/** Hears of changes at a server behind, in the way of its era. */
export class ChangeListener {
  #session: UpstreamSession | undefined;
  #stream: McpSubscription | undefined;
  #pause: (() => void) | undefined;
  #stopLater: (() => void) | undefined;
  #isReading = false;
  #isClosed = false;
  /** The resources that clients watch, with what says whether they still do. */
  readonly #watched = new Map<string, () => boolean>();
  #stopSweep: (() => void) | undefined;

  constructor(private readonly host: ListenerHost) {}

  /** What the server says of itself. */
  get about(): Pick<MountStatus, 'server'> {
    const { name, version } = this.#session?.client.getServerVersion() ?? {};
    return name === undefined
      ? {}
      : { server: { name: shownName(name), version: shownName(String(version)) } };
  }

  /** Listens in a session that is new. What was watched before is watched again. */
  async follow(session: UpstreamSession): Promise<void> {
    if (session === this.#session && this.#stream) return;
    this.#session = session;
    this.#stream = undefined;
    if (session.isModern) return this.#listen();
    await Promise.all([...this.#watched.keys()].map((uri) => this.#subscribe('resources/subscribe', uri)));
  }

  /** A list could not be read. It is read again later, even if the server reports no change. */
  hearLater(): void {
    if (this.#isClosed) return;
    this.#stopLater ??= this.host.clock.after(BUDGET.relistMs, () => {
      this.#stopLater = undefined;
      this.hear();
    });
  }

  /** A list has changed. */
  hear(): void {
    if (this.#pause || this.#isClosed) return;
    this.#pause = this.host.clock.after(BUDGET.changePauseMs, () => {
      this.#pause = undefined;
      if (this.#isReading) return this.hear();
      this.#isReading = true;
      void this.host.reread().finally(() => (this.#isReading = false));
    });
  }

  /** Watches a resource, as long as some client of ours does. */
  async watch(uri: string, isWatched: () => boolean): Promise<void> {
    const isNew = !this.#watched.has(uri);
    if (isNew && this.#watched.size >= MOST_WATCHED) return;
    this.#watched.set(uri, isWatched);
    this.#sweepLater();
    if (isNew) await this.#rewatch('resources/subscribe', uri);
  }

  #sweepLater(): void {
    if (this.#isClosed) return;
    this.#stopSweep ??= this.host.clock.after(SWEEP_MS, () => {
      this.#stopSweep = undefined;
      for (const [uri, isWatched] of this.#watched)
        if (!isWatched() && this.#watched.delete(uri)) void this.#rewatch('resources/unsubscribe', uri);
      if (this.#watched.size > 0) this.#sweepLater();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#pause?.();
    this.#stopLater?.();
    this.#stopSweep?.();
    void this.#stream?.close().catch(() => undefined);
  }

  async #rewatch(method: string, uri: string): Promise<void> {
    if (!this.#session || this.#isClosed) return;
    if (this.#session.isModern) await this.#listen().catch((error: unknown) => this.host.lost(error));
    else await this.#subscribe(method, uri);
  }

  async #subscribe(method: string, uri: string): Promise<void> {
    const offered = this.#session!.client.getServerCapabilities()?.resources;
    if (offered?.subscribe) await this.#session!.send(method, { uri }).catch(() => undefined);
  }

  /** One stream brings everything (2026-07-28). A new one replaces it when another resource is watched. */
  async #listen(): Promise<void> {
    const session = this.#session!;
    const { tools, prompts, resources } = session.client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(this.#watched.size > 0 && { resourceSubscriptions: [...this.#watched.keys()] }),
    };
    const former = this.#stream;
    if (Object.keys(filter).length === 0) return void former?.close();
    const stream = await session.client.listen(filter);
    this.#stream = stream;
    await former?.close();
    void stream.closed.then((cause) => {
      if (this.#stream !== stream || this.#isClosed || cause === 'local') return;
      this.#stream = undefined;
      this.host.lost(new Error('The stream of changes has ended.'));
    });
  }
}
