import type { Passes } from '@toolwright/manifest';
import { ts } from 'typescript-json-schema';

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
