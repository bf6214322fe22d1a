import { ts } from 'typescript-json-schema';
import { templatePattern } from './template-pattern.js';
import type { Definition } from './tjs-internals.js';

/** The pattern that typescript-json-schema writes for a number key. */
const NUMERIC_KEY = '^[0-9]+$';

/** The keywords for the index signatures of a type, including inherited and mapped ones. */
export function indexSignatures(
  type: ts.Type,
  checker: ts.TypeChecker,
  define: (value: ts.Type) => Definition,
): Definition {
  const keywords: Definition = {};
  const patterns: Record<string, Definition> = {};
  for (const { keyType, type: value } of checker.getIndexInfosOfType(type)) {
    if (keyType.flags & ts.TypeFlags.ESSymbolLike) continue;
    const pattern = keyPattern(keyType);
    // `Record<string, never>` is an object without properties.
    if (value.flags & ts.TypeFlags.Never) keywords.additionalProperties ??= false;
    else if (pattern === undefined) keywords.additionalProperties = define(value);
    else patterns[pattern] = define(value);
  }
  if (Object.keys(patterns).length > 0) keywords.patternProperties = patterns;
  return keywords;
}

/** The pattern of a key; undefined for a key that may be any string, including a branded string. */
function keyPattern(key: ts.Type): string | undefined {
  if (key.isIntersection()) {
    const carrier = key.types.find((part) => !(part.flags & ts.TypeFlags.Object));
    return carrier && keyPattern(carrier);
  }
  if (key.flags & ts.TypeFlags.Number) return NUMERIC_KEY;
  if (key.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) {
    return templatePattern(key as ts.TemplateLiteralType);
  }
  return undefined;
}
