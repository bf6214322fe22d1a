import { ts } from '@toolwright/schema-compiler/project';
import { declarationOf } from '../migrate/constants.js';
import { exportedName } from '../migrate/sdk-server.js';

const CORE = /^@toolwright\/core$/;

/** Object literals that are options, each with the others of which the same options are made. */
export type OptionRoots = Map<ts.ObjectLiteralExpression, ts.ObjectLiteralExpression[]>;

/**
 * Finds the object literals of a file that are options of `createMcpServer`: its argument, what the argument takes from
 * constants, spreads and functions of the project, and what has the type `ServerOptions`. They may be in other files.
 */
export function findOptionLiterals(file: ts.SourceFile, checker: ts.TypeChecker, found: OptionRoots): void {
  const add = (node: ts.Node | undefined) => {
    const literals = literalsOf(node, checker);
    for (const literal of literals) {
      const known = found.get(literal) ?? [];
      found.set(literal, [...new Set([...known, ...literals.filter((each) => each !== literal)])]);
    }
  };
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (ts.isCallExpression(node) && makesServer(node.expression, checker)) {
      add(node.arguments[0]);
    } else if (ts.isObjectLiteralExpression(node) && isTypedAsOptions(node, checker)) {
      add(node);
    }
  };
  visit(file);
}

function makesServer(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  const name = 'createMcpServer';
  if (ts.isPropertyAccessExpression(callee))
    return callee.name.text === name && exportedName(callee.expression, CORE, checker) === '*';
  return exportedName(callee, CORE, checker) === name;
}

/** The object literals that an expression may be, also behind constants, spreads, conditions and functions. */
export function literalsOf(
  node: ts.Node | undefined,
  checker: ts.TypeChecker,
  seen = new Set<ts.Node>(),
): ts.ObjectLiteralExpression[] {
  if (!node || seen.has(node)) return [];
  seen.add(node);
  const next = (each: ts.Node | undefined) => literalsOf(each, checker, seen);
  if (ts.isObjectLiteralExpression(node)) {
    const spread = node.properties.filter(ts.isSpreadAssignment);
    return [node, ...spread.flatMap(({ expression }) => next(expression))];
  }
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node)
  )
    return next(node.expression);
  if (ts.isConditionalExpression(node)) return [...next(node.whenTrue), ...next(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...next(node.left), ...next(node.right)];
  if (ts.isCallExpression(node)) return next(calledFunction(node, checker));
  if (ts.isIdentifier(node)) {
    const declaration = declarationOf(node, checker);
    return declaration && ts.isVariableDeclaration(declaration) ? next(declaration.initializer) : [];
  }
  if (ts.isFunctionLike(node) && 'body' in node && node.body) {
    const { body } = node;
    return ts.isBlock(body) ? returnsOf(body).flatMap(next) : next(body);
  }
  return [];
}

function calledFunction({ expression }: ts.CallExpression, checker: ts.TypeChecker): ts.Node | undefined {
  const declaration = declarationOf(expression, checker);
  if (declaration && ts.isVariableDeclaration(declaration)) return declaration.initializer;
  return declaration;
}

function returnsOf(body: ts.Block): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

/** Whether the place of a literal wants `ServerOptions`, or a type that has all of its members. */
function isTypedAsOptions(node: ts.ObjectLiteralExpression, checker: ts.TypeChecker): boolean {
  const annotation = annotationOf(node);
  if (annotation && namesServerOptions(annotation, checker)) return true;
  const type = checker.getContextualType(node);
  return type !== undefined && isServerOptions(type, checker);
}

/** Types that have the members of their argument, or lead to it. */
const WRAPPING = /^(Partial|Readonly|Required|Promise)$/;

/** The type that is written where a literal is assigned. It counts also if core is not installed. */
function annotationOf(node: ts.Node): ts.TypeNode | undefined {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isParameter(parent))
    return parent.initializer === node ? parent.type : undefined;
  if (ts.isSatisfiesExpression(parent) || ts.isAsExpression(parent)) return parent.type;
  if (ts.isParenthesizedExpression(parent)) return annotationOf(parent);
  if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) {
    const made = ts.findAncestor(parent, ts.isFunctionLike);
    return made?.type;
  }
  return undefined;
}

function namesServerOptions(type: ts.TypeNode, checker: ts.TypeChecker): boolean {
  if (!ts.isTypeReferenceNode(type)) return false;
  if (exportedName(type.typeName, CORE, checker) === 'ServerOptions') return true;
  const wraps = ts.isIdentifier(type.typeName) && WRAPPING.test(type.typeName.text);
  return wraps && type.typeArguments?.some((each) => namesServerOptions(each, checker)) === true;
}

function isServerOptions(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnionOrIntersection()) return type.types.some((each) => isServerOptions(each, checker));
  const isPartial = WRAPPING.test(type.aliasSymbol?.name ?? '');
  if (isPartial && type.aliasTypeArguments?.some((each) => isServerOptions(each, checker))) return true;
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
  if (symbol?.name === 'ServerOptions' && /[\\/](@toolwright|packages)[\\/]core[\\/]/.test(file)) return true;
  return (
    type.isClassOrInterface() && checker.getBaseTypes(type).some((base) => isServerOptions(base, checker))
  );
}

/** A member of an object literal that is written out. */
export type Member = ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.MethodDeclaration;

export function membersNamed({ properties }: ts.ObjectLiteralExpression, name: string): Member[] {
  return properties.filter(
    (each): each is Member =>
      (ts.isPropertyAssignment(each) ||
        ts.isShorthandPropertyAssignment(each) ||
        ts.isMethodDeclaration(each)) &&
      (ts.isIdentifier(each.name) || ts.isStringLiteral(each.name)) &&
      each.name.text === name,
  );
}
