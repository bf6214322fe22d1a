import type { ToolResult } from '@toolwright/core';
import { writeJson } from '@toolwright/core/transport';
import type { CallError } from '../sandbox/messages.js';

/**
 * What a program gets from a tool, as JSON: the structured result where there is one; else the text, if there is exactly one;
 * else the list of contents.
 */
export function valueOf({ structuredContent, content }: ToolResult): string {
  if (structuredContent !== undefined) return writeJson(structuredContent);
  const [first, ...others] = content;
  return writeJson(first?.type === 'text' && others.length === 0 ? first.text : content);
}

/** What a program gets as the error of a tool that failed. */
export function errorOf({ content, _meta }: ToolResult, code: string | undefined): CallError {
  const message = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const { retryAfterMs } = (_meta ?? {}) as { retryAfterMs?: unknown };
  return {
    message,
    ...(code !== undefined && { code }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  };
}
