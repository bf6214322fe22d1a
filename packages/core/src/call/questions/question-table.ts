import type { JsonSchema } from '@toolwright/manifest';
import type { ToolError } from '../../base/errors/tool-error.js';

/** A question whose answer has a type, as the build compiled it. */
export interface TypedQuestion {
  readonly kind: 'elicit' | 'sample';
  /** The form, or what a model's answer has to fit. */
  readonly schema: JsonSchema;
  /** The schema as models and their providers take it. */
  readonly published: JsonSchema;
  /**
   * The answer as its type says: checked, with the defaults of what was left out, dates as `Date`.
   *
   * @throws {ToolError} the answer does not fit
   */
  read(answer: unknown): Promise<unknown>;
  /** The problem of an answer that is not even JSON. */
  unreadable(): ToolError;
}

/** Finds the questions that an operation may ask. */
export interface QuestionTable {
  /** Undefined where no build saw a question of that key and kind. */
  find(key: string, kind: TypedQuestion['kind']): TypedQuestion | undefined;
}
