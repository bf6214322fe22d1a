import { type Definition, ts } from '../generator/tjs-adapter.js';
import type { PropertyRules } from '../validators/property-rules.js';
import { carriesData } from './live-object.js';
import { type SchemaRole, acceptsUndefined, initialiserOf, isClassAccessor, isHidden } from './members.js';
import { templatePattern, textTypesOf } from './template-pattern.js';
import { isLeftOut } from './unsendable.js';

/** In JavaScript, a property with this name sets the prototype and is not data. */
export const PROTO = '__proto__';

/** Which properties of an object its JSON contains, and which of them are required. */
export class JsonProperties {
  constructor(
    private readonly checker: ts.TypeChecker,
    readonly rules: PropertyRules,
  ) {}

  /** The properties, with their names in JSON. */
  of(type: ts.Type, role: SchemaRole): { name: string; symbol: ts.Symbol }[] {
    const found: { name: string; symbol: ts.Symbol }[] = [];
    for (const symbol of this.checker.getPropertiesOfType(type)) {
      if (symbol.flags & ts.SymbolFlags.Method || isHidden(symbol)) continue;
      const name = this.rules.jsonName(symbol, role);
      if (name === undefined || name === PROTO || (isClassAccessor(symbol) && !this.travels(symbol, role)))
        continue;
      if (role === 'input' && isLeftOut(symbol, this.checker)) continue;
      if (carriesData(this.checker.getTypeOfSymbol(symbol), this.checker)) found.push({ name, symbol });
    }
    return found;
  }

  /** Accessors with a value that can be set, which look like properties and are not in the JSON. */
  leftOutAccessors(type: ts.Type, role: SchemaRole): ts.Symbol[] {
    return this.checker
      .getPropertiesOfType(type)
      .filter((symbol) => isClassAccessor(symbol) && symbol.flags & ts.SymbolFlags.SetAccessor)
      .filter((symbol) => !isHidden(symbol) && !this.travels(symbol, role))
      .filter((symbol) => this.rules.jsonName(symbol, role) !== undefined);
  }

  /** Reports what class-transformer leaves out. */
  checkLeftOut(type: ts.Type, role: SchemaRole): void {
    for (const symbol of this.checker.getPropertiesOfType(type)) {
      const isData = !(symbol.flags & ts.SymbolFlags.Method) && !isHidden(symbol);
      if (isData && this.rules.jsonName(symbol, role) === undefined) this.rules.checkLeftOut(symbol, role);
    }
  }

  isRequired(symbol: ts.Symbol, role: SchemaRole): boolean {
    if (role === 'input' && this.rules.isDemanded(symbol)) return true;
    if (symbol.flags & ts.SymbolFlags.Optional) return false;
    if (acceptsUndefined(this.checker.getTypeOfSymbol(symbol))) return false;
    if (role === 'output') return true;
    return !initialiserOf(symbol) && !this.rules.isOptional(symbol);
  }

  /**
   * Whether an accessor is part of the JSON: in results an exposed getter, in arguments anything that can be
   * set.
   */
  private travels(accessor: ts.Symbol, role: SchemaRole): boolean {
    const way = role === 'output' ? ts.SymbolFlags.GetAccessor : ts.SymbolFlags.SetAccessor;
    return !!(accessor.flags & way) && this.rules.isExposed(accessor);
  }
}

/** The names of number keys: JavaScript writes each number in one way. */
const NUMERIC_KEY = '^-?(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?(?:e[+-]\\d+)?$';

/** The index signatures of a type, including inherited and mapped ones, with the patterns of their keys. */
export function signaturesOf(
  type: ts.Type,
  checker: ts.TypeChecker,
): { pattern: string | undefined; value: ts.Type; declaration: ts.Declaration | undefined }[] {
  return checker
    .getIndexInfosOfType(type)
    .filter(({ keyType }) => !(keyType.flags & ts.TypeFlags.ESSymbolLike))
    .map(({ keyType, type: value, declaration }) => ({ pattern: keyPattern(keyType), value, declaration }));
}

/** The keywords for the index signatures of a type. */
export function indexSignatures(
  type: ts.Type,
  checker: ts.TypeChecker,
  define: (value: ts.Type, declaration?: ts.Declaration) => Definition,
): Definition {
  const keywords: Definition = {};
  const patterns: Record<string, Definition> = {};
  for (const { pattern, value, declaration } of signaturesOf(type, checker)) {
    // `Record<string, never>` is an object without properties.
    if (value.flags & ts.TypeFlags.Never) keywords.additionalProperties ??= false;
    else if (pattern === undefined) keywords.additionalProperties = define(value, declaration);
    else patterns[pattern] = define(value, declaration);
  }
  if (Object.keys(patterns).length > 0) keywords.patternProperties = patterns;
  return keywords;
}

/** The pattern of a key; undefined for a key that may be any string, including a branded string. */
function keyPattern(key: ts.Type): string | undefined {
  if (key.flags & ts.TypeFlags.Number) return NUMERIC_KEY;
  return textTypesOf(key).length > 0 ? templatePattern(key) : undefined;
}
