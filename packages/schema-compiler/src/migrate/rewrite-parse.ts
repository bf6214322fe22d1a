import { ts } from 'typescript-json-schema';
import { valueOf } from './constants.js';
import type { InlineHandler } from './plan-parameters.js';
import { referencesTo } from './references.js';
import type { Rewriter } from './rewriter.js';

/** The server has checked the arguments already, so `Schema.parse(args)` is `args`. */
export function rewriteParse(
  args: ts.ParameterDeclaration,
  input: ts.Expression,
  { handler, rewriter, checker }: { handler: InlineHandler; rewriter: Rewriter; checker: ts.TypeChecker },
): void {
  const schema = valueOf(input, checker);
  for (const use of referencesTo(args, handler.body, checker)) {
    const call = use.parent;
    if (!ts.isCallExpression(call) || call.arguments[0] !== use) continue;
    const { expression: callee } = call;
    const isParse = ts.isPropertyAccessExpression(callee) && callee.name.text === 'parse';
    if (isParse && valueOf(callee.expression, checker) === schema) rewriter.replace(call, use.text);
  }
}
