import { ts } from 'typescript-json-schema';

/** For results, `toJSON()` decides what is sent. Arguments are built from the fields. */
export function serialised(
  type: ts.Type,
  checker: ts.TypeChecker,
): { kind: 'same'; as: ts.Type } | undefined {
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
  const method = type.getProperty('toJSON');
  const result = method && checker.getTypeOfSymbol(method).getCallSignatures()[0]?.getReturnType();
  return result && result !== type ? { kind: 'same', as: result } : undefined;
}
