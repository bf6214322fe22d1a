import { ts } from 'typescript-json-schema';
import { foldConstant } from '../defaults/fold-constant.js';
import { findDecorators } from '../discover/find-decorators.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import type { Role } from '../types/role.js';
import type { Definition } from '../types/tjs-internals.js';
import { translateConstraint } from './constraint-table.js';
import type { Constraint } from './constraint.js';
import type { HiddenPattern } from './hidden-patterns.js';
import type { KnownOfProperty, PropertyRules, RuleFault } from './property-rules.js';
import {
  directionOf,
  readPropertyDecorators,
  type Direction,
  type PropertyDecorators,
} from './read-property-decorators.js';
import { disagreements, unfitDecorators } from './unfit-decorators.js';

/** How much of a class is left to do at run time once Ajv has accepted a value. */
export type Validation = 'skip' | 'residual' | 'full';

/** The decorators of class-validator and class-transformer, as the source has them. */
export class DecoratorRules implements PropertyRules {
  private readonly decorators = new Map<ts.Symbol, PropertyDecorators>();
  private readonly inexactProperties = new Set<ts.Symbol | ts.Declaration>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly symbols: PackageSymbols,
  ) {}

  jsonName(property: ts.Symbol, role: Role): string | undefined {
    const { expose, exclude } = this.of(property);
    if (exclude && concerns(exclude, role)) return undefined;
    if (!expose && this.isClassExcluded(property, role)) return undefined;
    return expose?.name !== undefined && concerns(expose.direction, role) ? expose.name : property.getName();
  }

  isExposed(property: ts.Symbol): boolean {
    return this.of(property).expose !== undefined;
  }

  isOptional(property: ts.Symbol): boolean {
    return this.of(property).optional;
  }

  apply(property: ts.Symbol, definition: Definition, role: Role): void {
    const { constraints, conditional, sensitive } = this.of(property);
    if (sensitive) definition['x-sensitive'] = true;
    if (role === 'output' || conditional) return;
    for (const constraint of constraints) {
      if (!this.applyOne(constraint, definition)) this.inexactProperties.add(declared(property));
    }
  }

  faults(property: ts.Symbol, definition: Definition, { tags, resolve }: KnownOfProperty): RuleFault[] {
    const { constraints } = this.of(property);
    if (constraints.length === 0) return [];
    const unfit = unfitDecorators(constraints, definition, resolve).map(({ decorator, accepts, types }) => ({
      code: 'TW_SCHEMA_DECORATOR_TYPE' as const,
      detail: `@${decorator} takes values of type ${accepts} alone, and the type is ${types.join(' or ')}.`,
    }));
    const disagreeing = disagreements(constraints, tags, definition).map(({ tag, decorator }) => ({
      code: 'TW_SCHEMA_TAG_CONFLICT' as const,
      detail: `The tag ${tag} is not what the decorator says: ${decorator}.`,
    }));
    return [...unfit, ...disagreeing];
  }

  /** What class-validator and class-transformer have left to do for a class. Ask after its schema was made. */
  validationOf(properties: ts.Symbol[]): { validation: Validation; mergeRuntime: boolean } {
    const read = properties.map((property) => this.of(property));
    const mergeRuntime = read.some(({ opaque }) => opaque);
    if (mergeRuntime || read.some(({ full }) => full)) return { validation: 'full', mergeRuntime };
    const inexact = properties.some((property) => this.inexactProperties.has(declared(property)));
    return { validation: inexact ? 'residual' : 'skip', mergeRuntime };
  }

  /** The regular expressions that class-validator matches properties against, and no schema shows. */
  patternsOf(properties: ts.Symbol[]): HiddenPattern[] {
    return properties.flatMap((property) => this.of(property).patterns);
  }

  /** Whether class-transformer changes how instances of the class are written out. */
  isTransformed(properties: ts.Symbol[]): boolean {
    return properties.some((property) => this.of(property).full);
  }

  /** Adds one constraint; false when the schema says less than the decorator. */
  private applyOne({ name, arguments: values, each }: Constraint, definition: Definition): boolean {
    const target = each ? itemsOf(definition) : targetOf(definition);
    if (!target) return false;
    const part = translateConstraint(name, values, singleType(target));
    if (!part) return false;
    if (part.keywords.type !== undefined && Array.isArray(target.type))
      part.keywords.type = [part.keywords.type as string, 'null'];
    for (const [keyword, value] of Object.entries(part.keywords)) {
      if (keyword === 'type' || keyword === 'format' || target[keyword] === undefined)
        target[keyword] = value;
      else target[keyword] = stricter(keyword, target[keyword], value);
    }
    return part.exact;
  }

  private of(property: ts.Symbol): PropertyDecorators {
    let found = this.decorators.get(property);
    if (!found) {
      found = readPropertyDecorators(property, this.checker, this.symbols);
      this.decorators.set(property, found);
    }
    return found;
  }

  /** `@Exclude()` on the class leaves only what is exposed. */
  private isClassExcluded(property: ts.Symbol, role: Role): boolean {
    const owner = property.valueDeclaration?.parent;
    if (!owner || !ts.isClassDeclaration(owner) || !ts.getDecorators(owner)) return false;
    return findDecorators(owner, this.symbols).some((decorator) => {
      if (decorator.package !== 'class-transformer' || decorator.name !== 'Exclude') return false;
      const [argument] = decorator.arguments;
      const options = (argument && (foldConstant(argument, this.checker)?.value as object | undefined)) ?? {};
      return concerns(directionOf(options as Record<string, unknown>), role);
    });
  }
}

/** The property as written: instances of a generic class, and mapped types, have symbols of their own. */
function declared(property: ts.Symbol): ts.Symbol | ts.Declaration {
  return property.valueDeclaration ?? property;
}

function concerns(direction: Direction, role: Role): boolean {
  return direction === 'both' || direction === role;
}

/** Constraints of a nullable or otherwise optional property hold for its value, not for the null beside it. */
function targetOf(definition: Definition): Definition | undefined {
  const options = definition.anyOf as Definition[] | undefined;
  if (!options) return definition;
  const values = options.filter((option) => option.type !== 'null');
  return values.length === 1 ? values[0] : definition;
}

/** `['null', 'string']` takes the constraints of a string. */
function singleType(definition: Definition): Definition {
  if (!Array.isArray(definition.type)) return definition;
  const [type, ...others] = definition.type.filter((each) => each !== 'null');
  return type !== undefined && others.length === 0 ? { ...definition, type } : definition;
}

function itemsOf(definition: Definition): Definition | undefined {
  const { items } = targetOf(definition) ?? {};
  return typeof items === 'object' && items !== null && !Array.isArray(items)
    ? (items as Definition)
    : undefined;
}

/** Two sources name the same limit, a doc tag and a decorator: both must hold. */
function stricter(keyword: string, first: unknown, second: unknown): unknown {
  if (typeof first !== 'number' || typeof second !== 'number') return second;
  return /^(min|exclusiveMin)/.test(keyword) ? Math.max(first, second) : Math.min(first, second);
}
