import {
  Inject,
  type integer,
  McpService,
  McpTool,
  RateLimit,
  type StepAttempt,
  ToolContext,
} from '@toolwright/core';
import { setTimeout as wait } from 'node:timers/promises';
import { Database } from '../database.js';
import { INSTANCE } from './identity-tools.js';

export interface JobDone {
  /** The process that finished the job. */
  instance: string;
  steps: integer;
}

export interface Name {
  /** What to call you. */
  name: string;
}

/** Tasks: their work is handed out by the queue in PostgreSQL, and any worker does it. */
@McpService()
export class JobTools {
  constructor(
    private readonly database: Database,
    @Inject(INSTANCE) private readonly instance: string,
  ) {}

  /**
   * Do a job of several steps, each with an effect in the database. When its worker dies, another one continues behind
   * the last finished step.
   * @param job names the job in the database
   * @param steps how many steps it has
   * @param ms how long a step takes, in milliseconds
   */
  @McpTool({
    name: 'do_job',
    annotations: { destructiveHint: false, openWorldHint: false },
    task: { mode: 'required', rerun: true },
  })
  @RateLimit(false)
  async doJob(
    /** @minLength 1 @maxLength 200 */ job: string,
    /** @minimum 1 @maximum 1000 */ steps: integer,
    /** @minimum 0 @maximum 60000 */ ms: integer,
    ctx: ToolContext,
  ): Promise<JobDone> {
    for (let step = 1; step <= steps; step++) {
      const record = async ({ attempted }: StepAttempt) => {
        await this.database.recordEffect({ job, step, attempted, instance: this.instance });
        return step;
      };
      await ctx.once(`step ${step}`, record, { rerun: true });
      ctx.progress(step, steps);
      await wait(ms, undefined, { signal: ctx.signal });
    }
    return { instance: this.instance, steps };
  }

  /**
   * Do something that must not be done twice. When its worker dies, the task fails and says what is not known.
   * @param job names the effect in the database
   * @param ms how long it takes, in milliseconds
   */
  @McpTool({
    name: 'do_once',
    annotations: { destructiveHint: false, openWorldHint: false },
    task: 'required',
  })
  @RateLimit(false)
  async doOnce(
    /** @minLength 1 @maxLength 200 */ job: string,
    /** @minimum 0 @maximum 60000 */ ms: integer,
    ctx: ToolContext,
  ): Promise<JobDone> {
    await this.database.recordEffect({ job, step: 1, attempted: false, instance: this.instance });
    ctx.progress(1, 2, 'charged');
    await wait(ms, undefined, { signal: ctx.signal });
    return { instance: this.instance, steps: 1 };
  }

  /** Say when this began to run, in milliseconds since the epoch. */
  @McpTool({ name: 'began_at', annotations: { readOnlyHint: true, openWorldHint: false }, task: 'required' })
  @RateLimit(false)
  beganAt(): number {
    return Date.now();
  }

  /** Ask for a name as a task, and greet. No worker waits for the answer. */
  @McpTool({ name: 'ask_later', annotations: { readOnlyHint: true, openWorldHint: false }, task: 'required' })
  @RateLimit(false)
  async askLater(ctx: ToolContext): Promise<string> {
    const { action, content } = await ctx.elicit<Name>('your name', { message: 'What is your name?' });
    return action === 'accept' ? `Hello, ${content!.name}!` : 'Hello, whoever you are!';
  }
}
