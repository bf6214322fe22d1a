import type { ContentBlock, ToolResult } from '../../base/content/content.js';

const NOTE = ' … [cut]';

/** Cuts an error to `limit` bytes. It keeps the beginning of the text. */
export function boundError(result: ToolResult, limit: number): ToolResult {
  const { content, structuredContent, _meta, ...rest } = result;
  const metaSize = sizeOf(_meta);
  const size = content.reduce((sum, block) => sum + sizeOfBlock(block), metaSize + sizeOf(structuredContent));
  if (size <= limit) return result;
  // Data of an error that programs read is short, such as the time to wait. Long data must not push out the
  // text.
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
  // A character that was cut in half decodes to U+FFFD.
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
