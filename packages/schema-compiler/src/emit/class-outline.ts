import { outlineOf } from '@toolwright/manifest';
import { ts } from '../generator/tjs-adapter.js';
import { baseOf } from '../types/members.js';

/**
 * The outline of a class, from its syntax. Undefined if a member has a computed name, because the name exists
 * only at run time.
 */
export function outlineOfDeclaration(declaration: ts.ClassLikeDeclaration): string | undefined {
  const members = new Set<string>();
  const statics = new Set<string>();
  for (const member of declaration.members) {
    if (!isOnClass(member)) continue;
    if (ts.isPrivateIdentifier(member.name)) continue;
    if (ts.isComputedPropertyName(member.name)) {
      if (isWellKnownSymbol(member.name.expression)) continue;
      return undefined;
    }
    const isStatic = !!(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static);
    (isStatic ? statics : members).add(member.name.text);
  }
  return outlineOf({
    members: [...members],
    statics: [...statics],
    arity: constructorArity(declaration),
    isDerived: baseOf(declaration) !== undefined,
  });
}

/**
 * The fields that the emitted code of a class without methods and accessors names, with whatever options: those
 * with a value, and the parameters that are fields too. Any minified text may have shorter names.
 */
export function fieldsOfDeclaration({ members }: ts.ClassLikeDeclaration): string[] {
  if (members.some(isOnClass)) return [];
  const own = members.find((member) => ts.isConstructorDeclaration(member));
  const fields = [
    ...members.filter(
      (member) =>
        ts.isPropertyDeclaration(member) &&
        member.initializer !== undefined &&
        !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static),
    ),
    ...(own?.parameters ?? []).filter((parameter) => ts.isParameterPropertyDeclaration(parameter, own!)),
  ];
  return fields
    .flatMap(({ name }) => (name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : []))
    .filter((name) => /^[\w$]{3,}$/.test(name));
}

type Emitted = (ts.MethodDeclaration | ts.AccessorDeclaration | ts.PropertyDeclaration) & {
  name: ts.PropertyName;
};

/** Methods with a body, accessors, and `accessor` fields. Abstract members exist only in the source. */
function isOnClass(member: ts.ClassElement): member is Emitted {
  const flags = ts.getCombinedModifierFlags(member);
  if (flags & (ts.ModifierFlags.Abstract | ts.ModifierFlags.Ambient)) return false;
  if (ts.isMethodDeclaration(member)) return member.body !== undefined;
  if (ts.isPropertyDeclaration(member)) return (flags & ts.ModifierFlags.Accessor) !== 0;
  return ts.isGetAccessor(member) || ts.isSetAccessor(member);
}

/** `Symbol.iterator`: the running class does not count symbols either. */
function isWellKnownSymbol(expression: ts.Expression): boolean {
  return (
    ts.isPropertyAccessExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    expression.expression.text === 'Symbol'
  );
}

/** As `length` counts: up to the first default. A class without its own constructor has 0. */
function constructorArity({ members }: ts.ClassLikeDeclaration): number {
  const own = members.find((member) => ts.isConstructorDeclaration(member) && member.body !== undefined) as
    ts.ConstructorDeclaration | undefined;
  const parameters = own?.parameters ?? [];
  const end = parameters.findIndex(({ initializer, dotDotDotToken }) => initializer ?? dotDotDotToken);
  return end < 0 ? parameters.length : end;
}
