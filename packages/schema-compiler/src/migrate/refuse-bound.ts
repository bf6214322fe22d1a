import { ts } from 'typescript-json-schema';
import type { InlineHandler } from './plan-parameters.js';
import { localsAround, namesIn } from './references.js';
import { Refusal } from './refusal.js';
import { isSdkServer } from './sdk-server.js';

/** A class is of the module: what a function around the handler or `this` holds is out of its reach. */
export function refuseWhatIsBound(handler: InlineHandler, checker: ts.TypeChecker): void {
  if (handler.asteriskToken)
    throw new Refusal(handler, 'The handler is a generator.', 'Write the method by hand.');
  const server = namesIn(handler).find((each) => isSdkServer(each, checker));
  if (server)
    throw new Refusal(
      server,
      'The handler uses the server of the SDK.',
      'Write the method by hand, and use ctx: ToolContext for messages to the client (docs/context.md).',
    );
  const [local] = localsAround(handler, checker);
  if (local)
    throw new Refusal(
      local,
      `The handler uses "${local.text}", which belongs to the function around it.`,
      `Move "${local.text}" to the module, or write the class by hand and take it in the constructor (docs/dependency-injection.md).`,
    );
  if (usesThis(handler.body))
    throw new Refusal(handler, 'The handler uses "this".', 'Make it a method of that class.');
}

function usesThis(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ThisKeyword) return true;
  const hasOwn = ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isClassLike(node);
  return !hasOwn && (ts.forEachChild(node, (each) => usesThis(each) || undefined) ?? false);
}
