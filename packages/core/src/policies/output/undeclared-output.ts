import type { Undeclared } from '../../call/serialiser/output-node.js';
import { definePolicy } from '../define-policy.js';

const ways: readonly Undeclared[] = ['drop', 'keep', 'refuse'];

/**
 * Sets for one operation what happens to returned data that its output schema does not declare. It is left
 * out, passed on, or refused like any output that breaks its schema. Without it, the server's option
 * `output.undeclared` applies.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @UndeclaredOutput('refuse') readAccount(id: string): Account { … }
 */
export const UndeclaredOutput = definePolicy('undeclaredOutput', {
  parse: (way: Undeclared): Undeclared => {
    if (!ways.includes(way))
      throw new RangeError(
        `${JSON.stringify(way)} is none of ${ways.map((each) => `'${each}'`).join(', ')}.`,
      );
    return way;
  },
});
