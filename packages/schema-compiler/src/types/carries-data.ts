import type { ts } from 'typescript-json-schema';
import { asyncItem, classifyType } from './classify-type.js';
import { isNothing } from './members.js';

/**
 * Whether JSON contains a property of this type. It contains no functions, and no properties without values.
 */
export function carriesData(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (isNothing(type)) return false;
  const value = checker.getNonNullableType(type);
  const parts = value.isUnion() ? value.types : [value];
  return parts.length === 0 || !parts.every((part) => isFunction(part, checker));
}

function isFunction(type: ts.Type, checker: ts.TypeChecker): boolean {
  return classifyType(type, checker)?.kind === 'function' && !asyncItem(type, checker);
}
