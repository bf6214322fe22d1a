import type { ContentBlock, TextContent, ToolResult } from '../../base/content.js';
import { type OptionSchema, parseOptions } from '../../base/options/option-schema.js';
import { positive } from '../../base/options/rules.js';
import type { Environment } from '../../call/environment.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { StepOrigin } from '../../call/operation/operation.js';
import { textOf } from '../../call/results/shape-tool-result.js';
import { structuredText, wholeText } from '../../call/results/shape-tool-result.js';
import { definePolicy } from '../define-policy.js';

/** The limit in bytes of JSON, or in tokens. A token is estimated at four characters. */
export type MaxOutputOptions = { bytes: number; tokens?: never } | { tokens: number; bytes?: never };

const maxOutputOptions = {
  bytes: positive,
  tokens: positive,
} satisfies OptionSchema<{ bytes?: number; tokens?: number }>;

/** The estimated characters of a token. Models differ; English prose has about four. */
const charactersPerToken = 4;

/**
 * Limits the size of a tool's result. Arrays lose items from their end, and the result still fits its schema.
 * Long text is cut. A note tells the model that there is more. If a result cannot be cut, the call is
 * answered with an error that says so. Errors have the same limit: they are cut at their end. Prompts and
 * resources are never cut: one that is too large is answered with an error.
 *
 * @example
 * @McpTool()
 * @MaxOutput({ tokens: 8_000 }) async listPages(): Promise<Page[]> { … }
 */
export const MaxOutput = definePolicy('maxOutput', {
  parse: (options: MaxOutputOptions): { bytes: number } => {
    parseOptions('@MaxOutput', maxOutputOptions, options);
    const bytes = options.bytes ?? options.tokens * charactersPerToken;
    if (!Number.isInteger(bytes) || bytes < 1)
      throw new RangeError(`${bytes} is not a positive whole number.`);
    return { bytes };
  },
});

/** How many bytes an operation may answer with, and who set the limit. */
interface OutputLimit {
  limit: number | undefined;
  origin: StepOrigin;
}

export function outputLimitOf(draft: AnyDraft, { options }: Environment): OutputLimit {
  const policy = MaxOutput.of(draft);
  if (policy) return { limit: policy.options.bytes, origin: policy.origin };
  return { limit: options.output?.maxBytes || undefined, origin: 'default' };
}

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

interface Found {
  path: readonly (string | number)[];
  items: readonly unknown[];
  bytes: number;
}

interface Cut {
  value: unknown;
  /** What is missing, such as `150 of 200 items of results`. */
  dropped: string[];
}

/**
 * Cuts a JSON value to `limit` bytes by dropping items from the end of its arrays, the largest array first.
 * Returns `undefined` when this is not enough.
 */
function cutArrays(value: unknown, limit: number): Cut | undefined {
  let current = value;
  const dropped: string[] = [];
  for (;;) {
    const excess = bytesOf(current) - limit;
    if (excess <= 0) return { value: current, dropped };
    const largest = largestArray(current);
    if (!largest) return undefined;
    const { path, items } = largest;
    const kept = dropEnd(items, excess);
    current = replaceAt(current, path, kept);
    dropped.push(
      `${items.length - kept.length} of ${items.length} items${path.length ? ` of ${path.join('.')}` : ''}`,
    );
  }
}

function dropEnd(items: readonly unknown[], excess: number): unknown[] {
  let saved = 0;
  let length = items.length;
  // Each item takes its comma with it.
  while (length > 0 && saved < excess) saved += bytesOf(items[--length]) + 1;
  return items.slice(0, length);
}

function largestArray(value: unknown, path: readonly (string | number)[] = []): Found | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own =
    Array.isArray(value) && value.length > 0 ? { path, items: value, bytes: bytesOf(value) } : undefined;
  // An array of large arrays is cut as a whole: fewer complete items are better than many empty ones.
  if (own) return own;
  return Object.entries(value)
    .map(([key, part]) => largestArray(part, [...path, key]))
    .reduce((a, b) => (!a || (b && b.bytes > a.bytes) ? b : a), undefined);
}

function replaceAt(value: unknown, [key, ...rest]: readonly (string | number)[], kept: unknown[]): unknown {
  if (key === undefined) return kept;
  return { ...(value as object), [key]: replaceAt((value as Record<string, unknown>)[key], rest, kept) };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
