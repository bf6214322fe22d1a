import { ts } from 'typescript-json-schema';
import { declarationOf } from './constants.js';
import type { InlineHandler } from './plan-parameters.js';
import { localsAround, namesIn } from './references.js';
import { Refusal } from './refusal.js';
import type { Rewriter } from './rewriter.js';
import { isSdkServer } from './sdk-server.js';

/** A parameter of the function that registers. The constructor of the new class takes it in its place. */
export interface BoundParameter {
  readonly name: string;
  readonly type: string;
  /** The name of the parameter, or where it is taken out of one. */
  readonly declaration: ts.ParameterDeclaration | ts.BindingElement;
}

/**
 * What a handler uses of the function around it. Its parameters become fields of the class, since a class belongs to the
 * module.
 *
 * @throws {Refusal} the handler uses something else that a class cannot reach
 */
export function bindParameters(
  handler: InlineHandler,
  owner: ts.ClassDeclaration | undefined,
  { rewriter, checker }: { rewriter: Rewriter; checker: ts.TypeChecker },
): BoundParameter[] {
  if (handler.asteriskToken)
    throw new Refusal(handler, 'The handler is a generator.', 'Write the method by hand.');
  const server = namesIn(handler).find((each) => isSdkServer(each, checker));
  if (server)
    throw new Refusal(
      server,
      'The handler uses the server of the SDK.',
      'Write the method by hand, and use ctx: ToolContext for messages to the client (docs/context.md).',
    );
  // In an arrow function, `this` is the object whose method registers. The new method belongs to the same class.
  if (usesThis(handler.body) && !(owner && ts.isArrowFunction(handler)))
    throw new Refusal(handler, 'The handler uses "this".', 'Make it a method of that class.');
  const bound = new Map<string, BoundParameter>();
  for (const local of localsAround(handler, checker)) {
    const declaration = owner ? undefined : parameterOf(local, handler, checker);
    if (!declaration)
      throw new Refusal(
        local,
        `The handler uses "${local.text}", which belongs to the function around it.`,
        `Move "${local.text}" to the module, or write the class by hand and take it in the constructor (docs/dependency-injection.md).`,
      );
    bound.set(local.text, { name: local.text, type: typeOf(declaration, checker), declaration });
    const isShort = ts.isShorthandPropertyAssignment(local.parent);
    rewriter.replace(local, isShort ? `${local.text}: this.${local.text}` : `this.${local.text}`);
  }
  return [...bound.values()];
}

/** The parameter of a function around the handler, if `this` in its place would be the new class. */
function parameterOf(
  local: ts.Identifier,
  handler: InlineHandler,
  checker: ts.TypeChecker,
): BoundParameter['declaration'] | undefined {
  const declaration = declarationOf(local, checker);
  if (!declaration) return undefined;
  const isParameter = ts.isParameter(declaration) && ts.isIdentifier(declaration.name);
  const isTakenOut =
    ts.isBindingElement(declaration) && ts.findAncestor(declaration, ts.isParameter) !== undefined;
  if (!isParameter && !isTakenOut) return undefined;
  // A function with a `this` of its own stands between.
  const between = ts.findAncestor(local, (each) => each === handler || ownsThis(each));
  return between === handler ? declaration : undefined;
}

function typeOf(declaration: BoundParameter['declaration'], checker: ts.TypeChecker): string {
  if (ts.isParameter(declaration) && declaration.type && !declaration.questionToken)
    return declaration.type.getText();
  const type = checker.getTypeAtLocation(declaration);
  return checker.typeToString(type, declaration, ts.TypeFormatFlags.NoTruncation);
}

function ownsThis(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node);
}

function usesThis(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ThisKeyword) return true;
  return (
    !ownsThis(node) &&
    !ts.isClassLike(node) &&
    (ts.forEachChild(node, (each) => usesThis(each) || undefined) ?? false)
  );
}
