import { ts } from 'typescript-json-schema';

/** This depth gives a name that a reader of `$defs` recognises. */
const MAX_DEPTH = 3;

/**
 * A name for a type: its alias or declaration, with the names of its type arguments. It need not be unique.
 * The compiler never prints the type, because that would take longer than creating the schema.
 */
export function typeName(type: ts.Type, checker: ts.TypeChecker, depth = 0): string {
  const alias = type.aliasSymbol;
  const symbol = alias ?? type.getSymbol();
  if (!symbol || isAnonymous(type)) return intrinsicName(type) ?? propertyName(type) ?? 'Type';
  const args = alias ? (type.aliasTypeArguments ?? []) : typeArguments(type, checker);
  if (args.length === 0 || depth >= MAX_DEPTH) return symbol.name;
  return `${symbol.name}<${args.map((arg) => typeName(arg, checker, depth + 1)).join(',')}>`;
}

/** Whether a type was written without a name. */
export function isAnonymous(type: ts.Type): boolean {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  return !symbol || symbol.escapedName.toString().startsWith('__');
}

/** `address: { … }` gets the name of the property. */
function propertyName(type: ts.Type): string | undefined {
  const holder = type.getSymbol()?.declarations?.[0]?.parent;
  const name = holder && ts.isPropertySignature(holder) && ts.isIdentifier(holder.name) && holder.name.text;
  return name ? name.charAt(0).toUpperCase() + name.slice(1) : undefined;
}

function typeArguments(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const reference =
    type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference;
  if (!reference) return [];
  const { typeParameters } = (type as ts.TypeReference).target;
  // The last type argument of a class that refers to itself is its `this` type, which has no declared
  // parameter.
  return checker.getTypeArguments(type as ts.TypeReference).slice(0, typeParameters?.length ?? 0);
}

function intrinsicName(type: ts.Type): string | undefined {
  return (type as ts.Type & { intrinsicName?: string }).intrinsicName;
}
