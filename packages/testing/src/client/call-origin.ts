import type { ToolResult } from '@toolwright/core';
import type { McpClient } from './mcp-client.js';

interface CallOrigin {
  client: McpClient;
  tool: string;
}

/** Which call a result came from, so that a matcher can find the tool's schema. Beside the result, not in it. */
const origins = new WeakMap<ToolResult, CallOrigin>();

export function rememberCall(result: ToolResult, client: McpClient, tool: string): ToolResult {
  origins.set(result, { client, tool });
  return result;
}

export function originOf(result: unknown): CallOrigin | undefined {
  return typeof result === 'object' && result !== null ? origins.get(result as ToolResult) : undefined;
}
