import type { ContentBlock, ToolResult } from '../../base/content.js';
import { isObject, toJson } from '@toolwright/json';

/**
 * A method returned something as a result of the protocol, but it is not a valid one. The caller gets a
 * generic error, and the log says why.
 */
export class InvalidResultError extends Error {
  override readonly name = 'InvalidResultError';

  constructor(what: string, problem: string) {
    super(`The method returned ${what} that cannot be sent: ${problem}.`);
  }
}

/** The members of the result of `tools/call`. Data with any other member is not such a result. */
const known = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);

/**
 * True for a value with the form of a tool's result, valid or not: the SDK's `CallToolResult`, or a result
 * from another server. Data may have a list `content`, too; then it has other members, or other items in that
 * list.
 */
export function isLikeToolResult(value: unknown): value is { content: unknown[] } & Record<string, unknown> {
  if (!isObject(value) || !Array.isArray(value['content'])) return false;
  if (!Object.keys(value).every((key) => known.has(key))) return false;
  const { content, isError, structuredContent } = value;
  return (
    typeof isError === 'boolean' ||
    structuredContent !== undefined ||
    content.length === 0 ||
    content.some(isContentBlock)
  );
}

/** Leaves out, keeps or refuses the members of content blocks that the specification does not define. */
export type BlockCloser = (blocks: readonly ContentBlock[]) => ContentBlock[];

/** What must be known about a tool to read the protocol's own results of it. */
export interface ResultForm {
  readonly hasOutputSchema: boolean;
  readonly close: BlockCloser;
  /** True when the method yields pieces of its result. */
  readonly isStream: boolean;
  /** True when the output schema may describe a value with a list `content`. */
  readonly mayHaveContent: boolean;
  /** True when the output schema accepts anything, because the compiler knew nothing about the type. */
  readonly isUntyped: boolean;
}

/** The result of a method whose type says that it returns the protocol's own. */
export function resultByType(value: unknown, { isStream, close }: ResultForm): ToolResult {
  const result =
    isStream && Array.isArray(value) ? joinToolResults(value.map(readToolResult)) : readToolResult(value);
  return closed(result, close);
}

/**
 * The result of a method whose type does not say what it returns: the form of the value decides.
 *
 * @returns undefined for data
 */
export function resultByForm(value: Record<string, unknown>, form: ResultForm): ToolResult | undefined {
  // Such a result may have everything that a tool with an output schema must return.
  const isComplete = value['isError'] === true || value['structuredContent'] !== undefined;
  if (!form.hasOutputSchema || isComplete) return closed(readToolResult(value), form.close);
  if (form.isUntyped)
    return { ...closed(readToolResult(value), form.close), structuredContent: toJson(value) };
  if (form.mayHaveContent) return undefined;
  throw new InvalidResultError(
    'a tool result',
    'the tool has an output schema, and the result has no "structuredContent": return structured(value, content), or the value alone',
  );
}

function closed(result: ToolResult, close: BlockCloser): ToolResult {
  return { ...result, content: close(result.content) };
}

/**
 * Checks the protocol's own result of a tool, and returns it without any other members.
 *
 * @throws {InvalidResultError} for content that the specification does not define, or that has another form
 * @throws {NotJsonError} when JSON cannot carry a value
 */
export function readToolResult(value: unknown): ToolResult {
  if (value === undefined) return { content: [] };
  const problem = findProblem(value);
  if (problem !== undefined) throw new InvalidResultError('a tool result', problem);
  const { content, structuredContent, isError, _meta } = value as ToolResult;
  return {
    content,
    ...(structuredContent !== undefined && { structuredContent: toJson(structuredContent) }),
    ...(isError === true && { isError }),
    ...(_meta !== undefined && { _meta }),
  };
}

function findProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `it is ${value === null ? 'null' : `a ${typeof value}`}, not an object`;
  const { content, isError, _meta } = value;
  if (!Array.isArray(content)) return '"content" is not an array of content blocks';
  if (isError !== undefined && typeof isError !== 'boolean') return '"isError" is not true or false';
  if (_meta !== undefined && !isObject(_meta)) return '"_meta" is not an object';
  for (const [index, block] of content.entries()) {
    const problem = findBlockProblem(block);
    if (problem !== undefined) return `content[${index}] ${problem}`;
  }
  return undefined;
}

/**
 * Joins the results of a stream into one: all content in its order; for everything else the last result
 * counts.
 */
function joinToolResults(results: readonly ToolResult[]): ToolResult {
  const content: ContentBlock[] = results.flatMap((result) => result.content);
  const isError = results.some((result) => result.isError === true);
  const { content: _, isError: __, ...others } = Object.assign({}, ...results) as ToolResult;
  return { content, ...(isError && { isError }), ...others };
}

/**
 * The fields that each kind of content block must have (schema of 2026-07-28, ContentBlock), and how messages
 * describe them.
 */
const required: Readonly<Record<string, readonly (readonly [field: string, expected: string])[]>> = {
  text: [['text', 'a string']],
  image: [
    ['data', 'a string in base64'],
    ['mimeType', 'a string'],
  ],
  audio: [
    ['data', 'a string in base64'],
    ['mimeType', 'a string'],
  ],
  resource_link: [
    ['uri', 'a string'],
    ['name', 'a string'],
  ],
  resource: [],
};

/**
 * True for any value with the form of a content block. Most values are not; a look at `type` is enough for
 * these.
 */
export function isContentBlock(value: unknown): value is ContentBlock {
  return isObject(value) && isKnown(value['type']) && findBlockProblem(value) === undefined;
}

/** Why a value is not a content block, as the end of a sentence; `undefined` when it is one. */
export function findBlockProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not an object';
  const { type } = value;
  if (!isKnown(type))
    return `has the type ${JSON.stringify(type)}, which is none of ${Object.keys(required).join(', ')}`;
  const wrong = required[type]!.find(([field]) => typeof value[field] !== 'string');
  if (wrong) return `of the type "${type}" needs "${wrong[0]}", ${wrong[1]}`;
  if (type !== 'resource') return undefined;
  const problem = findContentsProblem(value['resource']);
  return problem && `of the type "resource" has a "resource" that ${problem}`;
}

/** Why a value is not the contents of a resource. */
function findContentsProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not an object';
  if (typeof value['uri'] !== 'string') return 'needs "uri", a string';
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string'
    ? undefined
    : 'needs "text", or "blob" in base64';
}

function isKnown(type: unknown): type is string {
  return typeof type === 'string' && Object.hasOwn(required, type);
}

/** A tool that declares no output returned data. */
export class UndeclaredOutputError extends Error {
  override readonly name = 'UndeclaredOutputError';

  constructor() {
    super('The tool returned data and declares no output. Declare the type of its result, or return text.');
  }
}

/** True for data. Text and content are not data and need no declaration. */
export function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isContentBlock(value)) return false;
  if (Array.isArray(value)) return !value.some(isContentBlock);
  return !isLikeToolResult(value);
}
