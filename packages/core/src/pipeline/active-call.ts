import type { AuditEventType } from '../ports/audit-sink.js';
import type { RequestContext } from '../messages/request-context.js';
import { CallContext } from './call-context.js';
import type { Environment } from './environment.js';
import { isPromise } from './after.js';
import type { BoundOperation, Call, MaybePromise } from './operation.js';
import type { ToolContext } from './tool-context.js';
import type { Verdict } from './verdict.js';

/** Tells whoever holds something on behalf of a call that the call waits for a person, and that it goes on. */
interface Waiter {
  suspend(): void;
  resume(): MaybePromise<void>;
}

/** A call that runs: `Call` as middleware sees it, and what the built-in steps share. */
export class ActiveCall<O extends BoundOperation = BoundOperation> implements Call<O> {
  arguments: Record<string, unknown>;
  readonly verdict: Verdict = {};
  /** Milliseconds spent waiting for a slot. */
  queuedMs = 0;
  /**
   * There when the operation is audited. An object, since a function of each call's own that refers to its call is costly
   * on Node 24: all that a call has made then survives every minor collection.
   */
  trail?: { record(event: AuditEventType): MaybePromise<void> };
  /** There once somebody asked for an instance that is built for this call. */
  scoped?: { readonly instance: MaybePromise<unknown> };
  #cleanups: (() => unknown)[] | undefined;
  #waiters: Waiter[] | undefined;
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

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  onEnd(cleanup: () => unknown): void {
    // What a method that outlived its deadline opens has nobody left to close it later.
    if (this.#ended) this.#attempt(cleanup);
    else (this.#cleanups ??= []).push(cleanup);
  }

  onWait(waiter: Waiter): void {
    (this.#waiters ??= []).push(waiter);
    // A method can ask before it first returns to whoever runs it.
    if (this.#questions > 0) waiter.suspend();
  }

  /** Runs `ask`; in the meantime the deadline stands still and the call's slots serve others. */
  async whileWaiting<T>(ask: () => Promise<T>): Promise<T> {
    // On 2026-07-28 nobody but a task waits: the answer is there, or the round ends.
    if (this.request.era === 'modern' && !this.request.task?.started) return ask();
    if (this.#questions++ === 0) for (const waiter of this.#waiters ?? []) waiter.suspend();
    try {
      return await ask();
    } finally {
      if (--this.#questions === 0) for (const waiter of this.#waiters ?? []) await waiter.resume();
    }
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

  #attempt(cleanup: () => unknown): unknown {
    const failed = (error: unknown) =>
      this.environment.logger.error(
        { err: error, operation: this.operation.name, requestId: this.request.id },
        'A clean-up after a call failed',
      );
    try {
      const running = cleanup();
      return isPromise(running) ? running.then(undefined, failed) : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  #follow(signal: AbortSignal): void {
    const abort = () => this.abort(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    this.onEnd(() => signal.removeEventListener('abort', abort));
  }
}
