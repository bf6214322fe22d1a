import type { RequestContext, ToolContext } from '@toolwright/core';
import type { ExtensionHost, UpstreamServer } from '@toolwright/core/extend';
import { monotonic } from '@toolwright/core/ports';
import type { Notification } from '@modelcontextprotocol/client';
import { cutText, type HeldText, type MountStatus, reasonOf } from '@toolwright/json';
import type { UpstreamRequest } from './call/call-host.js';
import { callUpstream } from './call/call-upstream.js';
import { outcomeOf, translate } from './call/failures.js';
import { UpstreamCalls } from './call/upstream-calls.js';
import { ChangeListener } from './change-listener.js';
import { MountError } from './errors.js';
import { Health } from './health.js';
import type { MountSettings } from './options.js';
import type { CatalogueView } from './publish/catalogue-view.js';
import type { OfferedForms } from './publish/offered-forms.js';
import { MountedCatalogue } from './publish/mounted-catalogue.js';
import type { PublishedMount } from './publish/published-mount.js';
import { MetCallers } from './met-callers.js';
import { RareWarnings } from './rare-warnings.js';
import { readCatalogue, type UpstreamCatalogue } from './read-catalogue.js';
import { ResourceUpdates } from './resource-updates.js';
import { type CallerGroup, CallerValues, COMMON } from './session/caller-values.js';
import { TASKS } from './session/request-meta.js';
import { SessionPool } from './session/session-pool.js';
import type { UpstreamResult } from './session/upstream-session.js';
import { ConnectTimeout, withinConnectTimeout } from './upstream/connect-limit.js';
import { CallFigures } from './status.js';

/** What a mount uses of its server. */
export interface MountHost {
  readonly extension: ExtensionHost;
  readonly view: CatalogueView;
  count(attributes: Record<string, string>): void;
  /** Counts something that a person should look at. */
  found(attributes: Record<string, string>, by?: 0): void;
}

/** A server behind ours. */
export class Mount implements PublishedMount {
  readonly #calls: UpstreamCalls;
  readonly #health: Health;
  readonly #pool: SessionPool;
  readonly #figures = new CallFigures();
  readonly #changes: ChangeListener;
  readonly #updates: ResourceUpdates;
  readonly #tricks = new Map<string, number>();
  readonly #catalogue: MountedCatalogue;
  readonly #values: CallerValues;
  readonly #met: MetCallers | undefined;
  #offered: Readonly<Record<string, unknown>> = {};
  /** What was read last. */
  #read: UpstreamCatalogue | undefined;
  /** Until the first attempt to connect is over, a name that is taken is an error of the boot. */
  #isBooting = true;

  constructor(
    readonly name: string,
    private readonly settings: MountSettings,
    private readonly host: MountHost,
  ) {
    const { clock, logger, server } = host.extension;
    this.#values = new CallerValues(name, settings);
    const warnings = new RareWarnings(clock);
    if (this.#values.dependOnCaller)
      this.#met = new MetCallers({
        settings,
        clock,
        values: this.#values,
        lease: (leasing) => this.#pool.lease(leasing),
        offer: (list, catalogue) => this.#catalogue.offer(list, catalogue, false),
        failed(error) {
          if (warnings.isDue(error))
            logger.warn({ mount: name, err: error }, 'A mounted server cannot be reached for a caller');
        },
      });
    this.#catalogue = new MountedCatalogue(this, settings, host);
    this.#health = new Health({
      name,
      clock,
      open: () => this.#open(),
      changed: (state, error) => {
        if (state === 'down') logger.warn({ mount: name, err: error }, 'A mounted server cannot be reached');
        if (state === 'up') logger.info({ mount: name }, 'A mounted server can be reached');
        if (settings.whenDown === 'hide' && state === 'down') void this.#catalogue.hide();
      },
    });
    this.#pool = new SessionPool({
      name,
      settings,
      clock,
      logger,
      clientInfo: { name: server.info.name, version: server.info.version },
      changed: (notification, from) => this.#changed(notification, from),
      noticed: (trick) => this.#noticed(trick),
      catalogueEnded: () => this.#health.lost(new Error('The session has ended.')),
    });
    this.#calls = new UpstreamCalls({ settings, clock, health: this.#health, pool: this.#pool });
    this.#updates = new ResourceUpdates(clock, (uri) => server.resourceUpdated(uri));
    this.#changes = new ChangeListener({
      clock,
      reread: () => this.#reread(),
      lost: (error) => this.#health.lost(error),
    });
  }

  /**
   * Connects, and adds what the server behind offers.
   *
   * @throws {ConfigurationError} when names collide, or when the server is required and cannot be reached
   */
  async start(): Promise<void> {
    await this.#health.start();
    this.#isBooting = false;
    if (this.#catalogue.collision !== undefined) throw this.#catalogue.collision;
    if (this.#health.state === 'up' || !this.settings.required) return;
    const { error } = this.#health;
    await this.close();
    throw downAtBoot(this.name, error);
  }

  /** Whether the server behind completes arguments. */
  get completes(): boolean {
    return this.#offered['completions'] !== undefined;
  }

  /** Whether the server behind makes tasks of calls, in either form. */
  get makesTasks(): boolean {
    const { tasks, extensions } = this.#offered as { tasks?: object; extensions?: object };
    return tasks !== undefined || (extensions !== undefined && TASKS in extensions);
  }

  /** Who has which form of an operation. */
  get forms(): OfferedForms | undefined {
    return this.#met?.forms;
  }

  /** Finds out what there is for a caller, before its request is read. */
  meet(request: RequestContext): Promise<void> | undefined {
    return this.#met?.meet(request);
  }

  /** Passes a call on. */
  async call(wanted: UpstreamRequest, context: ToolContext): Promise<UpstreamResult> {
    const { clock, record } = this.host.extension;
    const startedAt = monotonic(clock);
    let outcome = 'ok';
    let isRound = false;
    try {
      const { mountedRequest } = context;
      const group = await (this.#met?.groupOf(mountedRequest!) ?? this.#values.of(mountedRequest!.principal));
      const result = await callUpstream(this.#calls, wanted, { context, group });
      if (result['isError'] === true) outcome = 'error';
      return result;
    } catch (error) {
      isRound = context.mountedRequest!.input.pending.size > 0;
      const failed = translate(error);
      outcome = outcomeOf(failed);
      throw failed;
    } finally {
      if (!isRound) {
        const ms = monotonic(clock) - startedAt;
        this.#figures.add(ms, outcome !== 'ok' && outcome !== 'error');
        this.host.count({ 'toolwright.mount': this.name, 'toolwright.mount.outcome': outcome });
        record({
          operation: 'mount',
          name: this.name,
          outcome,
          principal: context.principal,
          fields: { method: wanted.method, target: targetOf(wanted.params), ms },
        });
      }
    }
  }

  /** Subscribes to a resource, for as long as somebody watches it. */
  watch(uri: string, isWatched: () => boolean): void {
    void this.#changes.watch(uri, isWatched);
  }

  /** Ends all sessions, and connects again. */
  async restart(): Promise<void> {
    const session = await this.#pool.catalogue().catch(() => undefined);
    if (session) this.#pool.drop(session);
    await this.#health.retry();
  }

  /**
   * Accepts what is held back.
   *
   * @param which only the forms with these digests; default: all
   * @returns false when there was nothing to accept
   */
  async accept(which?: readonly string[]): Promise<boolean> {
    const isDone = this.#catalogue.accept(which);
    await this.#reread();
    return isDone;
  }

  /** The words of what is held back, old and new. */
  heldTexts(): HeldText[] {
    return this.#catalogue.heldTexts();
  }

  /** What `toolwright diff` compares with the lock. */
  get upstream(): UpstreamServer {
    return { name: this.name, ...(this.#health.state === 'up' && { offered: this.#catalogue.offered }) };
  }

  status(): MountStatus {
    const { state, since, retryAt } = this.#health;
    const error = this.#health.error ?? this.#values.problem;
    const traits = this.#pool.traits;
    return {
      name: this.name,
      state,
      since,
      ...(this.settings.url === undefined
        ? { command: this.settings.command! }
        : { url: new URL(this.settings.url).origin + new URL(this.settings.url).pathname }),
      ...(retryAt !== undefined && { retryAt }),
      ...(error !== undefined && {
        error: cutText(reasonOf(error), 500),
      }),
      ...(traits && { era: traits.prior.kind === 'modern' ? 'stateless' : 'stateful' }),
      ...this.#changes.about,
      sessions: this.#pool.size,
      isShared: this.#pool.isShared,
      processes: this.#pool.pids,
      waiting: this.#calls.parked.size,
      ...this.#catalogue.status,
      tricks: Object.fromEntries(this.#tricks),
      ...this.#figures.read(),
    };
  }

  async close(): Promise<void> {
    this.#health.close();
    this.#changes.close();
    this.#updates.close();
    this.#calls.parked.close();
    await this.#catalogue.hide();
    await this.#pool.close();
  }

  async #open(): Promise<void> {
    const group = await this.#groupOfNobody();
    // It is reached for its callers alone.
    if (!group) return;
    const session = await this.#pool.catalogue(group);
    try {
      this.#offered = { ...session.client.getServerCapabilities() };
      const catalogue = await withinConnectTimeout(this.settings, undefined, async (signal) => {
        signal.addEventListener('abort', () => this.#pool.drop(session), { once: true });
        const read = await readCatalogue(session, this.settings, this.#read);
        await this.#changes.follow(session);
        return read;
      });
      await this.#offer(catalogue);
    } catch (error) {
      this.#pool.drop(session);
      throw error;
    }
  }

  async #reread(): Promise<void> {
    if (this.#health.state !== 'up') return;
    try {
      await this.#offer(await readCatalogue(await this.#pool.catalogue(), this.settings, this.#read));
    } catch (error) {
      this.#health.lost(error);
    }
  }

  async #offer(catalogue: UpstreamCatalogue): Promise<void> {
    this.#read = catalogue;
    if (catalogue.unread.size > 0) this.#changes.hearLater();
    await this.#catalogue.offer(COMMON, catalogue, this.#isBooting);
  }

  /** For whom the mount itself lists. @returns `undefined` where functions of the caller give nothing without one */
  async #groupOfNobody(): Promise<CallerGroup | undefined> {
    if (!this.#values.dependOnCaller) return this.#values.of(undefined);
    try {
      return await this.#values.of(undefined);
    } catch (error) {
      const { logger } = this.host.extension;
      // A function may have nothing for nobody. One that gives something wrong is a mistake.
      logger[this.#values.problem === undefined ? 'info' : 'warn'](
        { mount: this.name, err: error },
        'A mounted server has no common list: it is listed for its first caller',
      );
      return undefined;
    }
  }

  #changed(
    { method, params }: Notification,
    { isCatalogue, group }: { readonly isCatalogue: boolean; readonly group: CallerGroup },
  ): void {
    if (method === 'notifications/resources/updated') {
      const uri = params?.['uri'];
      if (typeof uri === 'string' && this.host.view.owns(this, uri)) this.#updates.hear(uri);
    } else if (!method.endsWith('/list_changed')) return;
    else if (isCatalogue) this.#changes.hear();
    else this.#met?.forget(group);
  }

  #noticed(trick: string): void {
    const count = (this.#tricks.get(trick) ?? 0) + 1;
    this.#tricks.set(trick, count);
    // A server that tries it without end would fill the log.
    if (!/^10*$/.test(String(count))) return;
    this.host.extension.logger.warn(
      { mount: this.name, trick, count },
      'A mounted server breaks the protocol',
    );
  }
}

/** What the audit log calls the thing that was asked for. */
function targetOf({ name, uri }: Record<string, unknown>): string {
  return cutText(String(name ?? uri ?? ''), 500);
}

function downAtBoot(name: string, cause: unknown): Error {
  const why = cause instanceof ConnectTimeout ? ` ${cause.message}` : '';
  const message = `The server that is mounted as "${name}" cannot be reached, and it is required.${why}`;
  return new MountError('TW_MOUNT_DOWN', message, { cause });
}
