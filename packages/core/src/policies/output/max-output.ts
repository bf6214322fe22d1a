import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { positive } from '../../base/options/rules.js';
import { definePolicy } from '../define-policy.js';

/** Either bytes of JSON, or tokens at an estimated four characters each. */
export type MaxOutputOptions = { bytes: number; tokens?: never } | { tokens: number; bytes?: never };

const maxOutputOptions = {
  bytes: positive,
  tokens: positive,
} satisfies OptionSchema<{ bytes?: number; tokens?: number }>;

/** Characters of a token, estimated: models differ, and English prose has about four. */
const charactersPerToken = 4;

/**
 * Bounds a tool's result. Arrays are cut from their end so that the result still fits its schema, long text is cut, and
 * a note tells the model that there is more. A result that cannot be cut is answered with an error that says so. Errors
 * keep to the same bound: they are told from their beginning. Prompts and resources are never cut: a larger one is answered with
 * an error.
 *
 * @example
 * @McpTool()
 * @MaxOutput({ tokens: 8_000 })
 * async listPages(): Promise<Page[]> { … }
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
