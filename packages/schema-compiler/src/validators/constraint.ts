import type { Definition } from '../types/tjs-internals.js';

/** One validation decorator with its arguments evaluated. */
export interface Constraint {
  name: string;
  /** `undefined` in the place of an argument that is left out. */
  arguments: readonly unknown[];
  /** On every item of an array, not on the array. */
  each: boolean;
}

/** What a constraint adds to a schema, and whether the schema then says all that the decorator says. */
export interface SchemaPart {
  keywords: Definition;
  exact: boolean;
}

export const nothing: SchemaPart = { keywords: {}, exact: true };
export const inexact: SchemaPart = { keywords: {}, exact: false };

export function exactly(keywords: Definition): SchemaPart {
  return { keywords, exact: true };
}

/** The keywords help a model, class-validator still has the last word. */
export function roughly(keywords: Definition): SchemaPart {
  return { keywords, exact: false };
}
