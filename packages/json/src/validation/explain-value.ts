import type { JsonSchema } from '../schema/json-schema.js';
import { wordsOf } from './problem.js';
import { validatorFor } from './validator.js';

/** One thing that is wrong with a value. */
export interface ValueProblem {
  /** The JSON pointer of the wrong value, or of the one that is missing. */
  readonly pointer: string;
  /** What was expected, and what was found: the words in which a server refuses the value. */
  readonly message: string;
}

/** Says what is wrong with a value that somebody is about to send. An empty list: it fits the schema. */
export function explainValue(schema: object, value: unknown): ValueProblem[] {
  const problems = validatorFor(schema as JsonSchema, 'caller')(value) ?? [];
  return problems.map((problem) => ({ pointer: problem.pointer, message: wordsOf(problem) }));
}
