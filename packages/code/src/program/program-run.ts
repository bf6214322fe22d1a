import { type BoundTool, ProtocolError, type ToolResult, ToolError } from '@toolwright/core';
import { type ContextCall, type InnerCalls, digest } from '@toolwright/core/extend';
import type { SandboxPool } from '../sandbox/pool.js';
import type { Asked, CallError, End, Turn } from '../sandbox/messages.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { CodeLimits } from '../code-options.js';
import { type Begun, DivergedError, type Ended, type Journal } from './journal.js';
import { errorOf, valueOf } from './values.js';

/** What programs of a server share. */
export interface ProgramParts {
  readonly pool: SandboxPool;
  readonly limits: CodeLimits;
  readonly calls: InnerCalls;
  readonly now: () => number;
  /** Why a tool is not called from a program; `undefined` if it is. */
  refuses(tool: BoundTool): string | undefined;
}

/** What a program has come to. `undefined`: it waits for answers of its client. */
export type ProgramOutcome = { readonly result: unknown; readonly logs: readonly string[] } | undefined;

/** The longest pause of a program, in milliseconds. */
const LONGEST_SLEEP = 30_000;

/** What a guard of the package answers a call with whose outcome is recorded. */
export const RECORDED: ToolResult = { content: [] };

/** A program that broke one of its budgets. It cannot catch it. */
class OverBudget extends Error {}

/** One round of one program: what was done in earlier rounds is told from its journal, and not done again. */
export class ProgramRun {
  #sandbox: Sandbox | undefined;
  /** What runs now, by the number of the call. */
  readonly #live = new Map<number, Promise<void>>();
  /** What has ended and was not told to the program. */
  readonly #arrived: Ended[] = [];
  readonly #logs: string[] = [];
  /** How much longer the program itself may work in this round, in milliseconds. */
  #left: number;
  #replayed = 0;
  #asked = 0;

  constructor(
    private readonly parts: ProgramParts,
    private readonly call: ContextCall,
    private readonly code: string,
    private readonly journal: Journal,
  ) {
    this.#left = parts.limits.time;
  }

  /**
   * @returns its result; `undefined` when it waits for answers of its client
   * @throws {ToolError} what the program threw, or which limit it broke
   */
  async run(): Promise<ProgramOutcome> {
    try {
      const end = await this.#untilItEnds();
      // A program may return before its calls have. What they do belongs to this call.
      await this.#settled();
      return end && this.#finish(end);
    } catch (error) {
      if (error instanceof OverBudget || error instanceof DivergedError) throw this.#failed(error.message);
      throw error;
    } finally {
      if (this.#sandbox) this.parts.pool.giveBack(this.#sandbox);
    }
  }

  /** How many calls of an earlier round were not made again. */
  get replayed(): number {
    return this.#replayed;
  }

  async #untilItEnds(): Promise<End | undefined> {
    let turn = await this.#start();
    for (;;) {
      this.#logs.push(...turn.logs);
      if (turn.end) return turn.end;
      for (const asked of turn.asked) await this.#begin(asked);
      const next = await this.#next();
      if (!next) return undefined;
      turn = await this.#deliver(next);
    }
  }

  #start(): Promise<Turn> {
    const { limits } = this.parts;
    const { seed, began } = this.journal.state;
    const start = { code: this.code, seed, limits };
    return this.#turn((ms) => ({ start, now: began, ms }));
  }

  #deliver({ number, at, value, error }: Ended): Promise<Turn> {
    const deliver = { number, ...(value !== undefined && { value }), ...(error && { error }) };
    return this.#turn((ms) => ({ deliver, now: at, ms }));
  }

  /** Programs work by turns. The time of one is what it works, and not what it waits. */
  async #turn(order: (ms: number) => Parameters<Sandbox['turn']>[0]): Promise<Turn> {
    const { pool } = this.parts;
    const turn = await pool.work(() => {
      this.#sandbox ??= pool.take();
      return this.#sandbox.turn(order(Math.max(1, Math.ceil(this.#left))));
    }, this.call.signal);
    this.#left -= turn.ms;
    return turn;
  }

  /** The next outcome: what an earlier round recorded comes first. `undefined`: all that is open waits for the client. */
  async #next(): Promise<Ended | undefined> {
    const recorded = this.journal.nextRecorded();
    if (recorded) return recorded;
    while (this.#arrived.length === 0) {
      if (this.#live.size === 0) return undefined;
      await Promise.race(this.#live.values());
      this.call.signal.throwIfAborted();
    }
    const next = this.#arrived.shift()!;
    this.journal.end(next);
    return next;
  }

  async #begin(asked: Asked): Promise<void> {
    const { number, sleep } = asked;
    // The interpreter counts them. Anything else would be a way around the journal.
    if (number !== ++this.#asked) throw new OverBudget('The program has confused its interpreter.');
    if (sleep !== undefined) return this.#sleep(number, sleep);
    const name = asked.tool!;
    const tool = await this.parts.calls.find(name, this.call.request);
    const begun: Begun = { tool: name, digest: digest(asked.args), ...(tool && { contract: tool.contract }) };
    const known = this.journal.begin(begun);
    if (this.journal.calls > this.parts.limits.calls)
      throw new OverBudget(`A program may make ${this.parts.limits.calls} calls of tools, over all its rounds.`);
    if (this.journal.hasEnded(number)) return this.#mayStill(number, tool, asked.args);
    const refusal = this.#refusalOf(name, tool, known);
    if (refusal !== undefined || !tool) return this.#arrive(number, { error: { message: refusal! } });
    this.#track(number, this.#callTool(number, tool, asked.args));
  }

  /** What was done is not done again, but who may call may have changed meanwhile. */
  async #mayStill(number: number, tool: BoundTool | undefined, args: string): Promise<void> {
    if (!tool || this.parts.refuses(tool) !== undefined) return;
    this.#replayed++;
    const { calls } = this.parts;
    const given = JSON.parse(args) as Record<string, unknown>;
    const answer = await calls
      .call(this.call, tool, given, { key: String(number), isRecorded: true })
      .catch((error: unknown) => failureOf(error));
    if (answer !== RECORDED) throw new OverBudget(`This caller may no longer call "${tool.name}".`);
  }

  #refusalOf(name: string, tool: BoundTool | undefined, known: Begun | undefined): string | undefined {
    if (!tool) return `Unknown tool: "${name}". Find the name with search_tools.`;
    const refusal = this.parts.refuses(tool);
    if (refusal !== undefined) return refusal;
    const { readOnlyHint, idempotentHint } = tool.annotations;
    if (known && !known.asked && !readOnlyHint && !idempotentHint)
      return `"${name}" was called in an earlier round, and nobody knows whether it took effect. Look before you call it again.`;
    return undefined;
  }

  async #callTool(number: number, tool: BoundTool, args: string): Promise<void> {
    const { calls, limits } = this.parts;
    const outcome = await calls
      .call(this.call, tool, JSON.parse(args) as Record<string, unknown>, { key: String(number) })
      .catch((error: unknown) => failureOf(error));
    if (isFailure(outcome)) return this.#arrive(number, outcome);
    if (!isResult(outcome)) {
      this.journal.state.begun[number - 1]!.asked = true;
      return;
    }
    if (outcome.isError) return this.#arrive(number, { error: errorOf(outcome) });
    const value = valueOf(outcome);
    const bytes = Buffer.byteLength(value);
    if (bytes <= limits.result) return this.#arrive(number, { value });
    const message = `The result of "${tool.name}" has ${bytes} bytes, and a program may get ${limits.result}. Ask the tool for less.`;
    this.#arrive(number, { error: { message, code: 'TW_RESULT_TOO_LARGE' } });
  }

  #sleep(number: number, ms: number): void {
    if (ms > LONGEST_SLEEP) throw new OverBudget(`A program may sleep ${LONGEST_SLEEP} ms at a time.`);
    this.journal.begin({ digest: String(ms) });
    if (this.journal.hasEnded(number)) return;
    const { signal } = this.call;
    const over = new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
    this.#track(
      number,
      over.then(() => this.#arrive(number, {})),
    );
  }

  #track(number: number, running: Promise<void>): void {
    this.#live.set(
      number,
      running.finally(() => this.#live.delete(number)),
    );
  }

  #arrive(number: number, outcome: { readonly value?: string; readonly error?: CallError }): void {
    this.#arrived.push({ number, at: this.parts.now(), ...outcome });
  }

  /** Waits for what runs, and records it. */
  async #settled(): Promise<void> {
    while (this.#live.size > 0) await Promise.race(this.#live.values());
    for (const ended of this.#arrived.splice(0)) this.journal.end(ended);
  }

  #finish(end: End): ProgramOutcome {
    if (this.call.request.input.pending.size > 0) return undefined;
    if (end.kind === 'result') return { result: JSON.parse(end.json) as unknown, logs: this.#logs };
    if (end.kind === 'error')
      throw this.#failed(end.line === undefined ? end.message : `${end.message} (line ${end.line})`);
    if (end.kind === 'stuck') throw this.#failed('The program waits for something that never comes.');
    throw this.#failed(this.#limitText(end.limit));
  }

  #limitText(limit: Extract<End, { kind: 'limit' }>['limit']): string {
    const { time, memory, result, logs } = this.parts.limits;
    if (limit === 'time') return `A program may work ${time} ms in a round.`;
    if (limit === 'memory') return `A program may use ${memory} bytes of memory.`;
    if (limit === 'logs') return `A program may write ${logs} bytes to its log.`;
    return `The result of a program, and the arguments of a call, may have ${result} bytes.`;
  }

  /** What a program did stays done, so its caller must know of it. */
  #failed(message: string): ToolError {
    const made = this.journal.state.begun.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
    const calls = made.length === 0 ? '' : `\nIt had called: ${made.join(', ')}.`;
    return new ToolError(`${message}${calls}`);
  }
}

interface Failure {
  readonly error: CallError;
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof ProtocolError)) throw error;
  const { message, rpcCode, data } = error;
  const { retryAfterMs } = (data ?? {}) as { retryAfterMs?: unknown };
  return { error: { message, code: String(rpcCode), ...(typeof retryAfterMs === 'number' && { retryAfterMs }) } };
}

const isFailure = (outcome: object): outcome is Failure => 'error' in outcome;
const isResult = (outcome: object): outcome is ToolResult => 'content' in outcome;
