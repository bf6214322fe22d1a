import type { JsonSchema, Revival } from '@toolwright/manifest';
import type { ContentBlock, ToolResult } from '../../base/content/content.js';
import type { ToolDraft } from '../operation/draft.js';
import type { OutputWriter, Undeclared } from '../serialiser/output-node.js';
import { toJson } from '../values/to-json.js';
import { blockCloser, type BlockCloser } from './close-blocks.js';
import { isMarkedContent } from './content.js';
import { isContentBlock } from './find-block-problem.js';
import {
  InvalidResultError,
  isComplete,
  isLikeToolResult,
  joinToolResults,
  readToolResult,
} from './protocol-result.js';
import { WrittenResult } from './written-result.js';
import { isStructured, structured, type Structured, type StructuredPart } from './structured.js';

/** What shaping needs to know of the tool. */
export interface ToolShape {
  readonly hasOutputSchema: boolean;
  readonly revival: Revival | undefined;
  /** Checks and writes data by the output schema; there when there is one. */
  readonly write: OutputWriter | undefined;
  readonly close: BlockCloser;
  /** The method returns the protocol's own result, says its type; else that is told by its form. */
  readonly returnsResult: boolean;
  /** It yields pieces of its result. */
  readonly isStream: boolean;
  /** The output schema can be that of a value with a list `content`. */
  readonly mayHaveContent: boolean;
  /** The output schema takes anything: the compiler knew nothing of the type. */
  readonly isUntyped: boolean;
}

/** Read off a tool, once. @param undeclared what becomes of what content blocks have beside the specification's members */
export function toolShape(
  { outputSchema, target }: ToolDraft,
  write?: OutputWriter,
  undeclared: Undeclared = 'drop',
): ToolShape {
  return {
    write,
    close: blockCloser(undeclared),
    hasOutputSchema: outputSchema !== undefined,
    revival: target.revive?.output,
    returnsResult: target.protocolResult === 'tool',
    isStream: target.stream === true,
    mayHaveContent: outputSchema !== undefined && mayHaveContent(outputSchema),
    isUntyped: outputSchema !== undefined && Object.keys(outputSchema).length === 0,
  };
}

function mayHaveContent({ type, properties }: JsonSchema): boolean {
  return type !== 'object' || properties === undefined || Object.hasOwn(properties, 'content');
}

/**
 * Turns what a method returned into a tool result: content passes through, so does a result of the protocol's own; a
 * value becomes text, and structured content as well when the tool has an output schema (server/tools, structured
 * content). `undefined` is null there: JSON has nothing else for it.
 *
 * @throws {NotJsonError}
 * @throws {InvalidResultError}
 * @throws {InvalidOutputError} for data that does not fit the output schema
 */
export function shapeToolResult(returned: unknown, shape: ToolShape): ToolResult {
  const value = shape.isStream ? listOf(returned) : returned;
  const { hasOutputSchema, revival, write } = shape;
  if (isStructured(value)) return shapeStructured(value, shape);
  if (shape.returnsResult) return shapeResult(value, shape);
  if (shape.isStream && Array.isArray(value) && value.some(isStructured))
    return shapeStructured(joinStructured(value), shape);
  const blocks = asContent(value, hasOutputSchema);
  if (blocks) return { content: shape.close(blocks) };
  const result = hasContent(value) && isLikeToolResult(value) ? asResult(value, shape) : undefined;
  if (result) return result;
  if (write) return new WrittenResult({}, write(value));
  const json = toJson(value, { revival });
  return { content: json === undefined ? [] : [{ type: 'text', text: textOf(json) }] };
}

/** Of most values this is all there is to ask: they are data. */
function hasContent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'content' in value;
}

/** What a generator yields, that is synchronous: an asynchronous one is a list by now. */
function listOf(value: unknown): unknown {
  const isList = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return isList && !Array.isArray(value) ? [...(value as Iterable<unknown>)] : value;
}

/** The text block that goes with a value: strings as they are, everything else as JSON. */
export function textOf(json: unknown): string {
  return typeof json === 'string' ? json : (JSON.stringify(json) ?? '');
}

function shapeStructured(
  { structuredContent, content, _meta }: Structured<unknown>,
  { write, revival, close }: ToolShape,
): ToolResult {
  const meta = _meta && { _meta: { ..._meta } };
  const closed = content && close(content);
  if (write) return new WrittenResult({ content: closed, ...meta }, write(structuredContent));
  const json = toJson(structuredContent, { revival }) ?? null;
  return {
    content: closed ? [...closed] : [{ type: 'text', text: textOf(json) }],
    structuredContent: json,
    ...meta,
  };
}

/** What a stream yielded: a list of the data, and all of the content in its order. */
function joinStructured(pieces: readonly unknown[]): Structured<unknown> {
  const parts = pieces.map((piece) => (isStructured(piece) ? piece : structured(piece)));
  return structured(
    parts.map(({ structuredContent }) => structuredContent),
    parts.flatMap(({ content, structuredContent }): StructuredPart[] => [
      ...(content ?? [textOf(toJson(structuredContent))]),
    ]),
  );
}

function shapeResult(value: unknown, { isStream, close }: ToolShape): ToolResult {
  const result =
    isStream && Array.isArray(value) ? joinToolResults(value.map(readToolResult)) : readToolResult(value);
  return closed(result, close);
}

function closed(result: ToolResult, close: BlockCloser): ToolResult {
  return { ...result, content: close(result.content) };
}

/** Where nobody said what the method returns, its form does. @returns undefined for data */
function asResult(value: Record<string, unknown>, shape: ToolShape): ToolResult | undefined {
  if (!shape.hasOutputSchema || isComplete(value)) return closed(readToolResult(value), shape.close);
  if (shape.isUntyped)
    return { ...closed(readToolResult(value), shape.close), structuredContent: toJson(value) };
  if (shape.mayHaveContent) return undefined;
  throw new InvalidResultError(
    'a tool result',
    'the tool has an output schema, and the result has no "structuredContent": return structured(value, content), or the value alone',
  );
}

/** Without an output schema blocks need no mark: nothing else says that they were meant as data. */
function asContent(value: unknown, hasOutputSchema: boolean): ContentBlock[] | undefined {
  const isBlock = hasOutputSchema ? isMarkedContent : isContentBlock;
  if (isBlock(value)) return [value];
  if (!Array.isArray(value) || !value.some(isBlock)) return undefined;
  return value.map((item): ContentBlock =>
    isBlock(item) ? item : { type: 'text', text: textOf(toJson(item)) },
  );
}
