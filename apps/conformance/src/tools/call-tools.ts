import { setTimeout } from 'node:timers/promises';
import { McpService, McpTool, ToolContext, ToolError } from '@toolwright/core';
import { pause } from '../pause.js';

/** Tools that log, report progress or fail while they run. */
@McpService()
export class CallTools {
  /** Logs three messages. */
  @McpTool({ name: 'test_tool_with_logging', annotations: { readOnlyHint: true, openWorldHint: false } })
  async withLogging(ctx: ToolContext): Promise<string> {
    ctx.log.info('Tool execution started');
    await pause(ctx.signal);
    ctx.log.info('Tool processing data');
    await pause(ctx.signal);
    ctx.log.info('Tool execution completed');
    return 'Logged three messages.';
  }

  /** Logs a message of each kind that the caller wants to see. */
  @McpTool({ name: 'test_logging_tool', annotations: { readOnlyHint: true, openWorldHint: false } })
  logging(ctx: ToolContext): string {
    ctx.log.debug('A detail');
    ctx.log.info('Something happened');
    ctx.log.error('Something went wrong');
    return 'Logged three messages.';
  }

  /** Reports progress in three steps. */
  @McpTool({ name: 'test_tool_with_progress', annotations: { readOnlyHint: true, openWorldHint: false } })
  async withProgress(ctx: ToolContext): Promise<string> {
    ctx.progress(0, 100, 'started');
    await pause(ctx.signal);
    ctx.progress(50, 100, 'half way');
    await pause(ctx.signal);
    ctx.progress(100, 100, 'done');
    return 'Reported three steps.';
  }

  /** Takes so long that a client of 2025-11-25 has to reconnect for the result. */
  @McpTool({ name: 'test_reconnection', annotations: { readOnlyHint: true, openWorldHint: false } })
  async reconnection(ctx: ToolContext): Promise<string> {
    await setTimeout(3500, undefined, { signal: ctx.signal });
    return 'Reconnection test completed.';
  }

  /** Always fails with a message for the model. */
  @McpTool({ name: 'test_error_handling', annotations: { readOnlyHint: true, openWorldHint: false } })
  errorHandling(): string {
    throw new ToolError('This tool intentionally returns an error for testing');
  }

  /** Always fails with an internal error. */
  @McpTool({ annotations: { readOnlyHint: true, openWorldHint: false } })
  fail(): void {
    throw new Error('secret-canary: internal detail');
  }
}
