import type { JsonSchema } from '@toolwright/json';
import { unwrap } from '../defaults/stays-as-written.js';
import { ts } from '../generator/tjs-adapter.js';

/** Methods of strings that return a string. */
const TEXT_METHODS = new Set([
  'trim', 'trimStart', 'trimEnd', 'toLowerCase', 'toUpperCase', 'toLocaleLowerCase', 'toLocaleUpperCase', 'normalize',
  'replace', 'replaceAll', 'slice', 'substring', 'toString',
]); // prettier-ignore

/** Functions that return a value of the type if they get one. */
const CONVERSIONS = new Set(['Number', 'String', 'Boolean', 'parseInt', 'parseFloat', 'BigInt']);

/**
 * Whether a `@Transform` certainly accepts values of the declared type, as `({ value }) => value.trim()` and
 * `({ value }) => Number(value)` do. Only the author knows what else it accepts.
 */
export function transformPreservesType(transform: ts.Expression | undefined): boolean {
  if (!transform || !ts.isArrowFunction(transform) || ts.isBlock(transform.body)) return false;
  const value = valueName(transform.parameters[0]);
  return value !== undefined && keeps(transform.body, value);
}

function valueName(parameter: ts.ParameterDeclaration | undefined): ((node: ts.Node) => boolean) | undefined {
  if (!parameter) return undefined;
  if (ts.isIdentifier(parameter.name)) {
    const { text } = parameter.name;
    return (node) =>
      ts.isPropertyAccessExpression(node) && node.name.text === 'value' && node.expression.getText() === text;
  }
  if (!ts.isObjectBindingPattern(parameter.name)) return undefined;
  const element = parameter.name.elements.find(
    (each) => (each.propertyName ?? each.name).getText() === 'value',
  );
  const name = element?.name.getText();
  return (node) => ts.isIdentifier(node) && node.text === name;
}

function keeps(written: ts.Expression, isValue: (node: ts.Node) => boolean): boolean {
  const node = unwrap(written);
  if (isValue(node)) return true;
  if (ts.isConditionalExpression(node))
    return keeps(node.whenTrue, isValue) && keeps(node.whenFalse, isValue);
  if (ts.isBinaryExpression(node) && isFallback(node)) return keeps(node.left, isValue);
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusToken && keeps(node.operand, isValue);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.length === 1 && isValue(unwrap(node.elements[0]!));
  if (ts.isNewExpression(node))
    return node.expression.getText() === 'Date' && !!node.arguments?.[0] && keeps(node.arguments[0], isValue);
  if (!ts.isCallExpression(node)) return false;
  const { expression, arguments: written0 } = node;
  if (ts.isIdentifier(expression))
    return CONVERSIONS.has(expression.text) && written0[0] !== undefined && keeps(written0[0], isValue);
  return (
    ts.isPropertyAccessExpression(expression) &&
    TEXT_METHODS.has(expression.name.text) &&
    keeps(expression.expression, isValue)
  );
}

function isFallback({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
}

/** Whether a `@Transform` removes the spaces around a text before its length is checked. */
export function trims(transform: ts.Expression | undefined): boolean {
  return transform !== undefined && /\.trim\(\)/.test(transform.getText());
}

/** A schema for a text that has its minimum length without the spaces around it. */
export function trimmed(schema: JsonSchema): JsonSchema {
  const { minLength, pattern } = schema;
  if (minLength === undefined || minLength < 1 || pattern !== undefined) return schema;
  const inner = minLength === 1 ? '\\S' : `\\S[^]{${minLength - 2},}\\S`;
  return { ...schema, pattern: inner };
}
