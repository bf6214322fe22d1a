import { type BoundTool, ToolError, type ToolResult } from '@toolwright/core';
import { type ContextCall, type InnerCalls, digest, partyOf } from '@toolwright/core/extend';
import type { Clock } from '@toolwright/core/ports';
import type { SandboxPool, Seat } from '../sandbox/pool.js';
import { ROOM_LIMIT } from '../sandbox/room.js';
import { type AskedCall, type CallError, DEEPEST, type End, type ProgramTurn } from '../sandbox/messages.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { CodeLimits } from '../code-options.js';
import { busy } from './busy.js';
import { type Begun, DivergedError, type Ended, type Journal } from './journal.js';
import { type FailedCall, failureOf, isFailure, isResult, outcomeOf } from './outcomes.js';

/** What programs of a server share. */
export interface ProgramParts {
  readonly pool: SandboxPool;
  readonly limits: CodeLimits;
  readonly calls: InnerCalls;
  readonly clock: Clock;
  /** What is said of a name that no tool of the caller has. */
  unknown(name: string, request: ContextCall['request']): Promise<string>;
  /** Why a tool is not called from a program; `undefined` if it is. */
  refuses(tool: BoundTool): string | undefined;
}

/** What a program is run for, and what it has done in earlier rounds. */
export interface ProgramSubject {
  readonly call: ContextCall;
  readonly code: string;
  readonly journal: Journal;
  /** Is called when one of its calls has ended. */
  progress(ended: number, tool: string): void;
}

/** What a program has come to. `undefined`: it waits for answers of its client. */
export type ProgramOutcome = { readonly result: unknown; readonly logs: readonly string[] } | undefined;

/** The longest pause of a program, in milliseconds. */
const LONGEST_SLEEP = 30_000;

/** How often a program may pause, over all its rounds: its journal has each pause. */
const MOST_SLEEPS = 1_000;

/** What a guard of the package answers a call with whose outcome is recorded. */
export const RECORDED: ToolResult = { content: [] };

/** A program that broke one of its budgets. It cannot catch it. */
class OverBudget extends Error {}

/** One round of one program: what was done in earlier rounds is known from its journal, and not done again. */
export class ProgramRun {
  #seat: Seat | undefined;
  /** What runs now, by the number of the call. None of it rejects. */
  readonly #live = new Map<number, Promise<void>>();
  /** Ends the pauses that run now. */
  readonly #wakes = new Map<number, () => void>();
  /** What a call has failed with that the program may not catch, such as a run that was lost. */
  #lost: { readonly error: unknown } | undefined;
  /** What it has written to its log. */
  readonly logs: string[] = [];
  /** How much longer the program itself may work in this round, in milliseconds. */
  #left: number;
  #replayed = 0;
  #asked = 0;

  constructor(
    private readonly parts: ProgramParts,
    private readonly subject: ProgramSubject,
  ) {
    this.#left = parts.limits.time;
  }

  /**
   * @returns its result; `undefined` when it waits for answers of its client
   * @throws {ToolError} what the program threw, or which limit it broke
   */
  async run(): Promise<ProgramOutcome> {
    const { call } = this.subject;
    // A program whose caller is gone would use up its time otherwise.
    const stop = () => {
      void this.#seat?.sandbox.end();
      this.#wakeAll();
    };
    call.signal.addEventListener('abort', stop, { once: true });
    call.soFar = () => this.#soFar();
    try {
      const end = await this.#untilItEnds();
      return end && this.#finish(end);
    } catch (error) {
      if (error instanceof OverBudget || error instanceof DivergedError) throw this.#failed(error.message);
      throw error;
    } finally {
      this.#wakeAll();
      // A program may end before its calls have. What they do belongs to this call, and is recorded.
      while (this.#live.size > 0) await Promise.race(this.#live.values());
      call.signal.removeEventListener('abort', stop);
      if (this.#seat) this.parts.pool.giveBack(this.#seat);
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wakes.values()) wake();
  }

  /** How many calls of an earlier round were not made again. */
  get replayed(): number {
    return this.#replayed;
  }

  async #untilItEnds(): Promise<End | undefined> {
    let turn = await this.#start();
    for (;;) {
      for (const line of turn.logs) this.logs.push(line);
      const { end } = turn;
      if (end?.kind === 'limit' || end?.kind === 'stuck') return end;
      for (const asked of turn.asked) await this.#begin(asked);
      // A program that forgets an `await` returns before its calls do. The calls that it has begun are still finished.
      const next = await this.#next(end !== undefined);
      if (!next) return end;
      turn = await this.#deliver(next);
    }
  }

  #start(): Promise<ProgramTurn> {
    const { code, journal } = this.subject;
    const { seed, began } = journal.state;
    const start = { code, seed, limits: this.parts.limits };
    return this.#turn(({ room }, ms) => ({ start: { ...start, room: room.counters }, now: began, ms }));
  }

  #deliver({ number, at, value, error }: Ended): Promise<ProgramTurn> {
    const deliver = { number, ...(value !== undefined && { value }), ...(error && { error }) };
    return this.#turn((_seat, ms) => ({ deliver, now: at, ms }));
  }

  /** Programs work by turns. The time of one is what it works, and not what it waits. */
  async #turn(order: (seat: Seat, ms: number) => Parameters<Sandbox['turn']>[0]): Promise<ProgramTurn> {
    const { pool } = this.parts;
    const { signal, callerKey } = this.subject.call;
    const work = () => {
      const seat = (this.#seat ??= pool.take(partyOf(callerKey)));
      if (!seat) throw busy(ROOM_LIMIT, this.#done());
      return seat.sandbox.turn(order(seat, Math.max(1, Math.ceil(this.#left))));
    };
    const turn = await pool.work(callerKey, work, signal);
    signal.throwIfAborted();
    this.#left -= turn.ms;
    return turn;
  }

  /** The next outcome: what an earlier round recorded comes first. `undefined`: all that is open waits for the client. */
  async #next(isOver: boolean): Promise<Ended | undefined> {
    const { call, journal } = this.subject;
    for (;;) {
      const next = journal.next();
      if (next) return next;
      if (this.#lost) throw this.#lost.error;
      // Nobody waits for the pauses of a program that has returned.
      if (this.#live.size === (isOver ? this.#wakes.size : 0)) return undefined;
      await Promise.race(this.#live.values());
      call.signal.throwIfAborted();
    }
  }

  async #begin(asked: AskedCall): Promise<void> {
    this.subject.call.signal.throwIfAborted();
    const { number, sleep } = asked;
    // The interpreter counts them. Anything else would be a way around the journal.
    if (number !== ++this.#asked) throw new OverBudget('The program has confused its interpreter.');
    if (sleep !== undefined) return this.#sleep(number, sleep);
    const { call, journal } = this.subject;
    const name = asked.tool!;
    const tool = await this.parts.calls.find(name, call);
    const begun: Begun = { tool: name, digest: digest(asked.args), ...(tool && { contract: tool.contract }) };
    if (journal.calls >= this.parts.limits.calls && number > journal.state.begun.length)
      throw new OverBudget(
        `A program may make ${this.parts.limits.calls} calls of tools, over all its rounds.`,
      );
    const known = await journal.begin(begun);
    const earlier = journal.earlier(number);
    if (earlier) return this.#mayStill(earlier, tool, asked.args);
    const refusal = tool ? this.#refusalOf(tool, known) : await this.#unknown(name);
    if (refusal || !tool) {
      await this.parts.calls.refuse(name, call, JSON.parse(asked.args) as Record<string, unknown>);
      // One that was lost may have taken effect.
      return this.#end(number, { error: refusal!, ...(!(tool && known) && { isRefused: true }) });
    }
    this.#track(number, this.#callTool(number, tool, asked.args));
  }

  /** What was done is not done again, but who may call may have changed meanwhile. */
  async #mayStill(earlier: Ended, tool: BoundTool | undefined, args: string): Promise<void> {
    const { calls, refuses } = this.parts;
    if (!tool || refuses(tool) !== undefined) {
      if (earlier.value === undefined) return;
      throw new OverBudget('This caller may no longer call a tool that the program has called.');
    }
    this.#replayed++;
    const given = JSON.parse(args) as Record<string, unknown>;
    const result =
      tool.outputSchema && earlier.value !== undefined ? (JSON.parse(earlier.value) as unknown) : undefined;
    const answer = await calls
      .call(this.subject.call, tool, given, { key: String(earlier.number), isRecorded: true, result })
      .catch((error: unknown) => failureOf(error));
    if (answer === RECORDED) return;
    // It was refused in the earlier round, too.
    const { error } = isResult(answer)
      ? outcomeOf(answer, { tool: tool.name, most: Infinity })
      : (answer as FailedCall);
    if (error && error.message === earlier.error?.message) return;
    throw new OverBudget(`This caller may no longer call "${tool.name}".`);
  }

  /** What a client gets that calls such a name. */
  async #unknown(name: string): Promise<CallError> {
    const message = await this.parts.unknown(name, this.subject.call.request);
    return { message, code: 'TW_UNKNOWN_NAME' };
  }

  #refusalOf(tool: BoundTool, known: Begun | undefined): CallError | undefined {
    const message = this.parts.refuses(tool);
    if (message !== undefined) return { message, code: 'TW_PROGRAM_REFUSED' };
    const { readOnlyHint, idempotentHint } = tool.annotations;
    if (known && !known.asked && !readOnlyHint && !idempotentHint)
      return {
        message: `"${tool.name}" was called in an earlier round, and nobody knows whether it took effect. Look before you call it again.`,
        code: 'TW_PROGRAM_LOST',
      };
    return undefined;
  }

  async #callTool(number: number, tool: BoundTool, args: string): Promise<void> {
    const { calls, limits } = this.parts;
    const { call, journal, progress } = this.subject;
    let failed: readonly [code?: string, hasBegun?: boolean] = [];
    const onFailed = (...failure: typeof failed) => void (failed = failure);
    const outcome = await calls
      .call(call, tool, JSON.parse(args) as Record<string, unknown>, { key: String(number), onFailed })
      .catch((error: unknown) => failureOf(error, failed[0]));
    const [code, hasBegun] = failed;
    const refused = hasBegun === false && { isRefused: true };
    if (isFailure(outcome)) return this.#end(number, { ...outcome, ...refused });
    if (!isResult(outcome)) return journal.ask(number);
    const ended = { ...outcomeOf(outcome, { tool: tool.name, most: limits.result, code }), ...refused };
    // The server keeps the result of each call as long as the program lives.
    if (!this.#seat!.room.take(ended.value?.length ?? 0)) throw busy(ROOM_LIMIT, this.#done());
    await this.#end(number, ended);
    progress(journal.state.ended.length, tool.name);
  }

  async #sleep(number: number, ms: number): Promise<void> {
    const { journal } = this.subject;
    if (ms > LONGEST_SLEEP) throw new OverBudget(`A program may sleep ${LONGEST_SLEEP} ms at a time.`);
    const known = await journal.begin({ digest: String(ms) });
    if (!known && journal.state.begun.length - journal.calls > MOST_SLEEPS)
      throw new OverBudget(`A program may sleep ${MOST_SLEEPS} times.`);
    if (journal.earlier(number)) return;
    const over = new Promise<void>((resolve) => {
      const cancel = this.parts.clock.after(ms, resolve);
      this.#wakes.set(number, () => {
        cancel();
        resolve();
      });
    });
    this.#track(
      number,
      over.then(() => {
        this.#wakes.delete(number);
        return this.#end(number, {});
      }),
    );
  }

  #track(number: number, running: Promise<void>): void {
    const over = running
      .catch((error: unknown) => void (this.#lost ??= { error }))
      .then(() => void this.#live.delete(number));
    this.#live.set(number, over);
  }

  #end(number: number, outcome: Omit<Ended, 'at' | 'number'>): Promise<void> {
    return this.subject.journal.end({ number, ...outcome }, this.parts.clock.now());
  }

  #finish(end: End): ProgramOutcome {
    if (this.subject.call.request.input.pending.size > 0) return undefined;
    if (end.kind === 'result') {
      this.logs.push(...end.notes);
      this.subject.call.program!.result = end.json;
      return { result: JSON.parse(end.json) as unknown, logs: this.logs };
    }
    if (end.kind === 'error')
      throw this.#failed(end.line === undefined ? end.message : `${end.message} (line ${end.line})`);
    if (end.kind === 'stuck') throw this.#failed('The program waits for something that never comes.');
    throw this.#failed(this.#limitText(end.limit));
  }

  #limitText(limit: Extract<End, { kind: 'limit' }>['limit']): string {
    const { time, memory, result, logs } = this.parts.limits;
    if (limit === 'time') return `A program may work ${time} ms in a round.`;
    if (limit === 'memory') return `A program may use ${memory} bytes of memory.`;
    if (limit === 'room') return `${ROOM_LIMIT}.`;
    if (limit === 'nesting')
      return `The result of a program, and the arguments of a call, may be nested ${DEEPEST} levels deep.`;
    if (limit === 'logs') return `A program may write ${logs} bytes to its log.`;
    return `The result of a program, and the arguments of a call, may have ${result} bytes.`;
  }

  #failed(message: string): ToolError {
    return new ToolError(message + this.#done());
  }

  /** What its caller reads after the words of a failure, if it has called tools. */
  #done(): string {
    return this.subject.journal.called.length === 0 ? '' : `\n${this.#soFar()}`;
  }

  /** What a program did stays done, so its caller must know of it. */
  #soFar(): string {
    const { called } = this.subject.journal;
    if (called.length === 0) return 'It had called no tool. It is safe to try again.';
    return `It had called: ${called.join(', ')}. Look what they did before you run it again.`;
  }
}
