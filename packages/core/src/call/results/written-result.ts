import type { ContentBlock, ToolResult } from '../../base/content.js';
import type { Written } from '@toolwright/json';

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
    return (result.#data = JSON.parse(written.json) as unknown);
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
  return structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
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
