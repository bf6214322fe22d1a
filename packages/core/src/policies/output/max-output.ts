import type { ContentBlock, TextContent, ToolResult } from '@toolwright/ground/base/content';
import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import { flag, positive } from '@toolwright/ground/base/options/rules';
import type { NextPage } from '@toolwright/ground/call/active-call';
import type { Environment } from '@toolwright/ground/call/environment';
import type { AnyDraft } from '@toolwright/ground/call/operation/draft';
import type { StepOrigin } from '@toolwright/ground/call/operation/operation';
import { structuredText, textOf, wholeText } from '@toolwright/ground/call/results/shape-tool-result';
import { isExact, readJson } from '@toolwright/json';
import { definePolicy } from '../define-policy.js';

/** The limit in bytes of JSON, or in tokens. A token is estimated at four characters. */
export type MaxOutputOptions = ({ bytes: number; tokens?: never } | { tokens: number; bytes?: never }) & {
  /**
   * Adds a link to the rest of a result that was cut. A host that reads resources gets the whole rest in one piece, up to
   * 16 MB (12 MB where the result is kept), without showing it to the model. Default: false.
   */
  link?: boolean;
};

const maxOutputOptions = {
  bytes: positive,
  tokens: positive,
  link: flag,
} satisfies OptionSchema<{ bytes?: number; tokens?: number; link?: boolean }>;

/** The estimated characters of a token. Models differ; English prose has about four. */
const charactersPerToken = 4;

/**
 * Limits the size of a tool's result. Arrays lose items from their end, and the result still fits its schema.
 * Long text is cut, and so are embedded files. A note tells the model that there is more, and gives it a cursor for the
 * next part, which it sends in the argument `cursor`. A method with such a parameter gets the cursor itself, and makes its
 * own. With `link: true` there is also a link, for hosts that read resources. If a result cannot be cut, the call is answered with an error that says so. Errors have the same limit: they are cut at their end. Prompts and
 * resources are never cut: one that is too large is answered with an error.
 *
 * @example
 * @McpTool()
 * @MaxOutput({ tokens: 8_000 }) async listPages(): Promise<Page[]> { … }
 */
export const MaxOutput = definePolicy('maxOutput', {
  parse: (options: MaxOutputOptions): { bytes: number; link: boolean } => {
    parseOptions('@MaxOutput', maxOutputOptions, options);
    const bytes = options.bytes ?? options.tokens * charactersPerToken;
    if (!Number.isInteger(bytes) || bytes < 1)
      throw new RangeError(`${bytes} is not a positive whole number.`);
    return { bytes, link: options.link ?? false };
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

/** What is left of a result that was too large. */
export interface CutResult {
  readonly result: ToolResult;
  /** What is missing, such as `150 of 200 items of results`. Empty: nothing. */
  readonly dropped: readonly string[];
  /** `undefined`: this page is the last one, or no page can follow it. */
  readonly next?: NextPage | undefined;
}

/**
 * Cuts a result to `limit` bytes; returns `undefined` when it cannot be cut. Arrays lose items from their
 * end, so that the rest still fits the schema. Text and bytes of embedded files are cut.
 *
 * @param page the page to return; default: the first one
 */
export function cutResult(whole: ToolResult, limit: number, page?: NextPage): CutResult | undefined {
  const { part, from = 0 } = page ?? {};
  if (part === undefined && sizeOf(whole) <= limit) return { result: whole, dropped: [] };
  if (isRepeatedText(whole)) return cutText(whole, limit, from);
  if (part?.[0] === 'text' || part?.[0] === 'blob') return cutBlock(whole, limit, { index: part[1], from });
  if (whole.structuredContent !== undefined) {
    const notes = behindText(whole);
    const room = limit - notes.reduce((sum, block) => sum + sizeOfBlock(block), 0);
    const cut = cutArrays(whole.structuredContent, room, page);
    if (!cut) return undefined;
    const content: ContentBlock[] = [{ type: 'text', text: textOf(cut.value) }, ...notes];
    return { ...cut, result: { ...whole, structuredContent: cut.value, content } };
  }
  const [only] = whole.content;
  const json = whole.content.length === 1 && only?.type === 'text' ? parse(only.text) : undefined;
  const cut = json && cutArrays(json.value, limit, page);
  if (cut) return { ...cut, result: { ...whole, content: [{ type: 'text', text: textOf(cut.value) }] } };
  if (page) return undefined;
  const index = longestBlock(whole.content);
  return index === undefined ? undefined : cutBlock(whole, limit, { index, from: 0 });
}

/** What is said about the data behind the text that repeats it. Each part of the result has it. */
function behindText(whole: ToolResult): ContentBlock[] {
  const [first, ...others] = whole.content;
  return others.length > 0 && first?.type === 'text' && first.text === structuredText(whole) ? others : [];
}

/** A method that returns a string has it twice in its result: as data, and as text. Cleaning may have changed the text. */
function isRepeatedText({ structuredContent, content: [only, ...others] }: ToolResult): boolean {
  return only?.type === 'text' && only.text === structuredContent && others.length === 0;
}

function cutText(
  { structuredContent, ...whole }: ToolResult,
  limit: number,
  from: number,
): CutResult | undefined {
  const text: ContentBlock = { type: 'text', text: structuredContent as string };
  const cut = cutBlock({ ...whole, content: [text] }, limit, { index: 0, from });
  const [block] = cut?.result.content ?? [];
  return cut && block?.type === 'text'
    ? { ...cut, result: { ...cut.result, structuredContent: block.text } }
    : undefined;
}

/** Returns the block that carries the most text or bytes. */
function longestBlock(content: readonly ContentBlock[]): number | undefined {
  const sizes = content.map((block) => bytesIn(block)?.length ?? 0);
  const most = Math.max(...sizes);
  return most > 0 ? sizes.indexOf(most) : undefined;
}

/** The bytes of a text, or of the file in an embedded resource. Half of an image cannot be shown. */
function bytesIn(block: ContentBlock | undefined): Buffer | undefined {
  if (block?.type === 'text') return Buffer.from(block.text);
  if (block?.type !== 'resource') return undefined;
  const { resource } = block;
  return resource.blob === undefined
    ? Buffer.from(resource.text ?? '')
    : Buffer.from(resource.blob, 'base64');
}

function cutBlock(
  whole: ToolResult,
  limit: number,
  { index, from }: { index: number; from: number },
): CutResult | undefined {
  const block = whole.content[index];
  const bytes = bytesIn(block);
  if (!block || !bytes || from >= bytes.length) return undefined;
  const isBlob = block.type === 'resource' && block.resource.blob !== undefined;
  const others = sizeOf(whole) - sizeOfBlock(block) + sizeOfBlock(withBytes(block, Buffer.alloc(0)));
  // Base64 writes four characters for three bytes.
  const room = isBlob ? Math.floor((limit - others) / 4) * 3 : limit - others;
  let end = Math.min(bytes.length, from + room);
  // A page never begins inside of a character.
  if (!isBlob) while (end > from && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
  if (end <= from && !(from === 0 && block.type === 'text' && room >= 0)) return undefined;
  const content = whole.content.with(index, withBytes(block, bytes.subarray(from, end)));
  const left = bytes.length - end;
  const next =
    left > 0 && end > from ? { part: [isBlob ? 'blob' : 'text', index] as const, from: end } : undefined;
  const what = block.type === 'text' ? 'text' : 'the file';
  return { result: { ...whole, content }, dropped: left > 0 ? [`${left} bytes of ${what}`] : [], next };
}

function withBytes(block: ContentBlock, bytes: Buffer): ContentBlock {
  if (block.type === 'text') return { ...block, text: bytes.toString() };
  if (block.type !== 'resource') return block;
  const { resource } = block;
  const part = resource.blob !== undefined ? { blob: bytes.toString('base64') } : { text: bytes.toString() };
  return { ...block, resource: { ...resource, ...part } };
}

/** Tells a model what is missing, and how it gets it. @param advice says only what works for this result */
export function noteOf(dropped: readonly string[], advice: string): TextContent {
  return {
    type: 'text',
    text: `[The result was cut: ${dropped.join(', ')} left out at the end. ${advice}]`,
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

/** JSON whose items can be left out. With an integer that no double holds, it is cut as the text that it is. */
function parse(text: string): { value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = readJson(text);
    return isExact(value) ? { value } : undefined;
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
  dropped: string[];
  next?: NextPage | undefined;
}

/**
 * Cuts a JSON value to `limit` bytes by dropping items from the end of its arrays, the largest array first.
 * Returns `undefined` when this is not enough. Only what one array has lost can follow on a next page.
 */
function cutArrays(value: unknown, limit: number, page?: NextPage): Cut | undefined {
  const start = page && itemsAt(value, page.part.slice(1));
  if (page && (!start || page.from >= start.items.length)) return undefined;
  const from = page?.from ?? 0;
  let current = start ? replaceAt(value, start.path, start.items.slice(from)) : value;
  const dropped: string[] = [];
  let next: NextPage | undefined;
  for (;;) {
    const excess = bytesOf(current) - limit;
    if (excess <= 0) return { value: current, dropped, next: dropped.length === 1 ? next : undefined };
    const largest = start ? itemsAt(current, start.path) : largestArray(current);
    if (!largest || largest.items.length === 0) return undefined;
    const { path, items } = largest;
    const kept = dropEnd(items, excess);
    // A later page without any item would lead to itself.
    if (start && kept.length === 0) return undefined;
    current = replaceAt(current, path, kept);
    if (kept.length > 0) next = { part: ['items', ...path], from: from + kept.length };
    dropped.push(
      `${items.length - kept.length} of ${items.length + from} items${path.length ? ` of ${path.join('.')}` : ''}`,
    );
  }
}

function itemsAt(value: unknown, path: readonly (string | number)[]): Found | undefined {
  const items = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
  return Array.isArray(items) ? { path, items, bytes: 0 } : undefined;
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
