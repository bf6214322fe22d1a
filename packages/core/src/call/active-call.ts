import type { AuditEventType } from '../ports/audit-sink.js';
import type { RequestContext } from '../base/request-context.js';
import { CallContext } from './context/call-context.js';
import type { Environment } from './environment.js';
import { isPromise, type MaybePromise } from '../base/maybe-promise.js';
import type { BoundOperation, Call } from './operation/operation.js';
import type { CallScope } from './operation/target.js';
import type { ToolContext } from './context/tool-context.js';
import type { Verdict } from './verdict.js';

/** The clock of a call: it stands still while the call waits for a person. */
interface CallClock {
  suspend(): void;
  resume(): void;
}

/** What a call holds while it works, such as a slot: it serves others while the call waits for a person. */
export interface Holding {
  suspend(): void;
  resume(): MaybePromise<void>;
  /** The work is over. */
  release(): void;
}

/** A call that runs: `Call` as middleware sees it, and what the built-in steps share. */
export class ActiveCall<O extends BoundOperation = BoundOperation> implements Call<O> {
  arguments: Record<string, unknown>;
  readonly verdict: Verdict = {};
  /** The call waits for a slot, and has not begun to work. */
  isQueued = false;
  /**
   * There when the operation is audited. An object, since a function of each call's own that refers to its call is costly
   * on Node 24: all that a call has made then survives every minor collection.
   */
  trail?: { record(event: AuditEventType): MaybePromise<void> };
  /** The method answered in the protocol's own form: its structured content may be another server's. */
  gaveResult = false;
  /** There once somebody asked for something that does not live as long as the server. */
  scope?: CallScope;
  #cleanups: (() => unknown)[] | undefined;
  #clock: CallClock | undefined;
  #holdings: Holding[] | undefined;
  /** Parts of the work that middleware began and has not waited for. */
  #open = 0;
  #isLeft = false;
  #isCounted = false;
  #questions = 0;
  #controller: AbortController | undefined;
  #aborted: { reason: unknown } | undefined;
  #context: CallContext | undefined;
  #ended = false;

  constructor(
    readonly operation: O,
    readonly request: RequestContext,
    /** As the client sent them. */
    readonly given: Readonly<Record<string, unknown>>,
    readonly environment: Environment,
  ) {
    this.arguments = given as Record<string, unknown>;
  }

  /** What the client sent, by the names of the operation's arguments. */
  get argumentsByName(): Readonly<Record<string, unknown>> {
    return this.given;
  }

  /** Made when somebody asks for it: most calls end before anyone does. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
      else this.#follow(this.request.signal);
    }
    return this.#controller.signal;
  }

  get context(): ToolContext {
    return (this.#context ??= new CallContext(this));
  }

  /** True when the round has to end because a question is open. */
  get pending(): boolean {
    return this.request.input.pending.size > 0;
  }

  /** The deadline or the caller has ended the call: it is answered, and nothing more should be begun for it. */
  get isGivenUp(): boolean {
    return this.#aborted !== undefined;
  }

  /** @throws the reason of the abort, when the call was given up */
  ensureWanted(): void {
    if (this.#aborted) throw this.#aborted.reason;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  onEnd(cleanup: () => unknown): void {
    // What a method that outlived its deadline opens has nobody left to close it later.
    if (this.#ended) this.#attempt(cleanup);
    else (this.#cleanups ??= []).push(cleanup);
  }

  /** Stops and starts `clock` with every question to a person. */
  keepTime(clock: CallClock): void {
    this.#clock = clock;
    // A method can ask before it first returns to whoever runs it.
    if (this.#questions > 0) clock.suspend();
  }

  /** Takes `holding` along until the work is over. */
  hold(holding: Holding): void {
    (this.#holdings ??= []).push(holding);
  }

  /** Counts a part of the work that may outlive the step that began it: a `next()` that nobody awaits. */
  track(part: Promise<unknown>): void {
    this.#open++;
    part.then(
      () => this.#close(),
      (error: unknown) => this.#close({ error }),
    );
  }

  /** Runs `ask`; in the meantime the deadline stands still and the call's slots serve others. */
  async whileWaiting<T>(ask: () => Promise<T>): Promise<T> {
    // On 2026-07-28 nobody but a task waits: the answer is there, or the round ends.
    if (this.request.era === 'stateless' && !this.request.task?.started) return ask();
    if (this.#questions++ === 0) this.#suspend();
    try {
      return await ask();
    } finally {
      if (--this.#questions === 0) await this.#resume();
    }
  }

  /** The work goes on after the turn in which it began. It is counted until it ends. */
  countWork(): void {
    this.#isCounted = true;
    this.environment.work.enter(this);
  }

  /** The call is answered, and its work runs on. */
  abandonWork(): void {
    this.#isCounted = true;
    this.environment.work.abandon(this);
  }

  /**
   * Closes what the work opened and then gives back what it held. To be called when the chain has ended; where a part of
   * the work still runs, this happens when that part ends.
   */
  settle(): MaybePromise<void> {
    if (this.#open > 0) {
      this.#isLeft = true;
      this.abandonWork();
      return;
    }
    const closing = this.end();
    return closing ? closing.then(() => this.#release()) : this.#release();
  }

  /** Runs the clean-ups, last registered first; synchronous when all of them are. Never throws. */
  end(): MaybePromise<void> {
    this.#ended = true;
    const cleanups = this.#cleanups;
    if (!cleanups) return;
    let cleanup: (() => unknown) | undefined;
    while ((cleanup = cleanups.pop())) {
      const running = this.#attempt(cleanup);
      if (isPromise(running)) return running.then(() => this.end());
    }
  }

  #close(failure?: { error: unknown }): void {
    this.#open--;
    if (!this.#isLeft) return;
    if (failure)
      this.#complain(failure.error, 'A part of a call that its middleware did not wait for failed');
    if (this.#open === 0) void this.settle();
  }

  #release(): void {
    const holdings = this.#holdings;
    // The last one first, as they were taken.
    for (let index = holdings?.length ?? 0; index-- > 0;) holdings![index]!.release();
    if (this.#isCounted) this.environment.work.leave(this);
  }

  #suspend(): void {
    this.#clock?.suspend();
    for (const holding of this.#holdings ?? []) holding.suspend();
  }

  /** The clock first: waiting for a slot again counts. The slots one by one, or two calls could wait for each other's. */
  async #resume(): Promise<void> {
    this.#clock?.resume();
    for (const holding of this.#holdings ?? []) await holding.resume();
  }

  #attempt(cleanup: () => unknown): unknown {
    const failed = (error: unknown) => this.#complain(error, 'A clean-up after a call failed');
    try {
      const running = cleanup();
      return isPromise(running) ? running.then(undefined, failed) : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  #complain(error: unknown, message: string): void {
    const { environment, operation, request } = this;
    environment.logger.error({ err: error, operation: operation.name, requestId: request.id }, message);
  }

  #follow(signal: AbortSignal): void {
    const abort = () => this.abort(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    this.onEnd(() => signal.removeEventListener('abort', abort));
  }
}
