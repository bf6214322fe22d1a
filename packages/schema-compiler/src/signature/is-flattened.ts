import { ts } from 'typescript-json-schema';
import { classifyType } from '../types/classify-type.js';

/**
 * A single parameter is the whole input if it is a plain object or a DTO. A map is not flattened: its keys
 * are data, and without the name of the parameter nothing would explain them.
 */
export function isFlattened(type: ts.Type, checker: ts.TypeChecker): boolean {
  const value = checker.getNonNullableType(type);
  const special = classifyType(value, checker);
  if (special?.kind === 'parameter') return !!special.constraint && isFlattened(special.constraint, checker);
  if (acceptsNull(type) || !(value.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return false;
  if (special || checker.isArrayLikeType(value)) return false;
  return checker.getPropertiesOfType(value).length > 0 || checker.getIndexInfosOfType(value).length === 0;
}

/** The arguments of a call are an object, never null. */
function acceptsNull(type: ts.Type): boolean {
  return type.isUnion() && type.types.some((part) => part.flags & ts.TypeFlags.Null);
}
