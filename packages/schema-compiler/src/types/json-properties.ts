import { ts } from 'typescript-json-schema';
import type { PropertyRules } from '../validators/property-rules.js';
import { carriesData } from './carries-data.js';
import { acceptsUndefined, initialiserOf, isClassAccessor, isHidden } from './members.js';
import type { Role } from './role.js';
import { isLeftOut } from './unsendable.js';

/** In JavaScript a property of this name is something else than data. */
export const PROTO = '__proto__';

/** Which properties of an object are in its JSON, and which of them have to be. */
export class JsonProperties {
  constructor(
    private readonly checker: ts.TypeChecker,
    readonly rules: PropertyRules,
  ) {}

  /** By their JSON names. */
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

  /** An exposed getter is written out; only a setter can be written to. */
  private travels(accessor: ts.Symbol, role: Role): boolean {
    const way = role === 'output' ? ts.SymbolFlags.GetAccessor : ts.SymbolFlags.SetAccessor;
    return !!(accessor.flags & way) && this.rules.isExposed(accessor);
  }
}
