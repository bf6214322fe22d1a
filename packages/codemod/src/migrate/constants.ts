import { ts } from '@toolwright/schema-compiler/project';

/** A value that a source writes out. */
export type Constant = string | number | boolean | null | Constant[] | { [name: string]: Constant };

/** The expression without type assertions and parentheses. */
export function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isNonNullExpression(node)
    ? bare(node.expression)
    : node;
}

/** The declaration that a name means, also when the name is imported from another file of the project. */
export function declarationOf(node: ts.Node, checker: ts.TypeChecker): ts.Declaration | undefined {
  const symbol =
    node.parent && ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  if (!symbol) return undefined;
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  // An alias of a package that is not installed leads nowhere. Then the import itself is the declaration.
  return (meant.declarations ?? symbol.declarations)?.[0];
}

/**
 * For the name of a `const`, what it is set to; for `names.add` of such an object, its property. Otherwise the
 * expression itself, bare.
 */
export function valueOf(node: ts.Expression, checker: ts.TypeChecker): ts.Expression {
  const expression = bare(node);
  if (ts.isPropertyAccessExpression(expression)) return propertyOf(expression, checker) ?? expression;
  if (ts.isElementAccessExpression(expression)) return elementOf(expression, checker) ?? expression;
  // `schema ?? {}`, where the schema is written out.
  if (ts.isBinaryExpression(expression) && isFallback(expression.operatorToken.kind)) {
    const first = valueOf(expression.left, checker);
    return first === bare(expression.left) && !isWrittenOut(first) ? expression : first;
  }
  if (!ts.isIdentifier(expression)) return expression;
  const declaration = declarationOf(expression, checker);
  if (declaration && ts.isExportAssignment(declaration)) return valueOf(declaration.expression, checker);
  const isConst =
    declaration &&
    ts.isVariableDeclaration(declaration) &&
    ts.isIdentifier(declaration.name) &&
    declaration.initializer &&
    declaration.parent.flags & ts.NodeFlags.Const;
  return isConst ? valueOf((declaration as ts.VariableDeclaration).initializer!, checker) : expression;
}

const isFallback = (kind: ts.SyntaxKind) =>
  kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;

const isWrittenOut = (node: ts.Expression) =>
  ts.isObjectLiteralExpression(node) || ts.isStringLiteralLike(node) || ts.isPropertyAccessExpression(node);

/** The value of `object.name`, where the object is a constant that is written out. */
function propertyOf(
  { expression, name }: ts.PropertyAccessExpression,
  checker: ts.TypeChecker,
): ts.Expression | undefined {
  const object = valueOf(expression, checker);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find((each) => each.name && nameOf(each.name) === name.text);
  if (!property) return undefined;
  if (ts.isPropertyAssignment(property)) return valueOf(property.initializer, checker);
  return ts.isShorthandPropertyAssignment(property) ? valueOf(property.name, checker) : undefined;
}

/** The value of `list[0]`, where the list is a constant that is written out. */
function elementOf(
  { expression, argumentExpression }: ts.ElementAccessExpression,
  checker: ts.TypeChecker,
): ts.Expression | undefined {
  const list = valueOf(expression, checker);
  if (!ts.isArrayLiteralExpression(list) || !ts.isNumericLiteral(argumentExpression)) return undefined;
  const element = list.elements[Number(argumentExpression.text)];
  return element && !ts.isSpreadElement(element) ? valueOf(element, checker) : undefined;
}

/** The value of an expression that is written out in the source, or undefined. */
export function constantOf(node: ts.Expression, checker: ts.TypeChecker): { value: Constant } | undefined {
  const expression = valueOf(node, checker);
  if (ts.isPropertyAccessExpression(expression)) {
    const member = declarationOf(expression.name, checker);
    const value = member && ts.isEnumMember(member) ? checker.getConstantValue(member) : undefined;
    return value === undefined ? undefined : { value };
  }
  if (ts.isStringLiteralLike(expression)) return { value: expression.text };
  if (ts.isNumericLiteral(expression)) return { value: Number(expression.text.replaceAll('_', '')) };
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (expression.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isPrefixUnaryExpression(expression)) return negative(expression, checker);
  if (ts.isBinaryExpression(expression)) return concatenation(expression, checker);
  if (ts.isArrayLiteralExpression(expression)) {
    const items = expression.elements.map((each) => constantOf(each, checker));
    return items.every((each) => each !== undefined) ? { value: items.map(({ value }) => value) } : undefined;
  }
  return ts.isObjectLiteralExpression(expression) ? constantObject(expression, checker) : undefined;
}

function negative(node: ts.PrefixUnaryExpression, checker: ts.TypeChecker): { value: Constant } | undefined {
  const inner = constantOf(node.operand, checker);
  const isNegative = node.operator === ts.SyntaxKind.MinusToken && typeof inner?.value === 'number';
  return isNegative ? { value: -(inner.value as number) } : undefined;
}

function concatenation(node: ts.BinaryExpression, checker: ts.TypeChecker): { value: Constant } | undefined {
  if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const sides = [constantOf(node.left, checker)?.value, constantOf(node.right, checker)?.value];
  return sides.every((side) => typeof side === 'string') ? { value: sides.join('') } : undefined;
}

function constantObject(
  node: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
): { value: Constant } | undefined {
  const value: { [name: string]: Constant } = {};
  for (const property of node.properties) {
    const name = property.name && nameOf(property.name);
    const from = ts.isPropertyAssignment(property)
      ? property.initializer
      : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : undefined;
    const constant = from && constantOf(from, checker);
    if (name === undefined || !constant) return undefined;
    value[name] = constant.value;
  }
  return { value };
}

/** The text of a property's name, unless it is computed. */
export function nameOf(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? name.text
    : undefined;
}

/** The properties of an object literal by name, or undefined if it has others than plain ones. */
export function propertiesOf(node: ts.ObjectLiteralExpression): Map<string, ts.Expression> | undefined {
  const found = new Map<string, ts.Expression>();
  for (const property of node.properties) {
    const name = property.name && nameOf(property.name);
    if (name === undefined) return undefined;
    if (ts.isPropertyAssignment(property)) found.set(name, property.initializer);
    else if (ts.isShorthandPropertyAssignment(property)) found.set(name, property.name);
    else return undefined;
  }
  return found;
}

/** How a file is written, so that new code looks like the old. */
export interface CodeStyle {
  readonly quote: string;
  /** One level of indentation. */
  readonly indent: string;
}

export function codeStyleOf(file: ts.SourceFile): CodeStyle {
  const imports = file.statements
    .filter(ts.isImportDeclaration)
    .map((each) => each.moduleSpecifier.getText(file));
  const double = imports.filter((text) => text.startsWith('"')).length;
  const [, indent = '  '] = /\n(\t| {2,8})(?=[^\s*/])/.exec(file.text) ?? [];
  return { quote: double * 2 > imports.length ? '"' : "'", indent };
}

/** A string literal. */
export function printText(text: string, quote: string): string {
  const json = JSON.stringify(text);
  if (quote === '"') return json;
  return text.includes("'") && !text.includes('"')
    ? json
    : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A value as a source writes it: on one line if it is short. */
export function printValue(value: Constant, style: CodeStyle, margin = ''): string {
  if (typeof value === 'string') return printText(value, style.quote);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = margin + style.indent;
  const parts = Array.isArray(value)
    ? value.map((each) => printValue(each, style, inner))
    : Object.entries(value).map(
        ([name, each]) => `${printName(name, style.quote)}: ${printValue(each, style, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (!line.includes('\n') && line.length + margin.length <= 90) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${margin}${close}`;
}

/** The name of a property, in quotes if it needs them. */
export function printName(name: string, quote: string): string {
  return isIdentifierName(name) ? name : printText(name, quote);
}

export function isIdentifierName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Words that cannot name a parameter. */
export function isReserved(name: string): boolean {
  const kind = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, name).scan();
  return (
    kind !== ts.SyntaxKind.Identifier &&
    (kind < ts.SyntaxKind.AbstractKeyword || kind === ts.SyntaxKind.AwaitKeyword)
  );
}
