import type { ContentBlock, TextContent, ToolResult } from '../../base/content/content.js';
import { cutArrays } from './cut-arrays.js';
import { structuredText, wholeText } from '../../call/results/written-result.js';
import { textOf } from '../../call/results/shape-tool-result.js';

/**
 * A result within `limit` bytes, or undefined when there is no way to cut it. Arrays lose items from their end, so that
 * the rest still fits its schema; text is cut; a note says what is missing.
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
  // A character that was cut through decodes to U+FFFD.
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

/** What counts: the text where it repeats the structured content, and everything else that is carried. */
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
