import { Inject, type integer, McpService, McpTool, RateLimit, ToolContext } from '@toolwright/core';
import { setTimeout as wait } from 'node:timers/promises';
import { INSTANCE } from './identity-tools.js';

export interface Counted {
  /** The replica that counted. */
  instance: string;
  steps: integer;
}

export interface Name {
  /** What to call you. */
  name: string;
}

/** Calls that take a while: they report progress, or wait for an answer of the user. */
@McpService()
export class LongTools {
  constructor(@Inject(INSTANCE) private readonly instance: string) {}

  /**
   * Count up to a number. Reports progress, and logs each step.
   * @param steps how far to count
   * @param ms how long a step takes, in milliseconds
   */
  @McpTool({ name: 'count_slowly', annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit(false)
  async countSlowly(
    /** @minimum 1 @maximum 10000 */ steps: integer,
    /** @minimum 0 @maximum 60000 */ ms: integer,
    ctx: ToolContext,
  ): Promise<Counted> {
    for (let step = 1; step <= steps; step++) {
      await wait(ms, undefined, { signal: ctx.signal });
      // A client gets at most ten progress reports a second, but every line of the log.
      ctx.progress(step, steps);
      ctx.log.info({ step });
    }
    return { instance: this.instance, steps };
  }

  /** Ask for a name, and greet. */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit(false)
  async ask(ctx: ToolContext): Promise<string> {
    const { action, content } = await ctx.elicit<Name>('name', { message: 'What is your name?' });
    return action === 'accept' ? `Hello, ${content!.name}!` : 'Hello, whoever you are!';
  }
}
