import { ts } from 'typescript-json-schema';
import { foldConstant } from '../defaults/fold-constant.js';

/**
 * The names of class-validator's own options. An object with one of these names is no argument of the check.
 */
const OPTION_NAMES = new Set(['message', 'each', 'groups', 'always', 'context', 'validateIf']);

/** The arguments of a validation decorator, separated from class-validator's own options. */
export interface ReadArguments {
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

/** Undefined if the node is no object of options. */
function optionNames(node: ts.Expression, checker: ts.TypeChecker): string[] | 'unknown' | undefined {
  if (ts.isObjectLiteralExpression(node) && !node.properties.some(ts.isSpreadAssignment)) {
    const names = node.properties.filter(isSwitchedOn).map(({ name }) => name?.getText() ?? '');
    return names.some((name) => OPTION_NAMES.has(name)) ? names : undefined;
  }
  const folded = foldConstant(node, checker)?.value;
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
