import { BUDGET } from '../budget.js';
import type { Clock } from '@toolwright/core/ports';
import { MountError } from '../errors.js';
import type { Health } from '../health.js';
import type { MountSettings } from '../options.js';
import { callerOf, passedCapabilities } from '../session/caller.js';
import type { CallerGroup } from '../session/caller-values.js';
import { withMeta } from '../session/request-meta.js';
import type { Lease, SessionPool } from '../session/session-pool.js';
import type { UpstreamResult, UpstreamSession } from '../session/upstream-session.js';
import { ConnectTimeout } from '../upstream/connect-limit.js';
import type { CallHost, UpstreamRequest } from './call-host.js';
import { failureOf } from './failures.js';
import { ParkedRuns } from './parked-runs.js';
import { type Folders, foldersOf, type Round } from './round.js';
import { UpstreamRun } from './upstream-run.js';

type Params = Record<string, unknown>;

/** What calls need of their mount. */
interface CallParts {
  readonly settings: MountSettings;
  readonly clock: Clock;
  readonly health: Health;
  readonly pool: SessionPool;
}

const MOST_ATTEMPTS = BUDGET.attempts;

/**
 * How often a call whose answer was lost is made again. A repetition may meet the next end of a server that restarts
 * again and again. A call that ends its server by itself does so no more often than this.
 */
const MOST_REPETITIONS = 3;

/** Sends calls to a server behind, in the session of their caller, and again as far as that does no harm. */
export class UpstreamCalls implements CallHost {
  readonly parked: ParkedRuns;

  constructor(private readonly parts: CallParts) {
    this.parked = new ParkedRuns(parts.clock);
  }

  foldersOf(group: CallerGroup): Folders {
    return foldersOf(this.parts.settings, group);
  }

  async begin(wanted: UpstreamRequest, round: Round): Promise<UpstreamRun> {
    const { clock, settings } = this.parts;
    const { key } = callerOf(round.request);
    const run = new UpstreamRun(key, round, clock, {
      answerMs: settings.limits.answerMs,
      token: await this.#tokenFor(round),
    });
    run.start(() => this.#send(run, { wanted, round }));
    return run;
  }

  cancelTask(taskId: string, round: Round): void {
    void this.parts.pool
      .lease({ caller: callerOf(round.request), capabilities: passed(round), group: round.group })
      .then(({ session, release }) =>
        session.send('tasks/cancel', withRoundMeta({ taskId }, session, round)).finally(release),
      )
      .catch(() => undefined);
  }

  isCaller(run: UpstreamRun, { request }: Round): boolean {
    const { key, isOnce } = callerOf(request);
    // The sealed state of the call proves that it is the same one.
    return isOnce ? run.caller.startsWith('call ') : run.caller === key;
  }

  async #send(
    run: UpstreamRun,
    { wanted, round }: { wanted: UpstreamRequest; round: Round },
  ): Promise<UpstreamResult> {
    const { request, group } = round;
    const caller = { ...callerOf(request), key: run.caller };
    const capabilities = passed(round);
    let repetitions = 0;
    for (let attempt = 1; ; attempt++) {
      let lease: Lease;
      // A request that is not sent to a server that is away can be sent later, whatever it does.
      await this.parts.health.wait(run.signal);
      try {
        lease = await this.parts.pool.lease({ caller, capabilities, group });
      } catch (error) {
        if (error instanceof MountError || attempt >= MOST_ATTEMPTS) throw error;
        if (error instanceof ConnectTimeout) throw tooSlow(error);
        if (failureOf(error) === 'answered') throw error;
        // What is wrong for one group is not wrong for all.
        if (!this.parts.pool.isOwn(group)) throw unreachable(error);
        this.parts.health.lost(error);
        continue;
      }
      try {
        return await this.#exchange(lease, { run, wanted, round });
      } catch (error) {
        if (run.signal.aborted || attempt >= MOST_ATTEMPTS) throw error;
        const failure = failureOf(error);
        if (failure === 'answered') throw error;
        if (failure === 'forgotten' && !lease.session.isKnownById) throw error;
        if (failure === 'lost') {
          if (!wanted.isRepeatable || run.hasAsked || ++repetitions > MOST_REPETITIONS) throw error;
          // It is not repeated before the server has shown that it is back.
          if (this.parts.pool.isOwn(group)) this.parts.health.lost(error);
        }
        if (failure === 'forgotten' && !lease.isOld && attempt > 1) throw error;
        this.parts.pool.drop(lease.session);
        if (failure === 'unsent' && this.parts.pool.isOwn(group)) this.parts.health.lost(error);
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
    return session.send(wanted.method, withRoundMeta(wanted.params, session, round), {
      call: run,
      signal: run.signal,
      ...(wanted.headers && { headers: wanted.headers }),
      ...(request.progressToken !== undefined && { onprogress: (progress) => run.progress(progress) }),
    });
  }

  /** @throws {MountError} when the caller has no token */
  async #tokenFor({ context }: Round): Promise<string | undefined> {
    if (this.parts.settings.auth !== 'user') return undefined;
    const { tokenFor } = context as { tokenFor?: (resource: string) => Promise<string> };
    if (tokenFor && context.principal) return tokenFor(this.parts.settings.url!);
    throw new MountError(
      'TW_MOUNT_CALLER',
      'This tool needs to know who calls it. Sign in, and call it again.',
    );
  }
}

function withRoundMeta(params: Params, { isModern }: UpstreamSession, round: Round): Params {
  return withMeta(params, round.request, isModern ? passed(round) : undefined);
}

function passed({ request, folders }: Round) {
  return passedCapabilities(request.client.capabilities, folders);
}

function unreachable(cause: unknown): MountError {
  const message = 'The server behind this tool cannot be reached for this caller. Try again later.';
  return new MountError('TW_MOUNT_DOWN', message, { cause, retryable: true });
}

function tooSlow(cause: ConnectTimeout): MountError {
  const message = 'The server behind this tool does not answer. Try again later.';
  return new MountError('TW_MOUNT_DOWN', message, { cause, retryable: true });
}
