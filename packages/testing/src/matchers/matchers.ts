import { originOf } from '@toolwright/client';
import { explainValue } from '@toolwright/core/checks';
import type { JsonSchema } from '@toolwright/manifest';
import { inspect } from 'node:util';

/** What Jest expects a matcher to return. */
interface Verdict {
  pass: boolean;
  message(): string;
}

/** The part of Jest's `this` in a matcher that is used here. */
interface MatcherContext {
  readonly isNot?: boolean;
}

interface ResultLike {
  isError?: unknown;
  content?: { type: string; text?: string }[];
}

/**
 * Passes for a result with `isError: true` whose text contains `expected` (a string) or matches it (a
 * pattern). A JSON-RPC error has no result: in that case, expect the call to reject with an `RpcError`.
 */
function toBeToolError(this: MatcherContext, received: unknown, expected?: string | RegExp): Verdict {
  const { isError, content } = (received ?? {}) as ResultLike;
  const text =
    content?.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n') ?? '';
  const fits =
    expected === undefined || (expected instanceof RegExp ? expected.test(text) : text.includes(expected));
  const wanted = expected === undefined ? 'a tool error' : `a tool error saying ${inspect(expected)}`;
  const was = isError === true ? `an error saying ${inspect(text)}` : inspect(received, { depth: 4 });
  return {
    pass: isError === true && fits,
    message: () => `Expected ${this.isNot ? 'anything but ' : ''}${wanted}, but received ${was}.`,
  };
}

/**
 * Passes for a result whose `structuredContent` fits the tool's published output schema.
 *
 * @param schema replaces the published schema; it is needed for results that did not come from `client.call`
 */
async function toMatchOutputSchema(
  this: MatcherContext,
  received: unknown,
  schema?: JsonSchema,
): Promise<Verdict> {
  const expected = schema ?? (await publishedSchema(received));
  const { isError, structuredContent } = (received ?? {}) as {
    isError?: boolean;
    structuredContent?: unknown;
  };
  const problem = isError ? 'is an error' : findProblem(expected, structuredContent);
  return {
    pass: problem === undefined,
    message: () =>
      problem === undefined
        ? 'Expected the result not to match the output schema, but it does.'
        : `Expected the result to match the output schema, but it ${problem}: ${inspect(received, { depth: 6 })}`,
  };
}

async function publishedSchema(result: unknown): Promise<JsonSchema> {
  const origin = originOf(result);
  if (!origin)
    throw new TypeError(
      'This is no result of client.call(): pass the schema to toMatchOutputSchema(schema).',
    );
  const listed = (await origin.client.tools()).find(({ name }) => name === origin.tool);
  if (!listed?.outputSchema) throw new TypeError(`The tool ${origin.tool} publishes no output schema.`);
  return listed.outputSchema;
}

function findProblem(schema: JsonSchema, value: unknown): string | undefined {
  if (value === undefined) return 'has no structuredContent';
  const problems = explainValue(schema, value);
  if (problems.length === 0) return undefined;
  return `differs: ${problems.map(({ pointer, message }) => `structuredContent${pointer}: ${message}`).join(', ')}`;
}

/**
 * The matchers, for `expect.extend(matchers)`. The Jest preset calls that for you.
 *
 * @example
 * expect(await client.call('delete_page', { pageId: 'none' })).toBeToolError(/no page/i);
 * await expect(client.call('search_pages', { query: 'schema' })).resolves.toMatchOutputSchema();
 */
export const matchers = { toBeToolError, toMatchOutputSchema };

/** The methods that the matchers add to `expect`. */
export interface ToolMatchers<R> {
  /** Passes for a result with `isError: true` whose text contains or matches `expected`. */
  toBeToolError(expected?: string | RegExp): R;
  /**
   * Passes for a result whose `structuredContent` fits the tool's published output schema. It is async, so
   * use `await`.
   */
  toMatchOutputSchema(schema?: JsonSchema): Promise<R>;
}

declare global {
  // The name and the parameters are Jest's own: interfaces merge only when they are the same.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
    interface Matchers<R, T = {}> extends ToolMatchers<R> {}
  }
}
