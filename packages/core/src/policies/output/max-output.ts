import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { positive } from '../../base/options/rules.js';
import { definePolicy } from '../define-policy.js';

/** The limit in bytes of JSON, or in tokens. A token is estimated at four characters. */
export type MaxOutputOptions = { bytes: number; tokens?: never } | { tokens: number; bytes?: never };

const maxOutputOptions = {
  bytes: positive,
  tokens: positive,
} satisfies OptionSchema<{ bytes?: number; tokens?: number }>;

/** The estimated characters of a token. Models differ; English prose has about four. */
const charactersPerToken = 4;

/**
 * Limits the size of a tool's result. Arrays lose items from their end, and the result still fits its schema.
 * Long text is cut. A note tells the model that there is more. If a result cannot be cut, the call is
 * answered with an error that says so. Errors have the same limit: they are cut at their end. Prompts and
 * resources are never cut: one that is too large is answered with an error.
 *
 * @example
 * @McpTool()
 * @MaxOutput({ tokens: 8_000 }) async listPages(): Promise<Page[]> { … }
 */
export const MaxOutput = definePolicy('maxOutput', {
  parse: (options: MaxOutputOptions): { bytes: number } => {
    parseOptions('@MaxOutput', maxOutputOptions, options);
    const bytes = options.bytes ?? options.tokens * charactersPerToken;
    if (!Number.isInteger(bytes) || bytes < 1)
      throw new RangeError(`${bytes} is not a positive whole number.`);
    return { bytes };
  },
});
