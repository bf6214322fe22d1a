import type { ContentBlock, ToolResult } from '../../base/content/content.js';

const NOTE = ' … [cut]';

/** An error within `limit` bytes: it is told from its beginning, and what does not fit is left out. */
export function boundError(result: ToolResult, limit: number): ToolResult {
  const { content, structuredContent, _meta, ...rest } = result;
  const metaSize = sizeOf(_meta);
  const size = content.reduce((sum, block) => sum + sizeOfBlock(block), metaSize + sizeOf(structuredContent));
  if (size <= limit) return result;
  // What a program reads of an error is short, such as the time to wait; what is not must not crowd out the text.
  const keepsMeta = _meta !== undefined && metaSize < limit;
  const kept = fitting(content, keepsMeta ? limit - metaSize : limit);
  return { ...rest, content: kept, ...(keepsMeta && { _meta }) };
}

function fitting(content: readonly ContentBlock[], limit: number): ContentBlock[] {
  const kept: ContentBlock[] = [];
  let left = limit;
  for (const block of content) {
    const cut = block.type === 'text' ? { ...block, text: boundText(block.text, left) } : block;
    const size = sizeOfBlock(cut);
    if (size === 0 || size > left) continue;
    kept.push(cut);
    left -= size;
  }
  return kept;
}

/** The beginning of a text, in `limit` bytes. */
export function boundText(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const note = Buffer.byteLength(NOTE) < limit ? NOTE : '';
  // A character that was cut through decodes to U+FFFD.
  const kept = bytes.subarray(0, limit - Buffer.byteLength(note)).toString('utf8');
  return kept.replace(/\ufffd+$/, '') + note;
}

function sizeOfBlock(block: ContentBlock): number {
  return block.type === 'text' ? Buffer.byteLength(block.text) : sizeOf(block);
}

/** @param value JSON */
export function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
