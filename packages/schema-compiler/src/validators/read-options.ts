import { type Passes, publishedPattern } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { type Folded, foldWritten } from '../defaults/fold-constant.js';
import type { FoundDecorator } from '../discover/package-symbols.js';

/**
 * The names of class-validator's own options. An object with one of these names is not an argument of the check.
 */
const OPTION_NAMES = new Set(['message', 'each', 'groups', 'always', 'context', 'validateIf']);

/** The arguments of a validation decorator, separated from class-validator's own options. */
interface ReadArguments {
  readonly own: readonly ts.Expression[];
  /** The options that are set and not switched off. */
  readonly options: ReadonlySet<string>;
  /** The options are computed, so they are known only at run time. */
  readonly isOpaque: boolean;
}

/**
 * Separates the arguments of a validation decorator from the options. The option `message` may be a function.
 */
export function readArguments(written: readonly ts.Expression[], checker: ts.TypeChecker): ReadArguments {
  const last = written.at(-1);
  const names = last && optionNames(last, checker);
  if (!names) return { own: written, options: new Set(), isOpaque: false };
  const own = written.slice(0, -1);
  return names === 'unknown'
    ? { own, options: new Set(), isOpaque: true }
    : { own, options: new Set(names), isOpaque: false };
}

/** Undefined if the node is not an object of options. */
function optionNames(node: ts.Expression, checker: ts.TypeChecker): string[] | 'unknown' | undefined {
  if (ts.isObjectLiteralExpression(node) && !node.properties.some(ts.isSpreadAssignment)) {
    const names = node.properties
      .filter(isSwitchedOn)
      .map(({ name }) => (name && 'text' in name ? name.text : ''));
    return names.some((name) => OPTION_NAMES.has(name)) ? names : undefined;
  }
  const folded = foldWritten(node, checker)?.value;
  if (typeof folded === 'object' && folded !== null) {
    const names = Object.keys(folded).filter((name) => OPTION_NAMES.has(name));
    return names.length > 0
      ? names.filter((name) => (folded as Record<string, unknown>)[name] !== false)
      : undefined;
  }
  const type = checker.getTypeAtLocation(node);
  const isOptions = (part: ts.Type) => part.getSymbol()?.getName() === 'ValidationOptions';
  return (type.isUnion() ? type.types.some(isOptions) : isOptions(type)) ? 'unknown' : undefined;
}

function isSwitchedOn(property: ts.ObjectLiteralElementLike): boolean {
  return !ts.isPropertyAssignment(property) || property.initializer.kind !== ts.SyntaxKind.FalseKeyword;
}

/**
 * The values that a condition such as `@ValidateIf((_, value) => value !== null)` lets pass unchecked. The
 * condition may also read the value from the object: `(dto) => dto.parent !== undefined`. Undefined for any
 * other condition.
 */
export function readCondition(condition: ts.Expression | undefined, property: string): Passes | undefined {
  if (!condition || !ts.isArrowFunction(condition) || !ts.isBinaryExpression(condition.body))
    return undefined;
  const { left, operatorToken, right } = condition.body;
  if (!isValue(left, condition, property)) return undefined;
  const isNull = right.kind === ts.SyntaxKind.NullKeyword;
  const isUndefined = ts.isIdentifier(right) && right.text === 'undefined';
  if (!isNull && !isUndefined) return undefined;
  if (operatorToken.kind === ts.SyntaxKind.ExclamationEqualsToken) return 'both';
  if (operatorToken.kind !== ts.SyntaxKind.ExclamationEqualsEqualsToken) return undefined;
  return isNull ? 'null' : 'missing';
}

function isValue(node: ts.Expression, { parameters }: ts.ArrowFunction, property: string): boolean {
  const [object, value] = parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined));
  if (ts.isIdentifier(node)) return node.text === value;
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === object &&
    node.name.text === property
  );
}

/** A regular expression that class-validator matches with a text and that no schema contains. */
export interface HiddenPattern {
  source: string;
  flags: string;
  node: ts.Node;
}

/**
 * The regular expressions in the arguments of a decorator, at any depth. `@Matches` also accepts one as text.
 */
export function hiddenPatterns(
  { name, node }: FoundDecorator,
  values: readonly (Folded | undefined)[],
): HiddenPattern[] {
  const [first, second] = values.map((folded) => folded?.value);
  if (name === 'Matches') {
    const flags = typeof second === 'string' ? second : '';
    // The message shows the pattern as written, even if it is published in another form.
    const source = first instanceof RegExp ? first.source : first;
    const isShown = isPattern(first) && publishedPattern(first, flags) === source;
    if (isShown) return [];
    if (typeof first === 'string') return [{ source: first, flags, node }];
  }
  return values
    .flatMap((folded) => regExpsIn(folded?.value))
    .map(({ source, flags }) => ({ source, flags, node }));
}

function isPattern(value: unknown): value is RegExp | string {
  return typeof value === 'string' || value instanceof RegExp;
}

function regExpsIn(value: unknown): RegExp[] {
  if (value instanceof RegExp) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(regExpsIn) : [];
}
