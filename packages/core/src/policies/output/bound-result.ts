import type { ContentBlock, TextContent, ToolResult } from '../../base/content/content.js';
import { cutArrays } from './cut-arrays.js';
import { structuredText, wholeText } from '../../call/results/written-result.js';
import { textOf } from '../../call/results/shape-tool-result.js';

/**
 * Cuts a result to `limit` bytes; returns `undefined` when it cannot be cut. Arrays lose items from their
 * end, so that the rest still fits the schema. Text is cut. A note says what is missing.
 */
export function boundResult(result: ToolResult, limit: number): ToolResult | undefined {
  if (sizeOf(result) <= limit) return result;
  if (result.structuredContent !== undefined) return boundStructured(result, limit);
  const [only] = result.content;
  const json = result.content.length === 1 && only?.type === 'text' ? parse(only.text) : undefined;
  const cut = json && cutArrays(json.value, limit);
  if (cut) return { ...result, content: [{ type: 'text', text: textOf(cut.value) }, note(cut.dropped)] };
  return boundText(result, limit);
}

function boundStructured(result: ToolResult, limit: number): ToolResult | undefined {
  const cut = cutArrays(result.structuredContent, limit);
  if (!cut) return undefined;
  const content: ContentBlock[] = [{ type: 'text', text: textOf(cut.value) }, note(cut.dropped)];
  return { ...result, structuredContent: cut.value, content };
}

function boundText(result: ToolResult, limit: number): ToolResult | undefined {
  const texts = result.content.filter((block) => block.type === 'text');
  const excess = sizeOf(result) - limit;
  const longest = texts.reduce<TextContent | undefined>(
    (found, block) => (!found || block.text.length > found.text.length ? block : found),
    undefined,
  );
  const length = longest ? Buffer.byteLength(longest.text) : 0;
  if (!longest || length < excess) return undefined;
  const kept = Buffer.from(longest.text).subarray(0, length - excess);
  // A character that was cut in half decodes to U+FFFD.
  const text = kept.toString('utf8').replace(/\ufffd+$/, '');
  const content = result.content.map((block) => (block === longest ? { ...longest, text } : block));
  return { ...result, content: [...content, note([`${excess} bytes of text`])] };
}

function note(dropped: readonly string[]): TextContent {
  return {
    type: 'text',
    text: `[The result was cut: ${dropped.join(', ')} left out at the end. Ask for less, or for the next part.]`,
  };
}

/**
 * The size that counts. If the text repeats the structured content, it is the size of the text. Otherwise it is
 * that of the content or of the structured content, whichever is larger.
 */
function sizeOf(result: ToolResult): number {
  const whole = wholeText(result);
  if (whole !== undefined) return Buffer.byteLength(whole);
  const structured = structuredText(result);
  const carried = result.content.reduce((sum, block) => sum + sizeOfBlock(block), 0);
  return structured === undefined ? carried : Math.max(carried, Buffer.byteLength(structured));
}

function sizeOfBlock(block: ContentBlock): number {
  if (block.type === 'text') return Buffer.byteLength(block.text);
  return block.type === 'image' || block.type === 'audio' ? block.data.length : JSON.stringify(block).length;
}

function parse(text: string): { value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
