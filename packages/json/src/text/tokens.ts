/** Tokenizers of models differ; in JSON and in code, about four bytes are a token. */
const BYTES_PER_TOKEN = 4;

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** How many tokens a text of some bytes takes in the context of a model, about. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** How many bytes a text of some tokens has, about. */
export const bytesOfTokens = (tokens: number): number => tokens * BYTES_PER_TOKEN;

/** How many tokens a value takes as JSON, about. Every estimate is this one; only a build counts exactly. */
export function tokensOf(value: unknown): number {
  return estimate(JSON.stringify(value) ?? '');
}

const estimate: CountTokens = (text) => tokensOfBytes(Buffer.byteLength(text));

/** What a list has of a tool, as far as models read it. */
export interface ToolInList {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly annotations?: object | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
}

/**
 * The tokens of one tool in a list, as JSON. Whoever counts tools counts these members.
 *
 * @param count default: the estimate
 */
export function tokensOfTool(tool: ToolInList, count: CountTokens = estimate): number {
  const { name, title, description, annotations, inputSchema, outputSchema } = tool;
  return count(JSON.stringify({ name, title, description, annotations, inputSchema, outputSchema }));
}

/** What a list has of a tool: its description, its arguments, the types that they share, its result. The largest part comes first. */
export function partsOfTool(
  { description = '', inputSchema, outputSchema }: ToolInList,
  count: CountTokens = estimate,
): (readonly [part: string, tokens: number])[] {
  const { properties = {}, $defs = {} } = inputSchema as Record<'properties' | '$defs', object | undefined>;
  const sizeOf = (schema: unknown) => count(JSON.stringify(schema));
  const sized = (what: string, schemas: object) =>
    Object.entries(schemas).map(([name, schema]) => [`${what} ${name}`, sizeOf(schema)] as const);
  const parts = [
    ['its description', count(description)] as const,
    ...sized('the argument', properties),
    ...sized('the type', $defs),
    ...(outputSchema ? [['the schema of its result', sizeOf(outputSchema)] as const] : []),
  ];
  return parts.sort(([, a], [, b]) => b - a);
}
