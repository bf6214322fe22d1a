import type { ToolResult } from '@toolwright/core';
import type { JsonSchema } from '@toolwright/manifest';

/** A call that was made: its client and its tool. */
export interface CallOrigin {
  client: { tools(): Promise<{ name: string; outputSchema?: JsonSchema }[]> };
  tool: string;
}

/**
 * The call that each result came from, so that a matcher can find the tool's schema. It is kept beside the
 * result, not in it.
 */
const origins = new WeakMap<ToolResult, CallOrigin>();

export function rememberCall(result: ToolResult, origin: CallOrigin): ToolResult {
  origins.set(result, origin);
  return result;
}

/**
 * The call that a result came from. `undefined` for a value that no client of this process returned. Matchers
 * use it.
 */
export function originOf(result: unknown): CallOrigin | undefined {
  return typeof result === 'object' && result !== null ? origins.get(result as ToolResult) : undefined;
}
