import type { Constant } from '../constants.js';

/** What a value may be. */
export type Kind =
  | { readonly is: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' }
  | {
      readonly is: 'literal';
      readonly values: readonly Constant[];
      /** The name of the enum that has the values, if there is one. */
      readonly type?: string;
    }
  | { readonly is: 'array'; readonly items: Shape }
  | { readonly is: 'tuple'; readonly items: readonly Shape[] }
  | { readonly is: 'record'; readonly values: Shape }
  | { readonly is: 'union'; readonly members: readonly Shape[] }
  | {
      readonly is: 'object';
      readonly properties: Properties;
      readonly closed: boolean;
      readonly open: boolean;
    };

export type Properties = ReadonlyMap<string, Shape>;

/** A schema of zod as far as a type with doc tags can say it. */
export interface Shape {
  readonly kind: Kind;
  /** The name of the constant that holds the schema. */
  readonly name?: string;
  /** Keywords of JSON Schema, each of which has a doc tag. */
  readonly rules: Readonly<Record<string, Constant>>;
  readonly description?: string;
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly default?: Constant;
  /** The default as the source writes it, if it is a member of an enum. */
  readonly defaultText?: string;
}

export const shapeOf = (kind: Kind, rules: Shape['rules'] = {}): Shape => ({ kind, rules });
