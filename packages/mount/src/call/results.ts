import type { PromptResult, ResourceResult, ToolResult } from '@toolwright/core';
import { MountError } from '../errors.js';
import type { UpstreamResult } from '../session/upstream-session.js';

const BLOCKS = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

/**
 * The result of a tool behind, as our guards get it. They check it, clean it and bound it like that of any other tool.
 *
 * @throws {MountError} when it has another form
 */
export function toolResult(result: UpstreamResult, hasOutput: boolean): ToolResult {
  const { content = [], structuredContent, isError } = result;
  if (
    !Array.isArray(content) ||
    !content.every((block) => BLOCKS.has((block as { type?: string } | null)?.type ?? ''))
  )
    throw broken('content that the protocol does not know');
  if (hasOutput && structuredContent === undefined && isError !== true)
    throw broken('no structured content, although the tool promises it');
  return {
    content,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError: true }),
    ...metaOf(result),
  };
}

/** @throws {MountError} when it has another form */
export function promptResult(result: UpstreamResult): PromptResult {
  const { messages, description } = result;
  if (!Array.isArray(messages)) throw broken('no messages');
  return {
    messages,
    ...(typeof description === 'string' && { description }),
    ...metaOf(result),
  };
}

/** @throws {MountError} when it has another form */
export function resourceResult(result: UpstreamResult): ResourceResult {
  const { contents } = result;
  if (!Array.isArray(contents)) throw broken('no contents');
  return { contents, ...metaOf(result) };
}

/** @throws {MountError} when it has another form */
export function completionValues(result: UpstreamResult): string[] {
  const { values } = (result['completion'] ?? {}) as { values?: unknown };
  if (!Array.isArray(values)) throw broken('no values');
  return values.filter((value) => typeof value === 'string').slice(0, 100);
}

/** What the server behind says about itself is not said in our name. */
function metaOf({ _meta }: UpstreamResult): { _meta?: Record<string, unknown> } {
  if (typeof _meta !== 'object' || _meta === null) return {};
  const kept = Object.entries(_meta).filter(([key]) => !isReserved(key));
  return kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) };
}

export function isReserved(key: string): boolean {
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isOfProtocol = /^[^.]+\.(?:mcp|modelcontextprotocol)(?:\.|$)/.test(prefix);
  return isOfProtocol || prefix === 'toolwright' || key === 'progressToken';
}

function broken(what: string): MountError {
  return new MountError('TW_MOUNT_ANSWER', `The server behind this tool answered with ${what}.`);
}
