import { ts } from '../generator/tjs-adapter.js';
import { fixedLevels, unwrap } from './stays-as-written.js';
import { behindImports } from '../types/members.js';

/** A constant value. It is wrapped in an object, because `undefined` and `null` are values, too. */
export interface Folded {
  value: unknown;
}

const MAX_DEPTH = 32;

/**
 * Evaluates the constant expressions that people write as defaults and decorator arguments: literals, arrays,
 * objects, spreads of constants, arithmetic, templates, `const` variables, enum members and properties of
 * constant objects. It never runs code. For anything else it returns undefined, also for an object that the
 * program could change before it uses it: the value at run time is the one that counts.
 */
export function foldConstant(node: ts.Expression, checker: ts.TypeChecker): Folded | undefined {
  return new Folder(checker, true).fold(node, 0);
}

/**
 * The same for what only the source can say, such as the argument of `@Schema`. Objects count as they are written,
 * whether or not the program could change them.
 */
export function foldWritten(node: ts.Expression, checker: ts.TypeChecker): Folded | undefined {
  return new Folder(checker, false).fold(node, 0);
}

class Folder {
  constructor(
    private readonly checker: ts.TypeChecker,
    /** Objects that could change are not constant. */
    private readonly mustStay: boolean,
  ) {}

  fold(node: ts.Expression, depth: number): Folded | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const inner = unwrap(node);
    if (ts.isStringLiteralLike(inner)) return { value: inner.text };
    if (ts.isNumericLiteral(inner)) return { value: Number(inner.text) };
    if (ts.isBigIntLiteral(inner)) return { value: BigInt(inner.text.slice(0, -1).replaceAll('_', '')) };
    if (inner.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
    if (inner.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
    if (inner.kind === ts.SyntaxKind.NullKeyword) return { value: null };
    if (ts.isRegularExpressionLiteral(inner)) return foldRegExp(inner);
    if (ts.isPrefixUnaryExpression(inner)) return this.foldUnary(inner, depth);
    if (ts.isBinaryExpression(inner)) return this.foldBinary(inner, depth);
    if (ts.isTemplateExpression(inner)) return this.foldTemplate(inner, depth);
    if (ts.isArrayLiteralExpression(inner)) return this.foldArray(inner, depth);
    if (ts.isObjectLiteralExpression(inner)) return this.foldObject(inner, depth);
    if (ts.isIdentifier(inner)) return this.foldIdentifier(inner, depth);
    if (ts.isPropertyAccessExpression(inner) || ts.isElementAccessExpression(inner))
      return this.foldAccess(inner, depth);
    if (ts.isNewExpression(inner)) return this.foldNew(inner, depth);
    return ts.isCallExpression(inner) ? this.foldCall(inner, depth) : undefined;
  }

  /** `new RegExp('^a+$', 'i')` */
  private foldNew({ expression, arguments: written }: ts.NewExpression, depth: number): Folded | undefined {
    if (!ts.isIdentifier(expression) || expression.text !== 'RegExp') return undefined;
    const [source, flags] = (written ?? []).map((argument) => this.fold(argument, depth + 1)?.value);
    if (typeof source !== 'string' || ((written?.length ?? 0) > 1 && typeof flags !== 'string'))
      return undefined;
    return makeRegExp(source, flags as string | undefined);
  }

  private foldUnary(node: ts.PrefixUnaryExpression, depth: number): Folded | undefined {
    const operand = this.fold(node.operand, depth + 1);
    if (!operand) return undefined;
    const { value } = operand;
    if (node.operator === ts.SyntaxKind.ExclamationToken) return { value: !value };
    if (typeof value === 'bigint' && node.operator === ts.SyntaxKind.MinusToken) return { value: -value };
    if (typeof value !== 'number') return undefined;
    if (node.operator === ts.SyntaxKind.MinusToken) return { value: -value };
    return node.operator === ts.SyntaxKind.PlusToken ? operand : undefined;
  }

  private foldBinary(node: ts.BinaryExpression, depth: number): Folded | undefined {
    const left = this.fold(node.left, depth + 1);
    const right = left && this.fold(node.right, depth + 1);
    if (!left || !right) return undefined;
    const [a, b] = [left.value, right.value];
    const operator = node.operatorToken.kind;
    if (operator === ts.SyntaxKind.PlusToken && (typeof a === 'string' || typeof b === 'string')) {
      return { value: `${String(a)}${String(b)}` };
    }
    if (typeof a !== 'number' || typeof b !== 'number') return undefined;
    const compute = ARITHMETIC[operator];
    return compute && { value: compute(a, b) };
  }

  private foldTemplate(node: ts.TemplateExpression, depth: number): Folded | undefined {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const part = this.fold(span.expression, depth + 1);
      if (!part) return undefined;
      text += String(part.value) + span.literal.text;
    }
    return { value: text };
  }

  private foldArray(node: ts.ArrayLiteralExpression, depth: number): Folded | undefined {
    const values: unknown[] = [];
    for (const element of node.elements) {
      const folded = this.fold(ts.isSpreadElement(element) ? element.expression : element, depth + 1);
      if (!folded) return undefined;
      if (!ts.isSpreadElement(element)) values.push(folded.value);
      else if (Array.isArray(folded.value)) values.push(...(folded.value as unknown[]));
      else return undefined;
    }
    return { value: values };
  }

  private foldObject(node: ts.ObjectLiteralExpression, depth: number): Folded | undefined {
    const object: Record<string, unknown> = {};
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const spread = this.fold(property.expression, depth + 1);
        if (!spread || typeof spread.value !== 'object') return undefined;
        Object.assign(object, spread.value);
        continue;
      }
      const name = this.foldName(property.name, depth);
      const folded = this.foldMember(property, depth);
      if (name === undefined || !folded) return undefined;
      if (folded.value !== undefined) object[name] = folded.value;
    }
    return { value: object };
  }

  private foldMember(property: ts.ObjectLiteralElementLike, depth: number): Folded | undefined {
    if (ts.isPropertyAssignment(property)) return this.fold(property.initializer, depth + 1);
    if (!ts.isShorthandPropertyAssignment(property)) return undefined;
    const symbol = this.checker.getShorthandAssignmentValueSymbol(property);
    return symbol && this.foldSymbol(symbol, depth + 1);
  }

  private foldName(name: ts.PropertyName | undefined, depth: number): string | undefined {
    if (!name || ts.isPrivateIdentifier(name)) return undefined;
    if (!ts.isComputedPropertyName(name)) return name.text;
    const folded = this.fold(name.expression, depth + 1);
    return folded && ['string', 'number'].includes(typeof folded.value) ? String(folded.value) : undefined;
  }

  private foldIdentifier(node: ts.Identifier, depth: number): Folded | undefined {
    if (node.text === 'undefined') return { value: undefined };
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && this.foldSymbol(symbol, depth + 1);
  }

  private foldSymbol(symbol: ts.Symbol, depth: number): Folded | undefined {
    const target = behindImports(symbol, this.checker);
    const declaration = declarationOf(target);
    if (!declaration) return undefined;
    if (ts.isEnumMember(declaration)) {
      const value = this.checker.getConstantValue(declaration);
      return value === undefined ? undefined : { value };
    }
    if (ts.isEnumDeclaration(declaration)) return this.foldEnum(target);
    const folded = isConstant(declaration) ? this.foldDeclared(declaration, depth) : undefined;
    return folded ?? this.foldLiteralType(target, declaration);
  }

  private foldDeclared(declaration: ConstantDeclaration, depth: number): Folded | undefined {
    const { initializer } = declaration;
    if (!initializer) return undefined;
    const isHeld = !ts.isPropertyAssignment(declaration) || this.stays(declaration.parent, 1);
    const folded = isHeld ? this.fold(initializer, depth + 1) : undefined;
    if (!folded || isPrimitive(folded.value)) return folded;
    const isFlat = Object.values(folded.value as object).every(isPrimitive);
    return this.stays(initializer, isFlat ? 1 : Infinity) ? folded : undefined;
  }

  private stays(value: ts.Expression, levels: number): boolean {
    return !this.mustStay || fixedLevels(value, this.checker) >= levels;
  }

  /** The type of a `declare const` in a dependency contains its value. */
  private foldLiteralType(symbol: ts.Symbol, declaration: ts.Declaration): Folded | undefined {
    if (!ts.isVariableDeclaration(declaration) && !ts.isPropertySignature(declaration)) return undefined;
    const type = this.checker.getTypeOfSymbol(symbol);
    return type.isStringLiteral() || type.isNumberLiteral() ? { value: type.value } : undefined;
  }

  /** The object of an enum, which several declarations may describe. One with computed members is not constant. */
  private foldEnum({ declarations = [] }: ts.Symbol): Folded | undefined {
    const object: Record<string, unknown> = {};
    for (const declaration of declarations) {
      // A namespace of the same name adds its exports.
      if (!ts.isEnumDeclaration(declaration)) return undefined;
      for (const member of declaration.members) {
        const value = this.checker.getConstantValue(member);
        const name = ts.isComputedPropertyName(member.name) ? undefined : member.name.text;
        if (value === undefined || name === undefined) return undefined;
        object[name] = value;
        if (typeof value === 'number') object[value] = name;
      }
    }
    return { value: object };
  }

  private foldAccess(
    node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
    depth: number,
  ): Folded | undefined {
    const name = ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression;
    const symbol = this.checker.getSymbolAtLocation(name);
    const declaration = symbol && declarationOf(symbol);
    // A variable between brackets is a key, and does not name the member.
    const isNamed = ts.isPropertyAccessExpression(node) || ts.isStringLiteralLike(name);
    const isMember = declaration && (ts.isEnumMember(declaration) || isConstant(declaration));
    const folded = isNamed && isMember ? this.foldSymbol(symbol!, depth + 1) : undefined;
    if (folded) return folded;
    const object = this.fold(node.expression, depth + 1);
    const key = ts.isPropertyAccessExpression(node)
      ? { value: node.name.text }
      : this.fold(node.argumentExpression, depth + 1);
    if (!object || !key || typeof object.value !== 'object' || object.value === null) return undefined;
    const property = String(key.value);
    if (!Object.hasOwn(object.value, property)) return undefined;
    const value = (object.value as Record<string, unknown>)[property];
    return value === undefined ? undefined : { value };
  }

  /**
   * `Object.values(Enum)`, `Object.keys(…)` and `Object.freeze(…)` are the calls that people write where
   * constants are expected.
   */
  private foldCall(node: ts.CallExpression, depth: number): Folded | undefined {
    const callee = node.expression;
    const [argument] = node.arguments;
    if (!ts.isPropertyAccessExpression(callee) || callee.expression.getText() !== 'Object' || !argument)
      return undefined;
    const folded = this.fold(argument, depth + 1);
    if (!folded || typeof folded.value !== 'object' || folded.value === null) return undefined;
    if (callee.name.text === 'freeze') return folded;
    if (callee.name.text === 'values') return { value: Object.values(folded.value) };
    return callee.name.text === 'keys' ? { value: Object.keys(folded.value) } : undefined;
  }
}

/** Whether nothing can change a value itself. The source and the flags of a regular expression stay. */
function isPrimitive(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof RegExp;
}

const ARITHMETIC: Partial<Record<ts.SyntaxKind, (a: number, b: number) => number>> = {
  [ts.SyntaxKind.PlusToken]: (a, b) => a + b,
  [ts.SyntaxKind.MinusToken]: (a, b) => a - b,
  [ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
  [ts.SyntaxKind.SlashToken]: (a, b) => a / b,
  [ts.SyntaxKind.PercentToken]: (a, b) => a % b,
  [ts.SyntaxKind.AsteriskAsteriskToken]: (a, b) => a ** b,
  [ts.SyntaxKind.LessThanLessThanToken]: (a, b) => a << b,
};

/** A member of `Readonly<T>`, which `Object.freeze` returns, has no value declaration of its own. */
function declarationOf({ valueDeclaration, declarations }: ts.Symbol): ts.Declaration | undefined {
  return valueDeclaration ?? declarations?.[0];
}

type ConstantDeclaration = ts.VariableDeclaration | ts.PropertyAssignment | ts.PropertyDeclaration;

function isConstant(node: ts.Node): node is ConstantDeclaration {
  if (ts.isPropertyAssignment(node)) return true;
  if (ts.isPropertyDeclaration(node)) {
    const flags = ts.getCombinedModifierFlags(node);
    return !!(flags & ts.ModifierFlags.Static && flags & ts.ModifierFlags.Readonly);
  }
  return ts.isVariableDeclaration(node) && !!(ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const);
}

function foldRegExp(node: ts.RegularExpressionLiteral): Folded | undefined {
  const end = node.text.lastIndexOf('/');
  return makeRegExp(node.text.slice(1, end), node.text.slice(end + 1));
}

function makeRegExp(source: string, flags: string | undefined): Folded | undefined {
  try {
    return { value: new RegExp(source, flags) };
  } catch {
    return undefined;
  }
}
