import type { ToolResult } from '@toolwright/core';
import type { JsonSchema } from '@toolwright/manifest';

/** A call that was made: by which client, of which tool. */
export interface CallOrigin {
  client: { tools(): Promise<{ name: string; outputSchema?: JsonSchema }[]> };
  tool: string;
}

/** Which call a result came from, so that a matcher can find the tool's schema. Beside the result, not in it. */
const origins = new WeakMap<ToolResult, CallOrigin>();

export function rememberCall(result: ToolResult, origin: CallOrigin): ToolResult {
  origins.set(result, origin);
  return result;
}

/** The call that a result came from; undefined for a value that no client of this process gave out. For matchers. */
export function originOf(result: unknown): CallOrigin | undefined {
  return typeof result === 'object' && result !== null ? origins.get(result as ToolResult) : undefined;
}
