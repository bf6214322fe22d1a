import * as TJS from 'typescript-json-schema';
import { ts } from 'typescript-json-schema';
import { isObject } from '@toolwright/json';

// The one file that imports typescript-json-schema. Its TypeScript is the one that its generator works with.
export { ts };

/** The schemas that typescript-json-schema builds: draft-07 with some keywords of its own. */
export type Definition = Record<string, unknown> & {
  type?: string | string[];
  properties?: Record<string, Definition>;
  required?: string[];
  additionalProperties?: boolean | Definition;
};

export const isDefinition = isObject as (value: unknown) => value is Definition;

/**
 * What the adapter relies on in typescript-json-schema 0.68.0, why, and a digest of its source. All of it is private
 * in the types of the package, and plain methods at run time. If another release has another digest, a test names the
 * member: read what changed in it, decide whether the reason still holds, and write the new digest here.
 */
export const reliedOn = {
  constructor: {
    why: 'It makes a generator for any checker, without a program of its own.',
    digest: 'a7f2018e071a5dd5',
  },
  getTypeDefinition: {
    why:
      'Overridden, and called. Ours decides about types with a JSON form of their own, and creates one schema for each ' +
      'type. The stock method creates references for some kinds of types only, and loses members of those in ' +
      'intersections. It still chooses between the methods below.',
    digest: '15001d80a942a2cb',
  },
  getTypeName: {
    why: 'Overridden. The stock method prints the whole type, and nothing reads the name: we name references ourselves.',
    digest: '667dd7baf56ac46d',
  },
  parseCommentsIntoDefinition: {
    why:
      'Overridden. The stock method drops @deprecated, and evaluates `require(…)` in @examples, which runs code of a ' +
      'project while it is compiled.',
    digest: 'a3c493d08339d315',
  },
  getDefinitionForRootType: {
    why:
      'Overridden, and called for what is left. Tuples follow draft 2020-12, items of a list in a result may be null, and ' +
      'an object with number keys is no list. The stock method prints each type before it looks at it, which took a ' +
      'third of its time.',
    digest: '566d9728cfc846b4',
  },
  getUnionDefinition: {
    why: 'Overridden. The stock method sorts numbers as text, and knows nothing of parts that no client can send.',
    digest: '0cb53cc519435060',
  },
  getIntersectionDefinition: {
    why: 'Overridden. The stock method loses the members of a part that is also referred to.',
    digest: '5ef331b485a6bd17',
  },
  getClassDefinition: {
    why:
      'Overridden. The stock method closes objects with index signatures, has private members and functions, and ' +
      'requires a property that has an initialiser.',
    digest: '87895842b4b64b37',
  },
  getEnumDefinition: {
    why:
      'Overridden. The stock method reads one declaration of an enum that has several, takes a word out of a computed ' +
      'member, and writes to the console.',
    digest: '1fc08d02c24c7162',
  },
} as const;

/** Where a type is used. The stock generator passes these to itself. */
export interface TypeUse {
  readonly unionModifier?: string | undefined;
  /** The property or parameter whose type it is. */
  readonly property?: ts.Symbol | undefined;
  /** The symbol that the source names there. */
  readonly reffed?: ts.Symbol | undefined;
  /** `undefined` among the parts of the type is not a value. */
  readonly ignoreUndefined?: boolean | undefined;
}

/** Our answers to what the stock generator asks itself. */
export interface Corrections {
  define(type: ts.Type, use: TypeUse): Definition;
  readComments(symbol: ts.Symbol | undefined, definition: Definition, others: Record<string, true>): void;
  /** Completes the definition of a list or a primitive type. Undefined leaves that to the stock generator. */
  defineRoot(type: ts.Type, definition: Definition): Definition | undefined;
  defineUnion(type: ts.UnionType, definition: Definition, modifier: string): Definition;
  defineObject(type: ts.Type, definition: Definition): Definition;
  /** An enum, or one of its members. */
  defineEnum(type: ts.Type, definition: Definition): Definition;
}

/** The members of the stock class that we override, call or read. */
interface StockGenerator {
  readonly recursiveTypeRef: Map<string, Definition>;
  getTypeName(type: ts.Type): string;
  parseCommentsIntoDefinition(...words: Parameters<Corrections['readComments']>): void;
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
  getEnumDefinition(type: ts.Type, definition: Definition): Definition;
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

assertMembers(TJS.JsonSchemaGenerator.prototype);

const Stock = TJS.JsonSchemaGenerator as unknown as new (
  symbols: TJS.SymbolRef[],
  allSymbols: Record<string, ts.Type>,
  userSymbols: Record<string, ts.Symbol>,
  inheritingTypes: Record<string, string[]>,
  checker: ts.TypeChecker,
  args: TJS.Args,
) => StockGenerator;

/** The generator of typescript-json-schema, which asks `corrections` wherever `reliedOn` says so. */
export class StockWithCorrections extends Stock {
  constructor(
    checker: ts.TypeChecker,
    private readonly corrections: Corrections,
  ) {
    // Without inheriting types, abstract classes allow only their own members. Type errors are the work of `tsc`.
    const args = { ...TJS.getDefaultArgs(), required: true, strictNullChecks: true, ignoreErrors: true };
    super([], {}, {}, {}, checker, args);
  }

  /** Forgets what a definition that was interrupted by an error left behind. */
  reset(): void {
    this.recursiveTypeRef.clear();
  }

  /** The stock definition of a type itself. For every type inside it, the generator asks `corrections`. */
  defineItself(
    type: ts.Type,
    { unionModifier, property, reffed, ignoreUndefined }: TypeUse = {},
  ): Definition {
    const definition = super.getTypeDefinition(
      type,
      false,
      unionModifier,
      property,
      reffed,
      undefined,
      true,
      ignoreUndefined,
    );
    return isTakenForEmpty(type, definition) ? this.corrections.defineObject(type, definition) : definition;
  }

  override getTypeDefinition(
    type: ts.Type,
    _asRef?: boolean,
    unionModifier?: string,
    property?: ts.Symbol,
    reffed?: ts.Symbol,
    _paired?: ts.Symbol,
    _forceNotRef?: boolean,
    ignoreUndefined?: boolean,
  ): Definition {
    return this.corrections.define(type, { unionModifier, property, reffed, ignoreUndefined });
  }

  override getTypeName(type: ts.Type): string {
    return String((type as ts.Type & { id: number }).id);
  }

  override parseCommentsIntoDefinition(...words: Parameters<Corrections['readComments']>): void {
    this.corrections.readComments(...words);
  }

  override getDefinitionForRootType(
    type: ts.Type,
    reffed: ts.Symbol | undefined,
    definition: Definition,
    defaultNumberType?: string,
    ignoreUndefined?: boolean,
  ): Definition {
    return (
      this.corrections.defineRoot(type, definition) ??
      super.getDefinitionForRootType(type, reffed, definition, defaultNumberType, ignoreUndefined)
    );
  }

  override getUnionDefinition(type: ts.UnionType, modifier: string, definition: Definition): Definition {
    return this.corrections.defineUnion(type, definition, modifier);
  }

  override getIntersectionDefinition(type: ts.IntersectionType, definition: Definition): Definition {
    return this.corrections.defineObject(type, definition);
  }

  override getEnumDefinition(type: ts.Type, definition: Definition): Definition {
    return this.corrections.defineEnum(type, definition);
  }

  override getClassDefinition(type: ts.Type, definition: Definition): Definition {
    return this.corrections.defineObject(type, definition);
  }
}

/** `{ [key]: string }`: its names are computed, and the stock generator sees no names but those in the symbol. */
function isTakenForEmpty(type: ts.Type, { properties }: Definition): boolean {
  return !!properties && Object.keys(properties).length === 0 && type.getProperties().length > 0;
}

/**
 * If a release renames a method, the error must come from here, not from a wrong schema.
 *
 * @throws {Error} that names what the installed release lacks
 */
export function assertMembers(prototype: object): void {
  const members = prototype as Record<string, unknown>;
  const missing = Object.keys(reliedOn).filter((name) => typeof members[name] !== 'function');
  if (missing.length > 0)
    throw new Error(
      `typescript-json-schema has no ${missing.join(', ')}: install exactly version 0.68.0, which this compiler is made for.`,
    );
}
