import { ToolError } from '@toolwright/core';
import type { ContextCall, ExtensionHost } from '@toolwright/core/extend';
import { hash, randomInt } from 'node:crypto';
import { busy } from './busy.js';
import { Journal } from './journal.js';
import { Journals } from './journals.js';
import { type ProgramOutcome, type ProgramParts, ProgramRun, type ProgramSubject } from './program-run.js';

/** Runs the programs of a server. */
export class Programs {
  readonly #journals: Journals;
  /** How many programs of each caller run or wait, by the key of the caller. */
  readonly #running = new Map<string, number>();

  constructor(
    private readonly parts: ProgramParts,
    private readonly host: ExtensionHost,
  ) {
    this.#journals = new Journals(host);
  }

  /**
   * Runs one round of a program.
   *
   * @throws {ToolError} what the program threw, which limit it broke, or why it does not begin
   */
  async run(call: ContextCall, code: string, progress: ProgramSubject['progress']): Promise<ProgramOutcome> {
    call.program = { digest: hash('sha256', code, 'hex'), code, secrets: new Set() };
    this.#enter(call.callerKey);
    try {
      return await this.#runRound(call, code, progress);
    } finally {
      this.#leave(call.callerKey);
    }
  }

  async #runRound(
    call: ContextCall,
    code: string,
    progress: ProgramSubject['progress'],
  ): Promise<ProgramOutcome> {
    const { principal } = call.request;
    const journal = await this.#journalOf(call);
    const program = new ProgramRun(this.parts, { call, code, journal, progress });
    const seen = call.program!;
    try {
      const outcome = await program.run();
      if (!outcome) await this.#journals.keep(call, journal);
      return outcome;
    } catch (error) {
      if (error instanceof ToolError) seen.error = error.message;
      throw error;
    } finally {
      if (program.logs.length > 0) seen.log = program.logs.join('\n');
      if (program.replayed > 0)
        this.host.record({
          operation: 'program',
          name: call.operation.name,
          outcome: 'replayed',
          principal,
          fields: { calls: program.replayed, program: call.program!.digest },
        });
    }
  }

  async #journalOf(call: ContextCall): Promise<Journal> {
    const { input } = call.request;
    const begin = () => Journal.begin(randomInt(2 ** 32), this.host.clock.now());
    if (!input.step) return (await this.#journals.find(call)) ?? begin();
    const { recall } = input;
    return Journal.ofSteps({ recall: recall.bind(input), step: input.step.bind(input) }, begin().state);
  }

  /** A program holds no slot while it waits, so programs that wait are counted here. */
  #enter(caller: string): void {
    const running = this.#running.get(caller) ?? 0;
    if (running >= this.host.callsAtATime) throw busy('Too many of your programs run or wait already');
    this.#running.set(caller, running + 1);
  }

  #leave(caller: string): void {
    const left = this.#running.get(caller)! - 1;
    if (left > 0) this.#running.set(caller, left);
    else this.#running.delete(caller);
  }
}
