import { ts } from 'typescript-json-schema';
import type { PropertyRules } from '../validators/property-rules.js';

/** The class that `@Type` names for a property whose declared type is `any`, or a list of `any`. */
export function openClass(
  property: ts.Symbol,
  type: ts.Type,
  { tc: checker, properties: { rules } }: { tc: ts.TypeChecker; properties: { rules: PropertyRules } },
): { type: ts.Type; isList: boolean } | undefined {
  const declared = type.isUnion() ? checker.getNonNullableType(type) : type;
  const isList = checker.isArrayType(declared);
  const [item] = isList ? checker.getTypeArguments(declared as ts.TypeReference) : [declared];
  if (!item || !(item.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown))) return undefined;
  const known = rules.classOfOpen(property);
  return known && { type: known, isList };
}
