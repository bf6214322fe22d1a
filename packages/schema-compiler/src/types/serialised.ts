import { ts } from 'typescript-json-schema';

/** `toJSON()` decides what a result looks like; arguments are built from the fields. */
export function serialised(
  type: ts.Type,
  checker: ts.TypeChecker,
): { kind: 'same'; as: ts.Type } | undefined {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
  const method = type.getProperty('toJSON');
  const result = method && checker.getTypeOfSymbol(method).getCallSignatures()[0]?.getReturnType();
  return result && result !== type ? { kind: 'same', as: result } : undefined;
}
