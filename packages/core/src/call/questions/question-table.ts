import type { JsonSchema } from '@toolwright/manifest';
import type { ToolError } from '../../base/errors/tool-error.js';

/** A question whose answer has a type, as the build compiled it. */
export interface TypedQuestion {
  readonly kind: 'elicit' | 'sample';
  /** The form, or the schema that a model's answer must fit. */
  readonly schema: JsonSchema;
  /** The schema in the form that models and their providers accept. */
  readonly published: JsonSchema;
  /**
   * Turns an answer into its type: it is checked, missing values get their defaults, and dates become `Date`.
   *
   * @throws {ToolError} when the answer does not fit
   */
  read(answer: unknown): Promise<unknown>;
  /** The error for an answer that is not even JSON. */
  unreadable(): ToolError;
}

/** Finds the questions that an operation may ask. */
export interface QuestionTable {
  /** The question with this key and kind; `undefined` if no build has seen one. */
  find(key: string, kind: TypedQuestion['kind']): TypedQuestion | undefined;
}
