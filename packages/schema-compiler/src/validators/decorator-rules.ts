import type { ts } from 'typescript-json-schema';
import type { Definition } from '../types/tjs-internals.js';
import type { PropertyRules } from './property-rules.js';

/** The decorators of class-validator and class-transformer, as the source has them. */
export class DecoratorRules implements PropertyRules {
  jsonName(property: ts.Symbol, _role: 'input' | 'output'): string | undefined {
    return property.getName();
  }

  isExposed(_property: ts.Symbol): boolean {
    return false;
  }

  isOptional(_property: ts.Symbol): boolean {
    return false;
  }

  apply(_property: ts.Symbol, _definition: Definition, _role: 'input' | 'output'): void {}
}
