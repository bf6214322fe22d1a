import type { ToolResult } from '@toolwright/core';
import type { Terminal } from '../terminal/terminal.js';
import { formatValue } from './format-value.js';

/**
 * What a call gave: texts as they are, and a line for everything that is no text. Structured content is a table on a
 * screen, and JSON for whatever reads it elsewhere.
 */
export function formatResult(
  { content, structuredContent }: ToolResult,
  terminal: Pick<Terminal, 'colours' | 'columns'>,
): string[] {
  // The text block beside structured content says the same in one line (server/tools, structuredContent).
  if (structuredContent !== undefined)
    return terminal.columns === undefined
      ? [JSON.stringify(structuredContent, null, 2)]
      : formatValue(structuredContent, terminal);
  return content.map((block) => {
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
  });
}
