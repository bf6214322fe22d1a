import type { ContentBlock, ToolResult } from '@toolwright/core';
import type { Terminal } from '../terminal/terminal.js';
import { visibleJson } from '../terminal/visible-text.js';
import { formatValue } from './format-value.js';

/**
 * What a call gave: texts as they are, and a line for everything that is no text. Structured content is a table on a
 * screen, and JSON for whatever reads it elsewhere, unless it is a text.
 */
export function formatResult(
  { content, structuredContent }: ToolResult,
  terminal: Pick<Terminal, 'colours' | 'columns'>,
): string[] {
  if (structuredContent === undefined || isText(structuredContent, content)) return content.map(formatBlock);
  if (terminal.columns === undefined) return [visibleJson(structuredContent)];
  const said = content.filter((block) => !isSame(block, structuredContent));
  return [...said.map(formatBlock), ...formatValue(structuredContent, terminal)];
}

function formatBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
    case 'resource':
      return block.resource.text ?? `[${block.resource.uri}, ${block.resource.mimeType ?? 'binary'}]`;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`;
  }
}

/** Most servers repeat structured content as text, for clients that read nothing else (server/tools, structured content). */
function isSame(block: ContentBlock, structured: unknown): boolean {
  if (block.type !== 'text') return false;
  try {
    return JSON.stringify(JSON.parse(block.text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

/** A tool that gives a text: it is the structured content, or its only member where that has to be an object. */
function isText(structured: unknown, content: readonly ContentBlock[]): boolean {
  const [block, ...more] = content;
  if (block?.type !== 'text' || more.length > 0) return false;
  if (typeof structured !== 'object' || structured === null) return structured === block.text;
  const members = Object.values(structured);
  return members.length === 1 && members[0] === block.text;
}
