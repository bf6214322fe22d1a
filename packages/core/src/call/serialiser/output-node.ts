/** What becomes of properties that a schema does not declare. */
export type Undeclared = 'drop' | 'keep' | 'refuse';

/** A result as JSON, and whether it has characters that a reader may have to be guarded from. */
export interface Written {
  readonly json: string;
  readonly isDoubtful: boolean;
}

/**
 * Checks a result, leaves out what its schema does not declare, and writes it as JSON.
 *
 * @throws {NotJsonError} for what JSON cannot carry
 * @throws {InvalidOutputError} for what does not fit the schema
 */
export type OutputWriter = (value: unknown) => Written;

/** Writes one value as JSON text, or throws `UNSURE`. */
export type Write = (value: unknown) => string;

/**
 * An output schema as what its values are written by. It knows the keywords that most schemas have; what it does not
 * know is an `exact` node, where the validator library judges.
 */
export type OutputNode =
  | { readonly kind: 'any' }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  | NumberNode
  | StringNode
  | ConstNode
  | ArrayNode
  | TupleNode
  | ObjectNode
  | TypesNode
  | TaggedNode
  | AlternativesNode
  | ReferenceNode
  | { readonly kind: 'exact'; readonly write: Write };

export interface NumberNode {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly fits?: (value: number) => boolean;
}

export interface StringNode {
  readonly kind: 'string';
  readonly fits?: (value: string) => boolean;
  /** It has to be a date and time, and no more: a valid `Date` always is. */
  readonly isDate: boolean;
}

/** One of a few values, none of them an object. */
export interface ConstNode {
  readonly kind: 'const';
  readonly texts: ReadonlyMap<unknown, string>;
}

export interface ArrayNode {
  readonly kind: 'array';
  readonly items: OutputNode;
  readonly least: number;
  readonly most: number;
  readonly isUnique: boolean;
}

export interface TupleNode {
  readonly kind: 'tuple';
  readonly first: readonly OutputNode[];
  /** Absent: nothing comes after the first ones. */
  readonly rest?: OutputNode;
  readonly least: number;
  readonly most: number;
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly members: readonly Member[];
  /** By their names. */
  readonly names: ReadonlySet<string>;
  /** What other properties are. */
  readonly others: OutputNode | 'drop' | 'refuse';
}

export interface Member {
  readonly name: string;
  readonly node: OutputNode;
  readonly isRequired: boolean;
}

export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** Alternatives that the JSON type of a value tells apart. */
export interface TypesNode {
  readonly kind: 'types';
  readonly byType: Readonly<Partial<Record<JsonType, OutputNode>>>;
}

/** Objects that the value of one property tells apart. */
export interface TaggedNode {
  readonly kind: 'tagged';
  readonly property: string;
  readonly byTag: ReadonlyMap<unknown, OutputNode>;
}

/** Strings, or numbers, of several kinds: all of them are written alike. */
export interface AlternativesNode {
  readonly kind: 'alternatives';
  readonly options: readonly OutputNode[];
}

/** A definition, which others may refer to as well, and which may refer to itself. */
export interface ReferenceNode {
  readonly kind: 'reference';
  readonly writer: { readonly write: Write };
}
