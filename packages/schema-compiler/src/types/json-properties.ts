import { ts } from 'typescript-json-schema';
import type { PropertyRules } from '../validators/property-rules.js';
import { carriesData } from './carries-data.js';
import { acceptsUndefined, initialiserOf, isClassAccessor, isHidden } from './members.js';
import type { Role } from './role.js';
import { isLeftOut } from './unsendable.js';

/** In JavaScript, a property with this name sets the prototype and is no data. */
export const PROTO = '__proto__';

/** Which properties of an object its JSON contains, and which of them are required. */
export class JsonProperties {
  constructor(
    private readonly checker: ts.TypeChecker,
    readonly rules: PropertyRules,
  ) {}

  /** The properties, with their names in JSON. */
  of(type: ts.Type, role: Role): { name: string; symbol: ts.Symbol }[] {
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

  isRequired(symbol: ts.Symbol, role: Role): boolean {
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
  private travels(accessor: ts.Symbol, role: Role): boolean {
    const way = role === 'output' ? ts.SymbolFlags.GetAccessor : ts.SymbolFlags.SetAccessor;
    return !!(accessor.flags & way) && this.rules.isExposed(accessor);
  }
}
