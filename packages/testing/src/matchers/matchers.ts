import type { JsonSchema } from '@toolwright/manifest';
import { toBeToolError } from './to-be-tool-error.js';
import { toMatchOutputSchema } from './to-match-output-schema.js';

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
