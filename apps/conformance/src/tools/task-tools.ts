import { setTimeout } from 'node:timers/promises';
import { McpService, McpTool, ProtocolError, ToolContext, ToolError, type integer } from '@toolwright/core';

const form = (properties: Record<string, { type: string }>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const annotations = { readOnlyHint: false, destructiveHint: false };

/** Tools whose calls become tasks, and one whose never do. */
@McpService()
export class TaskTools {
  /** Greets at once. */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  greet(name: string): string {
    return `Hello, ${name}!`;
  }

  /** Computes for some seconds. */
  @McpTool({ name: 'slow_compute', annotations, task: 'optional' })
  async slowCompute(seconds: integer, label: string, ctx: ToolContext): Promise<string> {
    await setTimeout(seconds * 1000, undefined, { signal: ctx.signal });
    return `Computed ${label} for ${seconds} s.`;
  }

  /** Fails after a second, in a way that the model is told of. */
  @McpTool({ name: 'failing_job', annotations, task: 'required' })
  async failingJob(ctx: ToolContext): Promise<string> {
    await setTimeout(1000, undefined, { signal: ctx.signal });
    throw new ToolError('This job always fails.');
  }

  /** Fails with an error of the protocol. */
  @McpTool({ name: 'protocol_error_job', annotations, task: 'required' })
  async protocolErrorJob(ctx: ToolContext): Promise<string> {
    await setTimeout(50, undefined, { signal: ctx.signal });
    throw new ProtocolError(-32603, 'This job always breaks.');
  }

  /** Deletes a file that does not exist, after a confirmation. */
  @McpTool({ name: 'confirm_delete', annotations, task: 'required' })
  async confirmDelete(filename: string, ctx: ToolContext): Promise<string> {
    const { content } = await ctx.elicit<{ confirm: boolean }>('confirm', {
      message: `Delete ${filename}?`,
      schema: form({ confirm: { type: 'boolean' } }),
    });
    return content?.confirm ? `Deleted ${filename}.` : `Kept ${filename}.`;
  }

  /** Asks two questions at once. */
  @McpTool({ name: 'multi_input', annotations, task: 'required' })
  async multiInput(ctx: ToolContext): Promise<string> {
    const [first, second] = await Promise.all(
      ['first', 'second'].map((key) =>
        ctx.elicit<{ name: string }>(key, {
          message: `The ${key} name?`,
          schema: form({ name: { type: 'string' } }),
        }),
      ),
    );
    return `${first?.content?.name} and ${second?.content?.name}`;
  }

  /** Asks for a name first, and greets in a task. */
  @McpTool({ name: 'test_tool_with_task', annotations, task: { mode: 'required', start: 'explicit' } })
  async withTask(ctx: ToolContext): Promise<string> {
    const { content } = await ctx.elicit<{ name: string }>('user_name', {
      message: 'What is your name?',
      schema: form({ name: { type: 'string' } }),
    });
    await ctx.startTask();
    await setTimeout(50, undefined, { signal: ctx.signal });
    return `Hello, ${content?.name}!`;
  }
}
