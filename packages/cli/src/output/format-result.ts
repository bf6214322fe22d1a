import type { ToolResult } from '@toolwright/core';

/** What a call gave, for people: texts as they are, and a line for everything that is no text. */
export function formatResult({ content, structuredContent }: ToolResult): string[] {
  // The text block beside structured content says the same in one line (server/tools, structuredContent).
  if (structuredContent !== undefined) return [JSON.stringify(structuredContent, null, 2)];
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
