import type { OptionSchema } from '../../base/options/option-schema.js';
import { parseOptions } from '../../base/options/parse-options.js';
import { callback, either, oneOf, text } from '../../base/options/rules.js';
import { definePolicy } from '../define-policy.js';

export interface ConfirmOptions {
  /**
   * What a client gets that cannot ask its user. `'refuse'` (default): a refusal. `'argument'`: the tool takes one more
   * argument, `confirmed: boolean`; without it the call does nothing, and its answer asks the model, in prose with the
   * word `confirmation_required`, to ask its user and call again. The argument counts after such an answer to the same call, and once.
   */
  fallback?: 'refuse' | 'argument';
}

/**
 * What to ask: a text, or a function of the (validated and revived) arguments and of the instance that the method will be
 * called on. It may look up what the arguments mean, and throw a `ToolError` where there is nothing to ask about. It runs
 * in each round of the call, and outside of the tool's deadline.
 */
/* eslint-disable @typescript-eslint/no-explicit-any -- the author knows the types of the arguments and of the class */
export type ConfirmMessage = string | ((args: any, service: any) => string | Promise<string>);
/* eslint-enable @typescript-eslint/no-explicit-any */

const confirmOptions = {
  fallback: { ...oneOf('refuse', 'argument'), default: 'refuse' },
} satisfies OptionSchema<ConfirmOptions>;

/** The message is named in problems like an option. */
const confirmArguments = { message: either(text, callback) };

export interface ConfirmPolicy extends Required<ConfirmOptions> {
  message: ConfirmMessage | undefined;
}

/**
 * Asks the person behind the client before the tool runs, or the prompt or resource is given. On a class it does not hold
 * for tools with `readOnlyHint: true`; on the method of one it does. An accepted question comes from the client and is no
 * proof that a human saw it.
 *
 * @param message default: `Run <title of the tool>?`, `Read <title of the resource>?`
 * @example
 * @McpTool({ annotations: { destructiveHint: true } })
 * @Confirm(async ({ pageId }, { pages }: PageTools) => `Delete the page ${await pages.titleOf(pageId)}?`)
 * async deletePage(pageId: string) { … }
 */
export const Confirm = definePolicy('confirm', {
  parse: (message?: ConfirmMessage, options: ConfirmOptions = {}): ConfirmPolicy => ({
    ...parseOptions('@Confirm', confirmArguments, { message }),
    ...parseOptions('@Confirm', confirmOptions, options),
  }),
});
