import { type Definition, ts } from '../generator/tjs-adapter.js';
import { unwrap } from '../defaults/stays-as-written.js';
import { foldWritten } from '../defaults/fold-constant.js';
import type { FoundDecorator } from '../discover/package-symbols.js';
import { fitsSchema } from '../generator/value-problems.js';
import { meaningOf } from '../types/members.js';

type Resolve = (schema: Definition) => Definition;

/** How class-transformer finds the class of a value: by the text that one of its properties has. */
export interface Discriminator {
  readonly node: ts.Decorator;
  /** The name of the property; undefined if the names of the classes are known only at run time. */
  readonly property?: string;
  /** The class for values whose name is unknown. */
  readonly base: ts.Type | undefined;
  readonly classes: readonly { readonly name: string; readonly type: ts.Type }[];
}

/** Reads `@Type(() => Base, { discriminator: { property, subTypes } })`. */
export function readDiscriminator(
  { node, arguments: [base, options] }: FoundDecorator,
  checker: ts.TypeChecker,
): Discriminator | undefined {
  const literals = new Literals(checker);
  const given = options && literals.memberOf(options, 'discriminator');
  if (!options || (given === undefined && literals.object(options))) return undefined;
  const unknown = { node, base: base && instanceOf(base, checker), classes: [] };
  const property = given && literals.textOf(given, 'property');
  const list = given && literals.memberOf(given, 'subTypes');
  if (property === undefined || !list || !ts.isArrayLiteralExpression(list)) return unknown;
  const classes = list.elements.flatMap((each) => {
    const value = literals.memberOf(each, 'value');
    const type = value && checker.getTypeAtLocation(value).getConstructSignatures()[0]?.getReturnType();
    const name = literals.textOf(each, 'name');
    return type && name !== undefined ? { name, type } : [];
  });
  return classes.length === list.elements.length ? { ...unknown, property, classes } : unknown;
}

function instanceOf(base: ts.Expression, checker: ts.TypeChecker): ts.Type | undefined {
  const [made] = checker.getTypeAtLocation(base).getCallSignatures();
  const signatures = made?.getReturnType().getConstructSignatures() ?? [];
  return signatures[0]?.getReturnType() ?? prototypeOf(made?.getReturnType(), checker);
}

/** An abstract class has no construct signature that can be called, but its static side has `prototype`. */
function prototypeOf(type: ts.Type | undefined, checker: ts.TypeChecker): ts.Type | undefined {
  const prototype = type?.getProperty('prototype');
  return prototype && checker.getTypeOfSymbol(prototype);
}

/** Object and list literals, also behind constants. */
class Literals {
  constructor(private readonly checker: ts.TypeChecker) {}

  object(node: ts.Expression): ts.ObjectLiteralExpression | undefined {
    const inner = this.follow(node);
    return ts.isObjectLiteralExpression(inner) ? inner : undefined;
  }

  memberOf(node: ts.Expression, name: string): ts.Expression | undefined {
    const member = this.object(node)?.properties.find((each) => each.name?.getText() === name);
    if (member && ts.isPropertyAssignment(member)) return this.follow(member.initializer);
    return member && ts.isShorthandPropertyAssignment(member) ? this.follow(member.name) : undefined;
  }

  textOf(node: ts.Expression, name: string): string | undefined {
    const member = this.memberOf(node, name);
    const value = member && foldWritten(member, this.checker)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  private follow(node: ts.Expression): ts.Expression {
    const inner = unwrap(node);
    if (!ts.isIdentifier(inner)) return inner;
    const declaration = meaningOf(inner, this.checker)?.valueDeclaration;
    const isConst =
      declaration &&
      ts.isVariableDeclaration(declaration) &&
      ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const;
    return isConst && declaration.initializer ? this.follow(declaration.initializer) : inner;
  }
}

/** What the schema of a property with a discriminator is made with. */
interface Tools {
  readonly define: (type: ts.Type) => Definition;
  readonly resolve: Resolve;
  readonly report: (detail: string, node: ts.Node) => void;
}

/**
 * Writes the name of each class into its alternative of a schema, so that callers see how to choose it. Reports where the
 * names or the classes do not fit the declared type, because no caller could then choose them.
 */
export function addDiscriminator(
  definition: Definition,
  { node, property, base, classes }: Discriminator,
  { define, resolve, report }: Tools,
): Definition {
  if (property === undefined) {
    report('The names of its classes are known only at run time.', node);
    return definition;
  }
  const known = classes.map(({ name, type }) => ({ name, type, text: JSON.stringify(define(type)) }));
  const found = new Set<string>();
  const baseText = base && JSON.stringify(define(base));
  const named = replaceValues(definition, resolve, (value) => {
    const text = JSON.stringify(value);
    const all = known.filter((each) => each.text === text);
    for (const { name } of all) found.add(name);
    if (all.length > 0) {
      const names = all.map(({ name }) => name);
      const declared = resolve(value).properties?.[property];
      const unfit = declared ? names.filter((name) => !fitsSchema(name, declared, resolve)) : [];
      for (const name of unfit) report(`The type of ${property} does not have the name "${name}".`, node);
      return unfit.length > 0 ? value : withName(resolve(value), property, names);
    }
    if (text !== baseText && resolve(value).type === 'object')
      report('It has no name for a class of the declared type.', node);
    return value;
  });
  for (const { name, type } of known)
    if (!found.has(name))
      report(`The declared type does not have ${type.symbol.name}, the class of "${name}".`, node);
  return named;
}

/** An alternative with its name. The schema of a type that contains itself is not complete yet, so it is referred to. */
function withName(whole: Definition, property: string, names: readonly string[]): Definition {
  const { $ref, ...rest } = whole;
  const own = rest.properties?.[property] as Definition | undefined;
  const name = names.length === 1 ? { const: names[0] } : { enum: names };
  if ($ref !== undefined)
    return { allOf: [{ $ref }, { type: 'object', properties: { [property]: name }, required: [property] }] };
  const required = [...new Set([...(rest.required ?? []), property])].sort();
  return {
    ...rest,
    properties: { ...rest.properties, [property]: { ...own, type: 'string', ...name } },
    required,
  };
}

/** Replaces the alternatives of a value, or of the items of a list. */
function replaceValues(
  definition: Definition,
  resolve: Resolve,
  replace: (value: Definition) => Definition,
): Definition {
  const whole = resolve(definition);
  if (Array.isArray(whole.anyOf))
    return {
      ...whole,
      anyOf: whole.anyOf.map((each) => replaceValues(each as Definition, resolve, replace)),
    };
  if ((whole.type !== 'array' && whole.additionalProperties === undefined) || whole.properties)
    return replace(definition);
  const place = whole.type === 'array' ? 'items' : 'additionalProperties';
  const inner = whole[place] as Definition | boolean | undefined;
  if (typeof inner !== 'object' || Array.isArray(inner)) return replace(definition);
  return { ...whole, [place]: replaceValues(inner, resolve, replace) };
}
