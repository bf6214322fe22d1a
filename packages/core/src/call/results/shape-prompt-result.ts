import type { PromptMessage, PromptResult } from '../../base/content/content.js';
import type { OutputWriter } from '../serialiser/output-node.js';
import { toJson } from '../values/to-json.js';
import { blockCloser, type BlockCloser } from './close-blocks.js';
import { findBlockProblem, isContentBlock, isRecord } from './find-block-problem.js';
import { InvalidResultError } from './protocol-result.js';
import { textOf } from './shape-tool-result.js';

/** What is known about a prompt before it runs. */
export interface PromptShape {
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
  const toMessages = (parts: readonly unknown[]) => closeMessages(parts.map(toMessage), close);
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

function closeMessages(messages: PromptMessage[], close: BlockCloser): PromptMessage[] {
  const contents = close(messages.map(({ content }) => content));
  return messages.map(({ role }, index) => ({ role, content: contents[index]! }));
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
  const problem = isRecord(content) ? findBlockProblem(content) : undefined;
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
  return isRecord(value) && 'role' in value && 'content' in value;
}

/** The members of the result of `prompts/get`. A value with any other member becomes a message. */
const promptMembers = new Set(['messages', 'description', '_meta', 'resultType']);

function isPromptResult(value: unknown): value is PromptResult {
  return (
    isRecord(value) &&
    Array.isArray(value['messages']) &&
    Object.keys(value).every((key) => promptMembers.has(key))
  );
}
