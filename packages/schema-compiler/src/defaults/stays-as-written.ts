import { ts } from '../generator/tjs-adapter.js';

/**
 * How many levels of an object or a list literal nobody can change: all of them in `as const` and in a variable
 * that its own file never changes, one in `Object.freeze`, else none.
 */
export function fixedLevels(value: ts.Expression, checker: ts.TypeChecker): number {
  let at: ts.Node = value;
  // `as const satisfies Limits`
  while (isTransparent(at) && !isConstAssertion(at)) at = at.expression;
  for (let level = 0; ;) {
    if (isConstAssertion(at) || (isFreeze(at) && at.arguments.some(isConstAssertion))) return Infinity;
    if (isFreeze(at)) return Math.max(0, 1 - level);
    const { parent } = at;
    if (ts.isVariableDeclaration(parent)) {
      const symbol = checker.getSymbolAtLocation(parent.name);
      return symbol && isUntouched(symbol, parent, checker) ? Infinity : 0;
    }
    if (isFreeze(parent) && isInside(at, parent)) return Math.max(0, 1 - level);
    if (ts.isArrayLiteralExpression(parent) || ts.isObjectLiteralExpression(parent)) level++;
    else if (!isTransparent(parent) && !ts.isPropertyAssignment(parent)) return 0;
    at = parent;
  }
}

/** An expression without the parentheses and type assertions around it, which do not change a value. */
export function unwrap(node: ts.Expression): ts.Expression {
  return isTransparent(node) ? unwrap(node.expression) : node;
}

function isTransparent(
  node: ts.Node,
): node is
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.SatisfiesExpression
  | ts.NonNullExpression
  | ts.TypeAssertion {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
  );
}

function isConstAssertion(node: ts.Node): boolean {
  return (
    (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && ts.isConstTypeReference(node.type)
  );
}

function isFreeze(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === 'Object.freeze';
}

function isInside(node: ts.Node, { arguments: [first] }: ts.CallExpression): boolean {
  return node === first;
}

const untouched = new WeakMap<ts.Symbol, boolean>();

/**
 * Whether a `const` keeps the value that it begins with: no other file can reach it, and its own file only reads
 * from it.
 */
function isUntouched(
  symbol: ts.Symbol,
  declaration: ts.VariableDeclaration,
  checker: ts.TypeChecker,
): boolean {
  const known = untouched.get(symbol);
  if (known !== undefined) return known;
  const isExported = !!(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export);
  const isConst = !!(ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const);
  const file = declaration.getSourceFile();
  const isShared = isExported || !isConst || !ts.isExternalModule(file) || file.isDeclarationFile;
  const isKept = !isShared && onlyReads(file, { symbol, name: declaration.name, checker });
  untouched.set(symbol, isKept);
  return isKept;
}

interface Sought {
  readonly symbol: ts.Symbol;
  readonly name: ts.BindingName;
  readonly checker: ts.TypeChecker;
}

function onlyReads(node: ts.Node, sought: Sought): boolean {
  if (ts.isIdentifier(node)) return node === sought.name || !isOf(node, sought) || isRead(node, sought);
  return !ts.forEachChild(node, (child) => !onlyReads(child, sought));
}

function isOf(node: ts.Identifier, { symbol, name, checker }: Sought): boolean {
  if (!ts.isIdentifier(name) || node.text !== name.text) return false;
  const { parent } = node;
  if (ts.isExportSpecifier(parent)) return true;
  if (ts.isShorthandPropertyAssignment(parent))
    return checker.getShorthandAssignmentValueSymbol(parent) === symbol;
  return checker.getSymbolAtLocation(node) === symbol;
}

/** Methods of lists that change nothing and hand nothing on. */
const READING = new Set(['includes', 'indexOf', 'join', 'at', 'has', 'get']);
/** Functions of `Object` that only look at it. */
const LOOKING = new Set(['Object.keys', 'Object.values', 'Object.entries', 'Object.freeze']);

/** Whether a use of the variable, or of a part of it, leaves it as it is. */
function isRead(use: ts.Node, { checker }: Sought): boolean {
  let at = use;
  while (isTransparent(at.parent) || isAccess(at.parent, at)) at = at.parent;
  const { parent } = at;
  if (ts.isTypeQueryNode(parent) || ts.isDecorator(parent.parent)) return true;
  if (ts.isCallExpression(parent) && parent.expression === at)
    return ts.isPropertyAccessExpression(at) && READING.has(at.name.text);
  const type = checker.getTypeAtLocation(at);
  if (isPrimitive(type)) return at !== use && !isWritten(at);
  return isCopied(at, parent) && isFlat(type, checker);
}

/** Only the parts go on from here. */
function isCopied(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isForOfStatement(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent)) return LOOKING.has(parent.expression.getText());
  return ts.isSpreadElement(parent) || ts.isSpreadAssignment(parent);
}

function isAccess(node: ts.Node, of: ts.Node): boolean {
  return (
    (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) && node.expression === of
  );
}

/** Whether the code assigns to a place: also in a pattern, as in `[limits.most] = [50]`. */
function isWritten(place: ts.Node): boolean {
  let at = place;
  while (isPatternPart(at.parent)) at = at.parent;
  const { parent } = at;
  if (ts.isBinaryExpression(parent)) return parent.left === at && isAssignment(parent.operatorToken.kind);
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === at;
  return (
    ts.isDeleteExpression(parent) || ts.isPostfixUnaryExpression(parent) || ts.isPrefixUnaryExpression(parent)
  );
}

function isPatternPart(node: ts.Node): boolean {
  return (
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isSpreadElement(node) ||
    ts.isSpreadAssignment(node)
  );
}

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

function isFlat(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return checker.getTypeArguments(type as ts.TypeReference).every(isPrimitive);
  return checker.getPropertiesOfType(type).every((part) => isPrimitive(checker.getTypeOfSymbol(part)));
}

const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null;

function isPrimitive(type: ts.Type): boolean {
  return type.isUnion() ? type.types.every(isPrimitive) : !!(type.flags & PRIMITIVE);
}
