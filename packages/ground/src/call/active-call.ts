import { isPromise, type MaybePromise } from '@toolwright/json';
import type { AuditEventType, AuditPrincipal } from '../ports/audit-sink.js';
import type { RequestContext, RunningProgram } from '../base/request-context.js';
import type { CallContext } from './call-context.js';
import type { Environment } from './environment.js';
import { unloggableOf, withoutSecrets } from './hide-sensitive.js';
import type { WorkingCall, ServerStop } from './limits/running-work.js';
import type { BoundOperation, Call, Verdict } from './operation/operation.js';
import type { CallScope } from './operation/draft.js';
import { callerKey } from './operation/keys.js';
import type { StepRecorder } from './operation/call-trace.js';

/**
 * The state of the question that the argument `confirmed` answers. `answered`: this call has used up the question
 * that was open when it arrived. `unclear`: the claim store did not say. `asked`: the answer of this call asks it.
 * `done`: the confirmation counts.
 */
export type QuestionState = 'none' | 'answered' | 'unclear' | 'asked' | 'done';

/**
 * How long preparation that never ends is counted after the deadline of its call, in milliseconds. Counting it for ever
 * would close the operation to its caller.
 */
const FORGOTTEN_MS = 600_000;

/** The part of a result that is cut: the items of an array in its JSON, or the text or bytes of one content block. */
type CutPart = readonly ['items', ...(string | number)[]] | readonly ['text' | 'blob', number];

/** Where the next page of a result begins: at which item, or at which byte. */
export interface NextPage {
  readonly part: CutPart;
  readonly from: number;
}

/** A page that a caller asks for, and the result that it belongs to. */
export interface AskedPage extends NextPage {
  /** The digest of the whole result. */
  readonly digest: string;
  /** Where the result is kept. `undefined`: the tool only reads, and runs again. */
  readonly kept?: string | undefined;
  /** Whether all that follows is asked for, in one piece. */
  readonly isWhole?: true;
}

/** The clock of a call. It stops while the call waits for a person. */
interface CallClock {
  suspend(): void;
  resume(): void;
}

/**
 * Something that a call holds while it works, such as a slot. Others may use it while the call waits for a
 * person.
 */
export interface Holding {
  suspend(): void;
  resume(): MaybePromise<void>;
  /** Called when the work is over. */
  release(): void;
}

/** A running call: `Call`, as middleware sees it, and what the built-in steps share. */
export class ActiveCall<O extends BoundOperation = BoundOperation> implements Call<O> {
  arguments: Record<string, unknown>;
  readonly verdict: Verdict = {};
  /** Whether the call waits for a slot and has not begun to work. */
  isQueued = false;
  /**
   * Set if the operation is audited. It is an object, because a separate function for each call that refers
   * to its call is costly on Node 24: everything that a call has created would survive every minor
   * collection.
   */
  trail?: {
    /** The id of all records of the call. */
    readonly callId: string;
    record(event: AuditEventType, result?: unknown, approver?: AuditPrincipal): MaybePromise<void>;
    beginTask(): MaybePromise<void>;
  };
  /** The state of the question that the argument `confirmed` answers (`@Confirm`). Only declared, as `recorder` is. */
  declare question?: { state: QuestionState };
  /** The part of the result that the argument `cursor` asks for (`@MaxOutput`). Only declared, as `recorder` is. */
  declare page?: AskedPage;
  /** Set while somebody listens to calls. It is only declared, so that other calls have no room for it. */
  declare recorder?: StepRecorder;
  /**
   * Whether the method answered in the protocol's own form. Its structured content may then come from another
   * server.
   */
  gaveResult = false;
  /** Whether the result is for this call alone: it depends on an answer, or has something that is good once. */
  isUnrepeatable = false;
  /** Whether code of the author has begun that may change something: middleware, or the method. */
  hasBegun = false;
  /** Whether the method has returned. Its effects are done then, even if its result cannot be sent. */
  hasRun = false;
  /**
   * Whether code of the author runs that only prepares the call: validators, transforms, the text of a confirmation.
   * It changes nothing, and the method has not begun.
   */
  isPreparing = false;
  /** What the call has done so far, where a package knows it. Only declared, as `recorder` is. */
  declare soFar?: () => string;
  /** The program that the call runs, if it runs one. Only declared, as `recorder` is. */
  declare program?: RunningProgram;
  /** Enters the context in which `around` of the application has begun the call. Only declared, as `recorder` is. */
  declare inside?: <R>(work: () => R) => R;
  #stopWaiting: (() => void) | undefined;
  /** Its place among the running calls. */
  place: WorkingCall['place'];
  /** Created when something is requested that does not live as long as the server. */
  scope?: CallScope;
  #cleanups: (() => unknown)[] | undefined;
  #clock: CallClock | undefined;
  #holdings: Holding[] | undefined;
  /** How many parts of the work run that middleware started and did not wait for. */
  #open = 0;
  #isLeft = false;
  #questions = 0;
  #controller: AbortController | undefined;
  #aborted: { reason: unknown } | undefined;
  #context: CallContext | undefined;
  #ended = false;
  #callerKey: string | undefined;

  constructor(
    readonly operation: O,
    readonly request: RequestContext,
    /** The arguments as the client sent them. */
    readonly given: Readonly<Record<string, unknown>>,
    readonly environment: Environment,
  ) {
    this.arguments = given as Record<string, unknown>;
  }

  /** The client's values, by the names of the operation's arguments. */
  get argumentsByName(): Readonly<Record<string, unknown>> {
    return this.given;
  }

  /** Created when it is first read, because most calls end before that. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#aborted.reason);
      else this.#follow(this.request.signal);
    }
    return this.#controller.signal;
  }

  get context(): CallContext {
    return (this.#context ??= this.environment.contexts.of(this));
  }

  /** The key under which limits and slots count the calls of this caller. */
  get callerKey(): string {
    return (this.#callerKey ??= callerKey(this.request, this.environment.anonymousByIp));
  }

  /**
   * True when the tool has changed something. Its answer must say so, or a model would call it again. A tool that
   * only reads changes nothing.
   */
  get isDone(): boolean {
    const { operation } = this;
    return this.hasRun && operation.kind === 'tool' && operation.annotations.readOnlyHint !== true;
  }

  /** True when this run has to end: a question is open (a program that has failed asks nothing), or it goes on as a task elsewhere. */
  get pending(): boolean {
    const { input } = this.request;
    return (input.pending.size > 0 && this.program?.error === undefined) || input.isHandedOver === true;
  }

  /**
   * Whether the deadline or the caller has ended the call. It is then answered, and nothing new should be
   * started for it.
   */
  get isGivenUp(): boolean {
    return this.#aborted !== undefined;
  }

  /** @throws the reason of the abort, if the call was ended */
  ensureWanted(): void {
    if (this.#aborted) throw this.#aborted.reason;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  onEnd(cleanup: () => unknown): void {
    // A method that runs longer than its deadline may open something. Nobody would close it later, so it is
    // closed now.
    if (this.#ended) this.#attempt(cleanup);
    else (this.#cleanups ??= []).push(cleanup);
  }

  /** Stops and starts `clock` with every question to a person. */
  keepTime(clock: CallClock): void {
    this.#clock = clock;
    // A method can ask before it first returns.
    if (this.#questions > 0) clock.suspend();
  }

  /**
   * Called when the call is given up. If only its preparation has run so far, it gives its slots back at its
   * deadline, because the method will not begin. Otherwise two validators that hang would keep a caller's slots for
   * ever.
   *
   * @param leftMs how much of its time is left
   */
  letGoAfter(leftMs: number): void {
    if (!this.isPreparing) return;
    const { clock, work } = this.environment;
    const letGo = () => {
      if (!this.isPreparing) return;
      this.#giveBack();
      work.hangs(this);
      this.#stopWaiting = clock.after(FORGOTTEN_MS, () => work.leave(this));
    };
    if (leftMs > 0) this.#stopWaiting = clock.after(leftMs, letGo);
    else letGo();
  }

  /** Keeps `holding` until the work is over. */
  hold(holding: Holding): void {
    (this.#holdings ??= []).push(holding);
  }

  /** Makes the call a task, if it can become one. @throws when the task goes on elsewhere: this run is over */
  async startTask(): Promise<void> {
    const { task } = this.request;
    if (task?.isQueued && !task.started) await this.trail?.beginTask();
    await task?.start();
  }

  /** Counts a part of the work that may run longer than its step: a `next()` that nobody awaits. */
  track(part: Promise<unknown>): void {
    this.#open++;
    part.then(
      () => this.#close(),
      (error: unknown) => this.#close({ error }),
    );
  }

  /** Whether the call waits for a person. */
  get isAway(): boolean {
    return this.#questions > 0;
  }

  /** Whether it waits in its request. On 2026-07-28 a round ends in place of that, and a task has its own end. */
  get isHeld(): boolean {
    return this.isAway && this.request.era === 'stateful' && !this.request.task?.started;
  }

  /** Runs `ask`. Meanwhile the deadline does not run, and others may use the call's slots. */
  async whileWaiting<T>(ask: () => Promise<T>): Promise<T> {
    const { era, task } = this.request;
    // On 2026-07-28 only a task waits, and no task waits on a queue. Otherwise the answer is already there, or
    // the run ends.
    if (task?.started ? task.isQueued : era === 'stateless') return ask();
    return this.whileAway(ask);
  }

  /**
   * The same for what a person does elsewhere, in every era.
   *
   * @param ask when the server stops, it ends the round on 2026-07-28 with its question, and another process can go on. A
   *   call of an older revision is stopped: nobody could continue it.
   */
  async whileAway<T>(ask: (stop: ServerStop) => Promise<T>): Promise<T> {
    const { work } = this.environment;
    if (this.#questions++ === 0) {
      this.#clock?.suspend();
      for (const holding of this.#holdings ?? []) holding.suspend();
    }
    try {
      if (work.stop.hasBegun && this.isHeld) await this.#stopWaitingForPeople();
      return await ask(work.stop);
    } finally {
      if (--this.#questions === 0) await this.#resume();
    }
  }

  /** Keeps the result out of caches: something in it, such as a link or a person's answer, is for this call alone. */
  keepNoResult(): void {
    this.isUnrepeatable = true;
  }

  /**
   * Closes what the work opened, and then gives back what it held. Call this when the chain has ended. If a
   * part of the work is still running, this happens when that part ends.
   */
  settle(): MaybePromise<void> {
    if (this.#open > 0) {
      this.#isLeft = true;
      this.environment.work.abandon(this);
      return;
    }
    const closing = this.end();
    return closing ? closing.then(() => this.#release()) : this.#release();
  }

  /** Runs the clean-ups, unless a part of the work is still running: they follow when it ends. */
  endIfIdle(): MaybePromise<void> {
    return this.#open > 0 ? undefined : this.end();
  }

  /** Runs the clean-ups, the last registered first. It is synchronous if all of them are, and never throws. */
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

  #giveBack(): void {
    const holdings = this.#holdings;
    this.#holdings = undefined;
    // In reverse order of taking them.
    for (let index = holdings?.length ?? 0; index-- > 0;) holdings![index]!.release();
  }

  #release(): void {
    this.#giveBack();
    this.#stopWaiting?.();
    if (this.place) this.environment.work.leave(this);
  }

  /** The server stops already. @throws the reason of the abort */
  async #stopWaitingForPeople(): Promise<void> {
    // A call may ask in its first turn, before it is among the running ones.
    await Promise.resolve();
    this.place?.of.race.stop('shutdown');
    this.ensureWanted();
  }

  /**
   * The clock starts first, because waiting for a slot counts. The slots are taken one by one, because
   * otherwise two calls could wait for each other's.
   */
  async #resume(): Promise<void> {
    this.#clock?.resume();
    for (const holding of this.#holdings ?? []) await holding.resume();
  }

  #attempt(cleanup: () => unknown): unknown {
    const failed = (error: unknown) => this.#complain(error, 'A clean-up after a call failed');
    try {
      const running = this.inside ? this.inside(cleanup) : cleanup();
      return isPromise(running) ? running.then(undefined, failed) : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  /** An error without the sensitive arguments that code of the author may have put into it. */
  forLog(error: unknown): unknown {
    return withoutSecrets(error, unloggableOf(this));
  }

  #complain(error: unknown, message: string): void {
    const { environment, operation, request } = this;
    const err = this.forLog(error);
    environment.logger.error({ err, operation: operation.name, requestId: request.id }, message);
  }

  #follow(signal: AbortSignal): void {
    const abort = () => this.abort(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    this.onEnd(() => signal.removeEventListener('abort', abort));
  }
}
