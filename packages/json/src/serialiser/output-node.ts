/**
 * What happens to properties that a schema does not declare: they are left out, kept, or the result is
 * refused.
 */
export type Undeclared = 'drop' | 'keep' | 'refuse';

/** A result as JSON, and whether it contains characters that may have to be hidden from a reader. */
export interface Written {
  readonly json: string;
  readonly isDoubtful: boolean;
}

/**
 * Checks a result, leaves out what its schema does not declare, and writes it as JSON.
 *
 * @throws {NotJsonError} when JSON cannot carry a value
 * @throws {InvalidOutputError} when a value does not fit the schema
 */
export type OutputWriter = (value: unknown) => Written;

/** Writes one value as JSON text, or throws `UNSURE`. */
export type Write = (value: unknown) => string;

/**
 * An output schema, in the form that the writers use. It covers the keywords that most schemas use. Any other
 * part of a schema becomes an `exact` node, which the validator library checks.
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
  /** True when the schema asks for nothing but a date and time. A valid `Date` always fits it. */
  readonly isDate: boolean;
}

/** One of a few fixed values. None of them is an object. */
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
  /** The schema of the items after the first ones. `undefined`: no further items are allowed. */
  readonly rest?: OutputNode;
  readonly least: number;
  readonly most: number;
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly members: readonly OutputMember[];
  /** The declared names. */
  readonly names: ReadonlySet<string>;
  /** What happens to other properties. */
  readonly others: OutputNode | 'drop' | 'refuse';
}

export interface OutputMember {
  readonly name: string;
  readonly node: OutputNode;
  readonly isRequired: boolean;
}

export type OutputType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** Alternatives that differ in the JSON type of their values. */
export interface TypesNode {
  readonly kind: 'types';
  readonly byType: Readonly<Partial<Record<OutputType, OutputNode>>>;
}

/** Objects that differ in the value of one property. */
export interface TaggedNode {
  readonly kind: 'tagged';
  readonly property: string;
  readonly byTag: ReadonlyMap<unknown, OutputNode>;
  /** Objects that have none of these values there. */
  readonly otherwise?: OutputNode;
}

/** Strings or numbers of several kinds. All of them are written in the same way. */
export interface AlternativesNode {
  readonly kind: 'alternatives';
  readonly options: readonly OutputNode[];
}

/** A definition. Other nodes may refer to it, and it may refer to itself. */
export interface ReferenceNode {
  readonly kind: 'reference';
  readonly writer: { readonly write: Write };
}
