/** The part of a tool result that a view reads. */
interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The text of a result: what the model reads. */
export function textOf({ content = [] }: ToolResult): string {
  return content
    .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
    .join('\n');
}

/** What a server answers that wants a call to be confirmed, and that cannot ask through the client (`@Confirm`, `fallback: 'argument'`). */
const toConfirm =
  /^Nothing was done yet \(confirmation_required\)\. Ask the user: ([^]*)\nOnly if they agree, call again/;

/** The question of a server that waits for a confirmation. */
export function questionIn(result: ToolResult): string | undefined {
  return toConfirm.exec(textOf(result))?.[1];
}

/**
 * The value that the method returned.
 *
 * @param isWrapped true for a tool whose value is not an object: older revisions send it as the member `result` of one
 */
export function valueOf(result: ToolResult, isWrapped: boolean): unknown {
  const { structuredContent } = result;
  if (structuredContent !== undefined)
    return isWrapped && isWrapper(structuredContent) ? structuredContent.result : structuredContent;
  const text = textOf(result);
  try {
    // Some hosts hand on only the text, which is the same value as JSON.
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isWrapper(value: unknown): value is { readonly result: unknown } {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'result';
}
