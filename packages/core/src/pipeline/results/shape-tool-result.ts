import type { Revival } from '@toolwright/manifest';
import type { ContentBlock, ToolResult } from '../../messages/content.js';
import { toJson } from '../values/to-json.js';
import { isContentBlock, isMarkedContent } from './content.js';

/** What shaping needs to know of the tool. */
export interface ToolShape {
  readonly hasOutputSchema: boolean;
  readonly revival: Revival | undefined;
}

/**
 * Turns what a method returned into a tool result: content passes through, a value becomes text, and structured
 * content as well when the tool has an output schema (server/tools, structured content).
 *
 * @throws {NotJsonError}
 */
export function shapeToolResult(value: unknown, { hasOutputSchema, revival }: ToolShape): ToolResult {
  const blocks = asContent(value, hasOutputSchema);
  if (blocks) return { content: blocks };
  if (!hasOutputSchema && isToolResult(value)) return value;
  const json = toJson(value, revival);
  if (hasOutputSchema) return { content: [{ type: 'text', text: textOf(json) }], structuredContent: json };
  return { content: json === undefined ? [] : [{ type: 'text', text: textOf(json) }] };
}

/** The text block that goes with a value: strings as they are, everything else as JSON. */
export function textOf(json: unknown): string {
  return typeof json === 'string' ? json : (JSON.stringify(json) ?? '');
}

/** Without an output schema blocks need no mark: nothing else says that they were meant as data. */
function asContent(value: unknown, hasOutputSchema: boolean): ContentBlock[] | undefined {
  const isBlock = hasOutputSchema ? isMarkedContent : isContentBlock;
  if (isBlock(value)) return [value];
  if (!Array.isArray(value) || !value.some(isBlock)) return undefined;
  return value.map((item): ContentBlock =>
    isBlock(item) ? item : { type: 'text', text: textOf(toJson(item)) },
  );
}

function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false;
  const { content } = value as { content?: unknown };
  return Array.isArray(content) && content.every(isContentBlock);
}
