import * as TJS from 'typescript-json-schema';
import { ts } from 'typescript-json-schema';

export { ts };

/** The schemas that typescript-json-schema builds: draft-07 with some keywords of its own. */
export type Definition = Record<string, unknown> & {
  type?: string | string[];
  properties?: Record<string, Definition>;
  required?: string[];
  additionalProperties?: boolean | Definition;
};

/** The members of typescript-json-schema 0.68.0 that are private in its types and plain methods at run time. */
export interface TjsInternals {
  readonly tc: ts.TypeChecker;
  readonly args: TJS.Args;
  reffedDefinitions: Record<string, Definition>;
  readonly recursiveTypeRef: Map<string, Definition>;
  resetSchemaSpecificProperties(): void;
  getTypeName(type: ts.Type): string;
  makeTypeNameUnique(type: ts.Type, baseName: string): string;
  parseCommentsIntoDefinition(
    symbol: ts.Symbol | undefined,
    definition: Definition,
    others: Record<string, true>,
  ): void;
  getReferencedTypeSymbol(property: ts.Symbol): ts.Symbol | undefined;
  getDefinitionForProperty(property: ts.Symbol, node?: ts.Node): Definition | null;
  getDefinitionForRootType(
    type: ts.Type,
    reffed: ts.Symbol | undefined,
    definition: Definition,
    defaultNumberType?: string,
    ignoreUndefined?: boolean,
  ): Definition;
  getUnionDefinition(type: ts.UnionType, modifier: string, definition: Definition): Definition;
  getIntersectionDefinition(type: ts.IntersectionType, definition: Definition): Definition;
  getClassDefinition(type: ts.Type, definition: Definition): Definition;
  getTypeDefinition(
    type: ts.Type,
    asRef?: boolean,
    unionModifier?: string,
    property?: ts.Symbol,
    reffed?: ts.Symbol,
    paired?: ts.Symbol,
    forceNotRef?: boolean,
    ignoreUndefined?: boolean,
  ): Definition;
}

/**
 * The methods that the subclass overrides or calls. If a release renames one, the error must come from here,
 * not from a wrong schema.
 */
const OVERRIDDEN = [
  'resetSchemaSpecificProperties',
  'getTypeName',
  'makeTypeNameUnique',
  'parseCommentsIntoDefinition',
  'getReferencedTypeSymbol',
  'getDefinitionForProperty',
  'getDefinitionForRootType',
  'getUnionDefinition',
  'getIntersectionDefinition',
  'getClassDefinition',
  'getTypeDefinition',
] as const satisfies (keyof TjsInternals)[];

/** @throws {Error} that names what the installed release lacks */
export function assertInternals(prototype: object): void {
  const members = prototype as Record<string, unknown>;
  const missing = OVERRIDDEN.filter((name) => typeof members[name] !== 'function');
  if (missing.length > 0) {
    throw new Error(
      `typescript-json-schema has no ${missing.join(', ')}: install exactly version 0.68.0, which this compiler is made for.`,
    );
  }
}

assertInternals(TJS.JsonSchemaGenerator.prototype);

/** The generator class with its internal methods, so that it can be extended. */
export const TjsGenerator = TJS.JsonSchemaGenerator as unknown as new (
  symbols: TJS.SymbolRef[],
  allSymbols: Record<string, ts.Type>,
  userSymbols: Record<string, ts.Symbol>,
  inheritingTypes: Record<string, string[]>,
  checker: ts.TypeChecker,
  args: TJS.Args,
) => TjsInternals;

/**
 * `inheritingTypes` is empty on purpose, so that abstract classes allow only their own members. All type
 * checks are off, because type errors are the work of `tsc`.
 */
export const tjsArguments: TJS.Args = {
  ...TJS.getDefaultArgs(),
  required: true,
  strictNullChecks: true,
  ignoreErrors: true,
};
