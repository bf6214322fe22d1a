import { type AppSettings, pageMeta } from '../../base/app-settings.js';
import type { PromptMessage, PromptResult, ResourceContents, ResourceResult } from '../../base/content.js';
import { resourceNotFound } from '../../base/errors/errors.js';
import type { Era } from '../../base/request-context.js';
import { isObject, type OutputWriter, toJson, writeJson } from '@toolwright/json';
import { blockCloser, toBase64 } from './content.js';
import { type BlockCloser, InvalidResultError, findBlockProblem, isContentBlock } from './protocol-result.js';
import { textOf } from './shape-tool-result.js';

/** What is known about a prompt before it runs. */
interface PromptShape {
  readonly description: string | undefined;
  /** Writes data by the schema of the method's type. Present if the type is known. */
  readonly write?: OutputWriter | undefined;
  readonly close?: BlockCloser;
}

/** A prompt message as authors may write it. A string means a text block. */
type LooseMessage = { role: unknown; content: unknown };

/**
 * Turns what a prompt's method returned into messages. A string or a content block becomes a message of the
 * user. A message stays as it is. An array may mix them. The SDK's `GetPromptResult` passes through.
 *
 * @throws {NotJsonError} when JSON cannot carry a value
 * @throws {InvalidResultError} for messages that the specification does not define
 */
export function shapePromptResult(returned: unknown, shape: PromptShape): PromptResult {
  const { description, write, close = blockCloser('drop') } = shape;
  const toMessages = (parts: readonly unknown[]): PromptMessage[] => {
    const messages = parts.map(toMessage);
    const contents = close(messages.map(({ content }) => content));
    return messages.map(({ role }, index) => ({ role, content: contents[index]! }));
  };
  const value = write && isData(returned) ? (JSON.parse(write(returned).json) as unknown) : returned;
  if (isPromptResult(value)) {
    const { description: own = description, messages, _meta } = value;
    return {
      ...(own !== undefined && { description: own }),
      messages: toMessages(messages),
      ...(_meta && { _meta }),
    };
  }
  const parts = Array.isArray(value) ? value : [value];
  return { ...(description !== undefined && { description }), messages: toMessages(parts) };
}

/** True for an object of which no part is a message or content. */
function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isPromptResult(value)) return false;
  const parts = Array.isArray(value) ? (value as unknown[]) : [value];
  return !parts.some((part) => isMessage(part) || isContentBlock(part));
}

function toMessage(part: unknown, index: number): PromptMessage {
  if (!isMessage(part)) return { role: 'user', content: toBlock(part) };
  const { role, content } = part;
  if (role !== 'user' && role !== 'assistant')
    throw invalid(index, `has the role ${JSON.stringify(role)}, which is neither "user" nor "assistant"`);
  const problem = isObject(content) ? findBlockProblem(content) : undefined;
  if (problem !== undefined) throw invalid(index, `has a content that ${problem}`);
  return { role, content: toBlock(content) };
}

function invalid(index: number, problem: string): InvalidResultError {
  return new InvalidResultError('a prompt result', `messages[${index}] ${problem}`);
}

function toBlock(value: unknown): PromptMessage['content'] {
  return isContentBlock(value) ? value : { type: 'text', text: textOf(toJson(value)) };
}

function isMessage(value: unknown): value is LooseMessage {
  return isObject(value) && 'role' in value && 'content' in value;
}

/** The members of the result of `prompts/get`. A value with any other member becomes a message. */
const promptMembers = new Set(['messages', 'description', '_meta', 'resultType']);

function isPromptResult(value: unknown): value is PromptResult {
  return (
    isObject(value) &&
    Array.isArray(value['messages']) &&
    Object.keys(value).every((key) => promptMembers.has(key))
  );
}

/** What is known about a resource before it is read. */
interface ResourceShape {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly era: Era;
  /** Present for the page of an MCP App. */
  readonly ui?: AppSettings | undefined;
  /**
   * True when the method's type says that it returns the protocol's own result. Otherwise the form of the
   * value decides.
   */
  readonly returnsResult?: boolean;
  /** Writes data by the schema of the method's type. Present if the type is known. */
  readonly write?: OutputWriter | undefined;
}

/**
 * Turns what a resource's method returned into contents. A string becomes text, and bytes become a blob.
 * Contents stay as they are; those without a URI get the one that was read. Anything else becomes JSON.
 * `undefined` means that there is no such resource; a template's method may find that out. The SDK's
 * `ReadResourceResult` passes through.
 *
 * @throws {NotJsonError} when JSON cannot carry a value
 * @throws {InvalidResultError} for contents that the specification does not define
 * @throws {ProtocolError} for `undefined`
 */
export function shapeResourceResult(value: unknown, shape: ResourceShape): ResourceResult {
  const result = shapeContents(value, shape);
  const settings = shape.ui && result.contents[0]?._meta;
  // VS Code has read the settings of a page from the result, beside `contents` (ext-apps#242).
  return settings ? { ...result, _meta: { ...settings, ...result._meta } } : result;
}

function shapeContents(value: unknown, shape: ResourceShape): ResourceResult {
  if (value === undefined) throw resourceNotFound(shape.uri, shape.era);
  if (shape.returnsResult && !isLikeResourceResult(value))
    throw new InvalidResultError('a resource result', '"contents" is not an array');
  if (isLikeResourceResult(value) && (shape.returnsResult || value.contents.every(isContents)))
    return shapeResult(value, shape);
  if (shape.write && isDataAlone(value)) return { contents: [asJson(shape.write(value).json, shape)] };
  const parts = Array.isArray(value) && value.some(isContents) ? (value as unknown[]) : [value];
  return { contents: parts.map((part) => toContents(part, shape)) };
}

function shapeResult(
  { contents, _meta }: { contents: unknown[]; _meta?: ResourceResult['_meta'] },
  shape: ResourceShape,
): ResourceResult {
  const wrong = contents.findIndex((part) => !isContents(part));
  if (wrong >= 0)
    throw new InvalidResultError('a resource result', `contents[${wrong}] needs "text", or "blob" in base64`);
  return { contents: contents.map((part) => toContents(part, shape)), ...(_meta && { _meta }) };
}

function toContents(part: unknown, { uri, mimeType, ui }: ResourceShape): ResourceContents {
  // Hosts read the settings of a page from its content first. They use those of the list only when the
  // content has none.
  const known = { uri, ...(mimeType !== undefined && { mimeType }), ...(ui && { _meta: pageMeta(ui) }) };
  if (typeof part === 'string') return { ...known, text: part };
  if (part instanceof Uint8Array) return { ...known, blob: toBase64(part) };
  if (isContents(part)) {
    const { blob, _meta } = part;
    const own = {
      ...(blob !== undefined && { blob: toBase64(blob) }),
      // What a handler says of this one reading counts in both dialects.
      ...(_meta && { _meta: { ...(ui && pageMeta((_meta['ui'] ?? ui) as AppSettings)), ..._meta } }),
    };
    return { ...known, ...part, ...own } as ResourceContents;
  }
  return asJson(writeJson(toJson(part) ?? null), { uri, mimeType });
}

function asJson(
  text: string,
  { uri, mimeType = 'application/json' }: Pick<ResourceShape, 'uri' | 'mimeType'>,
): ResourceContents {
  return { uri, mimeType, text };
}

/** True for an object that is neither contents, nor a list of contents, nor a value that becomes a blob. */
function isDataAlone(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Uint8Array || isContents(value)) return false;
  return !Array.isArray(value) || !value.some(isContents);
}

type LooseContents = { text?: string; blob?: string | Uint8Array; _meta?: Record<string, unknown> };

function isContents(value: unknown): value is LooseContents {
  if (typeof value !== 'object' || value === null) return false;
  const { text, blob } = value as { text?: unknown; blob?: unknown };
  const only = Object.keys(value).every((key) => ['uri', 'mimeType', 'text', 'blob', '_meta'].includes(key));
  return only && (typeof text === 'string' || typeof blob === 'string' || blob instanceof Uint8Array);
}

/**
 * The members of the result of `resources/read`. A value with any other member is data, which may have its
 * own `contents`.
 */
const resourceMembers = new Set(['contents', '_meta', 'resultType', 'ttlMs', 'cacheScope']);

function isLikeResourceResult(
  value: unknown,
): value is { contents: unknown[]; _meta?: ResourceResult['_meta'] } {
  return (
    isObject(value) &&
    Array.isArray(value['contents']) &&
    Object.keys(value).every((key) => resourceMembers.has(key))
  );
}
