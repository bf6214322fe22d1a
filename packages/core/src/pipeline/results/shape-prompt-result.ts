import type { PromptMessage, PromptResult } from '../../messages/content.js';
import { toJson } from '../values/to-json.js';
import { isContentBlock } from './content.js';
import { textOf } from './shape-tool-result.js';

/** A prompt message as authors may write it: a string stands for a text block. */
type LooseMessage = { role: 'user' | 'assistant'; content: unknown };

/**
 * Turns what a prompt's method returned into messages: a string or content block is something the user says, a message
 * is taken as it is, arrays may mix them.
 *
 * @throws {NotJsonError}
 */
export function shapePromptResult(value: unknown, description: string | undefined): PromptResult {
  if (isPromptResult(value)) return { ...value, messages: value.messages.map(toMessage) };
  const parts = Array.isArray(value) ? value : [value];
  return { ...(description !== undefined && { description }), messages: parts.map(toMessage) };
}

function toMessage(part: unknown): PromptMessage {
  if (isMessage(part)) return { role: part.role, content: toBlock(part.content) };
  return { role: 'user', content: toBlock(part) };
}

function toBlock(value: unknown): PromptMessage['content'] {
  return isContentBlock(value) ? value : { type: 'text', text: textOf(toJson(value)) };
}

function isMessage(value: unknown): value is LooseMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { role } = value as Partial<LooseMessage>;
  return (role === 'user' || role === 'assistant') && 'content' in value;
}

function isPromptResult(value: unknown): value is PromptResult {
  return (
    typeof value === 'object' && value !== null && Array.isArray((value as { messages?: unknown }).messages)
  );
}
