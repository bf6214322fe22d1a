import {
  type JsonSchema,
  type OutputWriter,
  type Revival,
  type Undeclared,
  type Written,
  quoteLongIntegers,
  toJson,
  writeJson,
} from '@toolwright/json';
import type { ContentBlock, ToolResult } from '../../base/content.js';
import type { WrittenText } from '../../base/request-context.js';
import type { ToolDraft } from '../operation/draft.js';
import {
  CONTENT,
  STRUCTURED,
  type Structured,
  type StructuredPart,
  blockCloser,
  structured,
} from './content.js';
import {
  type ResultForm,
  UndeclaredOutputError,
  isContentBlock,
  isData,
  isLikeToolResult,
  resultByForm,
  resultByType,
} from './protocol-result.js';

/** What must be known about the tool to shape its result. */
export interface ToolShape extends ResultForm {
  readonly revival: Revival | undefined;
  /** Checks and writes data by the output schema. Present if there is one. */
  readonly write: OutputWriter | undefined;
  /**
   * True when the method's type says that it returns the protocol's own result. Otherwise the form of the
   * value decides.
   */
  readonly returnsResult: boolean;
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
  if (shape.returnsResult) return resultByType(value, shape);
  if (shape.isStream && Array.isArray(value) && value.some(isStructured))
    return shapeStructured(joinStructured(value), shape);
  const blocks = asContent(value, hasOutputSchema);
  if (blocks) return { content: shape.close(blocks) };
  // For most values the first is the only question: they are data.
  const result = has(value, 'content') && isLikeToolResult(value) ? resultByForm(value, shape) : undefined;
  if (result) return result;
  if (write) return new WrittenResult({}, write(value));
  const json = toJson(value, { revival });
  return { content: json === undefined ? [] : [{ type: 'text', text: textOf(json) }] };
}

function has(value: unknown, member: PropertyKey): boolean {
  return typeof value === 'object' && value !== null && member in value;
}

/** True for an object that `structured` made. */
const isStructured = (value: unknown): value is Structured<unknown> => has(value, STRUCTURED);

/** True for a content block that `text`, `image` or another function of `content.ts` made. */
const isMarkedContent = (value: unknown): value is ContentBlock => has(value, CONTENT);

/** The values that a synchronous generator yields. Those of an asynchronous one are already in a list. */
function listOf(value: unknown): unknown {
  const isList = has(value, Symbol.iterator) && !Array.isArray(value);
  return isList ? [...(value as Iterable<unknown>)] : value;
}

/** The text block of a value: a string stays as it is, everything else becomes JSON. */
export function textOf(json: unknown): string {
  return typeof json === 'string' ? json : ((writeJson(json) as string | undefined) ?? '');
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

/** Without an output schema, blocks need no mark: nothing says that they are meant as data. */
function asContent(value: unknown, hasOutputSchema: boolean): ContentBlock[] | undefined {
  const isBlock = hasOutputSchema ? isMarkedContent : isContentBlock;
  if (isBlock(value)) return [value];
  if (!Array.isArray(value) || !value.some(isBlock)) return undefined;
  return value.map((item): ContentBlock =>
    isBlock(item) ? item : { type: 'text', text: textOf(toJson(item)) },
  );
}

/**
 * The result of a tool whose structured content was checked against its output schema and written as JSON.
 * The text block, the audit log, the size limit and the transport use that text. When somebody asks for the
 * data, it is parsed from the text. The data may have been changed afterwards, so it is then written again.
 */
export class WrittenResult implements ToolResult {
  content: ContentBlock[];
  /** An own and enumerable member, so that middleware may spread a result. */
  declare structuredContent: unknown;
  declare _meta?: Record<string, unknown>;
  declare isError?: boolean;
  #written: Written | undefined;
  #data: unknown;

  /**
   * @param from content and `_meta`; without content, the data is also the text
   * @param structured the written JSON
   */
  constructor(
    from: { readonly content?: readonly ContentBlock[] | undefined; _meta?: ToolResult['_meta'] },
    structured: Written,
  ) {
    this.content = from.content ? [...from.content] : [{ type: 'text', text: textOfWritten(structured) }];
    if (from._meta) this._meta = from._meta;
    this.#written = structured;
    Object.defineProperty(this, 'structuredContent', accessor);
  }

  /** The written JSON of a result's structured content, if it is still up to date. */
  static of(result: object): Written | undefined {
    return #written in result ? result.#written : undefined;
  }

  static read(result: WrittenResult): unknown {
    const written = result.#written;
    if (!written) return result.#data;
    result.#written = undefined;
    // The author's schema may say that a number is there. It would lose digits.
    return (result.#data = JSON.parse(quoteLongIntegers(written.json)) as unknown);
  }

  static replace(result: WrittenResult, data: unknown): void {
    result.#written = undefined;
    result.#data = data;
  }
}

/** One accessor for all results. Separate functions for each result would cost more than the text. */
const accessor: PropertyDescriptor & ThisType<WrittenResult> = {
  enumerable: true,
  configurable: true,
  get() {
    return WrittenResult.read(this);
  },
  set(data: unknown) {
    WrittenResult.replace(this, data);
  },
};

/** A string is its own text; everything else is shown as JSON. */
function textOfWritten({ json }: Written): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The JSON text of a result's structured content; `undefined` when it has none. */
export function structuredText(result: ToolResult): string | undefined {
  const written = WrittenResult.of(result);
  if (written) return written.json;
  const { structuredContent } = result;
  return structuredContent === undefined ? undefined : writeJson(structuredContent);
}

/** The one text that contains the whole result: its content only repeats the structured content. */
export function wholeText(result: object): string | undefined {
  const written = WrittenResult.of(result);
  const { content, _meta } = result as ToolResult;
  const [only] = content ?? [];
  const isAll =
    written && !_meta && content.length === 1 && only?.type === 'text' && only.text === written.json;
  return isAll && Object.keys(only).length === 2 ? written.json : undefined;
}

/** The text of content that is one text and nothing else. */
function onlyText(content: readonly ContentBlock[]): string | undefined {
  const [only] = content;
  if (content.length !== 1 || only?.type !== 'text') return undefined;
  const [first, second, ...others] = Object.keys(only);
  return first === 'type' && second === 'text' && others.length === 0 ? only.text : undefined;
}

/** Characters. Writing a shorter text twice costs less than remembering it. */
const LONG = 1024;

/** Writes a result that is one long text and nothing else; `undefined` for any other result. */
export function writeLongText(result: ToolResult): WrittenText | undefined {
  const { content } = result;
  const text = Array.isArray(content) ? onlyText(content) : undefined;
  if (typeof text !== 'string' || text.length < LONG || Object.keys(result).length > 1) return undefined;
  return { text, json: writeJson(result) };
}

const BEFORE_CONTENT = '{"content":'.length;

/** What a model reads of an error that has no text: models' APIs refuse an error without content. */
const FAILED: ContentBlock = { type: 'text', text: 'The tool failed and gave no reason.' };

/**
 * The content of a result as JSON. Empty texts are left out: models' APIs refuse the whole conversation for one.
 *
 * @param written a result that need not be written again if it has the same text
 */
export function contentText(
  content: readonly ContentBlock[],
  written?: WrittenText,
  isError?: boolean,
): string {
  if (written && onlyText(content) === written.text) return written.json.slice(BEFORE_CONTENT, -1);
  const kept = content.some(isEmpty) ? content.filter((block) => !isEmpty(block)) : content;
  return writeJson(kept.length === 0 && isError ? [FAILED] : kept);
}

function isEmpty(block: ContentBlock): boolean {
  return block.type === 'text' && block.text === '';
}
