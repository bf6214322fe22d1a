import type { RequestContext, ToolContext } from '@toolwright/core';
import type { ExtensionHost, UpstreamServer } from '@toolwright/core/extend';
import type { Notification } from '@modelcontextprotocol/client';
import type { CallHost, UpstreamRequest } from './call/call-host.js';
import { callUpstream } from './call/call-upstream.js';
import { failureOf, translate } from './call/failures.js';
import { ParkedRuns } from './call/parked-runs.js';
import type { Folders, Round } from './call/round.js';
import { UpstreamRun } from './call/upstream-run.js';
import { ChangeListener } from './change-listener.js';
import { MountError } from './errors.js';
import { Health } from './health.js';
import type { MountSettings } from './options.js';
import type { HeldText } from './pins/pins.js';
import type { CatalogueView } from './publish/catalogue-view.js';
import { MountedCatalogue } from './publish/mounted-catalogue.js';
import type { PublishedMount } from './publish/published-mount.js';
import { readCatalogue } from './read-catalogue.js';
import { callerOf, passedCapabilities } from './session/caller.js';
import { TASKS, withMeta } from './session/request-meta.js';
import { type Lease, SessionPool } from './session/session-pool.js';
import type { UpstreamResult, UpstreamSession } from './session/upstream-session.js';
import { CallFigures, type MountStatus } from './status.js';

/** What a mount uses of its server. */
export interface MountHost {
  readonly extension: ExtensionHost;
  readonly view: CatalogueView;
  count(attributes: Record<string, string>): void;
  /** Counts something that a person should look at. */
  found(attributes: Record<string, string>): void;
}

type Params = Record<string, unknown>;

/** A request that was never sent may be sent again, but not for ever. */
const MOST_ATTEMPTS = 20;

/** A server behind ours. */
export class Mount implements CallHost, PublishedMount {
  readonly parked: ParkedRuns;
  readonly folders: Folders;
  readonly #health: Health;
  readonly #pool: SessionPool;
  readonly #figures = new CallFigures();
  readonly #changes: ChangeListener;
  readonly #tricks = new Map<string, number>();
  readonly #catalogue: MountedCatalogue;
  #offered: Readonly<Record<string, unknown>> = {};
  /** Until the first attempt to connect is over, a name that is taken is an error of the boot. */
  #isBooting = true;

  constructor(
    readonly name: string,
    private readonly settings: MountSettings,
    private readonly host: MountHost,
  ) {
    const { clock, logger, server } = host.extension;
    this.parked = new ParkedRuns(clock);
    this.#catalogue = new MountedCatalogue(this, settings, host);
    // A child runs on this machine. Folders that a client names would be folders of ours.
    this.folders = settings.roots ?? (settings.url === undefined ? 'refuse' : 'ask');
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
      ...{ name, settings, clock, logger },
      clientInfo: { name: server.info.name, version: server.info.version },
      changed: (notification, isCatalogue) => this.#changed(notification, isCatalogue),
      noticed: (trick) => this.#noticed(trick),
      catalogueEnded: () => this.#health.lost(new Error('The session has ended.')),
    });
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

  /** Passes a call on. */
  async call(wanted: UpstreamRequest, context: ToolContext): Promise<UpstreamResult> {
    const { clock, record } = this.host.extension;
    const startedAt = clock.now();
    let outcome = 'ok';
    let isRound = false;
    try {
      const result = await callUpstream(this, wanted, context);
      if (result['isError'] === true) outcome = 'error';
      return result;
    } catch (error) {
      isRound = context.mountedRequest!.input.pending.size > 0;
      outcome = (error as { code?: string }).code?.toString() ?? 'failed';
      throw translate(error);
    } finally {
      if (!isRound) {
        const ms = clock.now() - startedAt;
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

  async begin(wanted: UpstreamRequest, round: Round): Promise<UpstreamRun> {
    const { clock } = this.host.extension;
    const { key } = callerOf(round.request);
    const run = new UpstreamRun(key, round, clock, {
      answerMs: this.settings.limits.answerMs,
      token: await this.#tokenFor(round),
    });
    run.start(() => this.#send(run, { wanted, round }));
    return run;
  }

  cancelTask(taskId: string, { request }: Round): void {
    const caller = callerOf(request);
    const capabilities = this.#passed(request.client.capabilities);
    void this.#pool
      .lease(caller, capabilities)
      .then(({ session, release }) =>
        session.send('tasks/cancel', this.#withMeta({ taskId }, session, request)).finally(release),
      )
      .catch(() => undefined);
  }

  isCaller(run: UpstreamRun, { request }: Round): boolean {
    const { key, isOnce } = callerOf(request);
    // The sealed state of the call proves that it is the same one.
    return isOnce ? run.caller.startsWith('call ') : run.caller === key;
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
    const { state, since, retryAt, error } = this.#health;
    const traits = this.#pool.traits;
    return {
      ...{ name: this.name, state, since },
      ...(this.settings.url === undefined
        ? { command: this.settings.command! }
        : { url: new URL(this.settings.url).origin + new URL(this.settings.url).pathname }),
      ...(retryAt !== undefined && { retryAt }),
      ...(error !== undefined && { error: (error as Error).message.slice(0, 500) }),
      ...(traits && { era: traits.prior.kind === 'modern' ? 'stateless' : 'stateful' }),
      ...this.#changes.about,
      sessions: this.#pool.size,
      isShared: this.#pool.isShared,
      processes: this.#pool.pids,
      waiting: this.parked.size,
      ...this.#catalogue.status,
      tricks: Object.fromEntries(this.#tricks),
      ...this.#figures.read(),
    };
  }

  async close(): Promise<void> {
    this.#health.close();
    this.#changes.close();
    this.parked.close();
    await this.#catalogue.hide();
    await this.#pool.close();
  }

  async #send(
    run: UpstreamRun,
    { wanted, round }: { wanted: UpstreamRequest; round: Round },
  ): Promise<UpstreamResult> {
    const { request } = round;
    const caller = callerOf(request);
    const key = { ...caller, key: run.caller };
    const capabilities = this.#passed(request.client.capabilities);
    let hasRepeated = false;
    for (let attempt = 1; ; attempt++) {
      let lease: Lease;
      // A request that is not sent to a server that is away can be sent later, whatever it does.
      await this.#health.wait(run.signal);
      try {
        lease = await this.#pool.lease(key, capabilities);
      } catch (error) {
        if (error instanceof MountError || attempt >= MOST_ATTEMPTS) throw error;
        if (failureOf(error) === 'answered') throw error;
        this.#health.lost(error);
        continue;
      }
      try {
        return await this.#exchange(lease, { run, wanted, round });
      } catch (error) {
        if (run.signal.aborted || attempt >= MOST_ATTEMPTS) throw error;
        const failure = failureOf(error);
        if (failure === 'answered') throw error;
        if (failure === 'lost') {
          if (hasRepeated || !wanted.isRepeatable || run.hasAsked) throw error;
          hasRepeated = true;
          // It is not repeated before the server has shown that it is back.
          this.#health.lost(error);
        }
        if (failure === 'forgotten' && !lease.isOld && attempt > 1) throw error;
        this.#pool.drop(lease.session);
        if (failure === 'unsent') this.#health.lost(error);
      } finally {
        lease.release();
      }
    }
  }

  async #exchange(
    { session }: Lease,
    { run, wanted, round }: { run: UpstreamRun; wanted: UpstreamRequest; round: Round },
  ): Promise<UpstreamResult> {
    const { request } = round;
    await session.setLogLevel(request.logLevel);
    return session.send(wanted.method, this.#withMeta(wanted.params, session, request), {
      call: run,
      signal: run.signal,
      ...(wanted.headers && { headers: wanted.headers }),
      ...(request.progressToken !== undefined && { onprogress: (progress) => run.progress(progress) }),
    });
  }

  #withMeta(params: Params, { isModern }: UpstreamSession, request: RequestContext): Params {
    return withMeta(params, request, isModern ? this.#passed(request.client.capabilities) : undefined);
  }

  #passed(declared: Readonly<Record<string, unknown>>) {
    return passedCapabilities(declared, this.folders);
  }

  /** @throws {MountError} when the caller has no token */
  async #tokenFor({ context }: Round): Promise<string | undefined> {
    if (this.settings.auth !== 'user') return undefined;
    const { tokenFor } = context as { tokenFor?: (resource: string) => Promise<string> };
    if (tokenFor && context.principal) return tokenFor(this.settings.url!);
    throw new MountError(
      'TW_MOUNT_CALLER',
      'This tool needs to know who calls it. Sign in, and call it again.',
    );
  }

  async #open(): Promise<void> {
    const session = await this.#pool.catalogue();
    try {
      this.#offered = { ...session.client.getServerCapabilities() };
      const catalogue = await readCatalogue(session, this.settings);
      await this.#changes.follow(session);
      await this.#catalogue.offer(catalogue, this.#isBooting);
    } catch (error) {
      this.#pool.drop(session);
      throw error;
    }
  }

  async #reread(): Promise<void> {
    if (this.#health.state !== 'up') return;
    try {
      const catalogue = await readCatalogue(await this.#pool.catalogue(), this.settings);
      await this.#catalogue.offer(catalogue, this.#isBooting);
    } catch (error) {
      this.#health.lost(error);
    }
  }

  #changed({ method, params }: Notification, isCatalogue: boolean): void {
    if (method === 'notifications/resources/updated') {
      const uri = params?.['uri'];
      const { server } = this.host.extension;
      if (typeof uri === 'string' && this.host.view.owns(this, uri)) server.resourceUpdated(uri);
    } else if (isCatalogue && method.endsWith('/list_changed')) this.#changes.hear();
  }

  #noticed(trick: string): void {
    this.#tricks.set(trick, (this.#tricks.get(trick) ?? 0) + 1);
    this.host.extension.logger.warn({ mount: this.name, trick }, 'A mounted server breaks the protocol');
  }
}

/** What the audit log calls the thing that was asked for. */
function targetOf({ name, uri }: Record<string, unknown>): string {
  return String(name ?? uri ?? '').slice(0, 500);
}

function downAtBoot(name: string, error: unknown): Error {
  return new MountError(
    'TW_MOUNT_DOWN',
    `The server that is mounted as "${name}" cannot be reached, and it is required.`,
    {
      cause: error,
    },
  );
}
