import { type JsonSchema, type Revival, type OutputWriter, type Undeclared, toJson } from '@toolwright/json';
import type { ContentBlock, ToolResult } from '../../base/content.js';
import type { ToolDraft } from '../operation/draft.js';
import {
  type BlockCloser,
  CONTENT,
  STRUCTURED,
  type Structured,
  type StructuredPart,
  blockCloser,
  structured,
} from './content.js';
import {
  InvalidResultError,
  UndeclaredOutputError,
  isComplete,
  isContentBlock,
  isData,
  isLikeToolResult,
  joinToolResults,
  readToolResult,
} from './protocol-result.js';
import { WrittenResult } from './written-result.js';

/** What must be known about the tool to shape its result. */
export interface ToolShape {
  readonly hasOutputSchema: boolean;
  readonly revival: Revival | undefined;
  /** Checks and writes data by the output schema. Present if there is one. */
  readonly write: OutputWriter | undefined;
  readonly close: BlockCloser;
  /**
   * True when the method's type says that it returns the protocol's own result. Otherwise the form of the
   * value decides.
   */
  readonly returnsResult: boolean;
  /** True when the method yields pieces of its result. */
  readonly isStream: boolean;
  /** True when the output schema may describe a value with a list `content`. */
  readonly mayHaveContent: boolean;
  /** True when the output schema accepts anything, because the compiler knew nothing about the type. */
  readonly isUntyped: boolean;
}

/**
 * Reads the shape of a tool, once. @param undeclared what happens to members of content blocks that the
 * specification does not define
 */
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
 * Makes the function that shapes the results of one tool; see `shapeToolResult`.
 *
 * @param undeclared what happens to data of a tool without an output schema, among others
 */
export function toolResultShaper(
  shape: ToolShape,
  undeclared: Undeclared,
): (value: unknown, call: { gaveResult: boolean }) => ToolResult {
  if (shape.hasOutputSchema)
    return (value, call) => {
      const result = shapeToolResult(value, shape);
      call.gaveResult = !(result instanceof WrittenResult);
      return result;
    };
  if (undeclared !== 'refuse') return (value) => shapeToolResult(value, shape);
  return (value) => {
    if (isData(value)) throw new UndeclaredOutputError();
    return shapeToolResult(value, shape);
  };
}

/**
 * Turns what a method returned into a tool result. Content passes through, and so does the protocol's own
 * result. Any other value becomes text; if the tool has an output schema, it also becomes structured content
 * (server/tools, structured content). `undefined` becomes `null` there, because JSON has no other value for
 * it.
 *
 * @throws {NotJsonError} when JSON cannot carry a value
 * @throws {InvalidResultError} for a result that the specification does not allow
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

/** True for an object that `structured` made. */
function isStructured(value: unknown): value is Structured<unknown> {
  return typeof value === 'object' && value !== null && STRUCTURED in value;
}

/** True for a content block that `text`, `image` or another function of `content.ts` made. */
function isMarkedContent(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && CONTENT in value;
}

/** For most values this is the only question: they are data. */
function hasContent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'content' in value;
}

/** The values that a synchronous generator yields. Those of an asynchronous one are already in a list. */
function listOf(value: unknown): unknown {
  const isList = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return isList && !Array.isArray(value) ? [...(value as Iterable<unknown>)] : value;
}

/** The text block of a value: a string stays as it is, everything else becomes JSON. */
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

/** Joins what a stream yielded: the data in a list, and all the content in its order. */
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

/**
 * When the method's type does not say what it returns, the form of the value decides. @returns undefined for
 * data
 */
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

/** Without an output schema, blocks need no mark: nothing says that they are meant as data. */
function asContent(value: unknown, hasOutputSchema: boolean): ContentBlock[] | undefined {
  const isBlock = hasOutputSchema ? isMarkedContent : isContentBlock;
  if (isBlock(value)) return [value];
  if (!Array.isArray(value) || !value.some(isBlock)) return undefined;
  return value.map((item): ContentBlock =>
    isBlock(item) ? item : { type: 'text', text: textOf(toJson(item)) },
  );
}
