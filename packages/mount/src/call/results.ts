import type { PromptResult, ResourceResult, ToolResult } from '@toolwright/core';
import { cleanText, cleanValue, isObject } from '@toolwright/json';
import { MountError } from '../errors.js';
import type { UpstreamResult } from '../session/upstream-session.js';
import { withoutNulls } from '../upstream/plain-message.js';

type ContentBlock = ToolResult['content'][number];

const BLOCKS = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

/**
 * The result of a tool behind, as our guards get it. They check it, clean it and bound it like that of any other tool.
 *
 * @throws {MountError} when it has another form
 */
export function toolResult(result: UpstreamResult, hasOutput: boolean): ToolResult {
  const { content, isError } = withoutNulls(result);
  const blocks = content ?? [];
  // Only the output schema can say that `null` is a result.
  const isValue = hasOutput && isError !== true;
  const structuredContent = isValue
    ? result['structuredContent']
    : (result['structuredContent'] ?? undefined);
  if (
    !Array.isArray(blocks) ||
    !blocks.every((block) => BLOCKS.has((block as { type?: string } | null)?.type ?? ''))
  )
    throw broken('content that the protocol does not know');
  if (isValue && structuredContent === undefined)
    throw broken('no structured content, although the tool promises it');
  return {
    content: blocks.map(ownBlock),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError: true }),
    ...metaOf(result),
  };
}

/** @throws {MountError} when it has another form */
export function promptResult(result: UpstreamResult): PromptResult {
  const { messages, description } = result;
  if (!Array.isArray(messages) || !messages.every(isMessage)) throw broken('no messages');
  return {
    messages: messages.map((message) => ({ role: message.role, content: ownBlock(message.content) })),
    ...(typeof description === 'string' && { description }),
    ...metaOf(result),
  };
}

/** @throws {MountError} when it has another form */
export function resourceResult(result: UpstreamResult): ResourceResult {
  const { contents } = result;
  if (!Array.isArray(contents) || !contents.every(isObject)) throw broken('no contents');
  return { contents: contents.map(withOwnMeta) as never[], ...metaOf(result) };
}

/** @throws {MountError} when it has another form */
export function completionValues(result: UpstreamResult): string[] {
  const { values } = (result['completion'] ?? {}) as { values?: unknown };
  if (!Array.isArray(values)) throw broken('no values');
  return values.filter((value) => typeof value === 'string').slice(0, 100);
}

/** A message of the system would be an order to the model. */
function isMessage(
  message: unknown,
): message is { readonly role: 'user' | 'assistant'; readonly content: ContentBlock } {
  if (!isObject(message) || !isObject(message['content'])) return false;
  const { role, content } = message as { role: unknown; content: { type?: unknown } };
  return (role === 'user' || role === 'assistant') && BLOCKS.has(content.type as string);
}

/** A part of a result, without what only we may say of it. */
function ownBlock(block: ContentBlock): ContentBlock {
  const own = withOwnMeta(block);
  if (own.type !== 'resource' || !isObject(own.resource)) return own;
  const resource = withOwnMeta(own.resource);
  return resource === own.resource ? own : { ...own, resource };
}

function withOwnMeta<T extends object>(part: T): T {
  const plain = withoutNulls(part as UpstreamResult);
  const { _meta, annotations, ...others } = plain;
  const hints = isObject(annotations) ? withoutNulls(annotations) : annotations;
  if (_meta === undefined && hints === annotations) return plain as T;
  return {
    ...others,
    ...(hints !== undefined && { annotations: hints }),
    ...metaOf({ _meta }),
  } as unknown as T;
}

/** What the server behind says about itself is not said in our name. */
function metaOf({ _meta }: UpstreamResult): { _meta?: Record<string, unknown> } {
  if (typeof _meta !== 'object' || _meta === null) return {};
  const kept = Object.entries(_meta).filter(([key]) => !isReserved(key));
  return kept.length === 0 ? {} : { _meta: cleanValue(Object.fromEntries(kept), withoutHidden) };
}

/** Nobody declares what is in `_meta`, so no program waits for hidden characters in it. */
const withoutHidden = (text: string) => cleanText(text, 'escape');

export function isReserved(key: string): boolean {
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isOfProtocol = ['mcp', 'modelcontextprotocol'].includes(prefix.split('.')[1] ?? '');
  return isOfProtocol || prefix === 'toolwright' || key === 'progressToken';
}

function broken(what: string): MountError {
  return new MountError('TW_MOUNT_ANSWER', `The server behind this tool answered with ${what}.`);
}
