import { type JsonSchema, mapSchema } from '../schema/json-schema.js';
import type { Revival } from '../values/revival.js';
import { oncePerSchema } from '../schema/once.js';
import { isDoubtful } from '../text/clean-text.js';
import { type Problem, kindOfValue, readablePath, wordsOf } from '../validation/problem.js';
import { accepts, validatorFor } from '../validation/validator.js';
import { toJson } from '../values/to-json.js';
import { UNSURE, writeJson } from './json-text.js';
import { declaredParts } from './declared-parts.js';
import { withDigits, withNumbers } from './long-integers.js';
import type { OutputWriter, Undeclared } from './output-node.js';

/** How results are written. */
export interface WriterOptions {
  readonly undeclared: Undeclared;
  readonly revival?: Revival | undefined;
  /** True if the schema and the values are those of another server. All checks of a value then have one budget. */
  readonly isForeign?: boolean;
  /** True if the value is a part. What is wrong with it is not said: the writer of the whole value finds it again. */
  readonly isPart?: boolean;
}

/**
 * Writes any value of any schema: it converts the value to JSON, validates it, leaves out undeclared parts, and
 * writes it. It defines what a writer that is made for the schema has to do. It takes several times as long, and it
 * can say what is wrong.
 */
export function exactWriter(
  schema: JsonSchema,
  { undeclared, revival, isPart }: WriterOptions,
): OutputWriter {
  const fits = isPart ? partOf(schema) : fitting;
  const select = { drop: dropUndeclared, keep: fits, refuse: refuseUndeclared }[undeclared];
  return (value) => {
    // Parts that no alternative declares are not even read, because they may contain all objects of an
    // application.
    const selection = undeclared === 'drop' ? declaredParts(schema).possible : undefined;
    const json = toJson(value, { revival, selection }) ?? null;
    const text = textOf(json, (each) => select(each, schema));
    return { json: text, isDoubtful: isDoubtful(text) };
  };
}

/**
 * The text of what is sent. An integer that a double does not hold is a string of digits where the schema takes one. Where it
 * takes numbers alone, a finished call is not refused for it: the number is written with all its digits.
 *
 * @param select checks a value and leaves out parts of it
 */
function textOf(json: unknown, select: (json: unknown) => unknown): string {
  try {
    return writeJson(select(json));
  } catch (error) {
    if (!(error instanceof InvalidOutputError)) throw error;
    for (const each of withNumbers(json, InvalidOutputError.problemsOf(error)))
      try {
        return writeJson(withDigits(select(each.json), each.digits));
      } catch (other) {
        if (!(other instanceof InvalidOutputError)) throw other;
      }
    throw error;
  }
}

/** Without a word about what is wrong. */
function partOf(schema: JsonSchema): (json: unknown) => unknown {
  const fits = accepts(schema);
  return (json) => {
    if (!fits(json)) throw UNSURE;
    return json;
  };
}

/** @throws {InvalidOutputError} */
function fitting(json: unknown, schema: JsonSchema): unknown {
  const problems = validatorFor(schema, 'method')(json);
  if (problems) throw new InvalidOutputError(problems);
  return json;
}

function dropUndeclared(json: unknown, schema: JsonSchema): unknown {
  // A value with properties that a closed object forbids is valid after they are left out.
  const opened = validatorFor(schema, 'method')(json) ? openSchema(schema) : schema;
  const selected = declaredParts(opened).select(
    opened === schema ? fitting(json, schema) : fitting(json, opened),
  );
  // Without these parts, the value may match other alternatives than before.
  return selected === json && opened === schema ? json : fitting(selected, schema);
}

function refuseUndeclared(json: unknown, schema: JsonSchema): unknown {
  fitting(json, schema);
  const extra: string[] = [];
  const selected = declaredParts(schema).select(json, (pointer) => extra.push(pointer));
  if (extra.length > 0) throw new InvalidOutputError(extra.map(asProblem));
  return selected;
}

function asProblem(pointer: string) {
  return {
    pointer,
    keyword: 'additionalProperties',
    expected: 'nothing: the output schema does not declare it',
  };
}

/**
 * A result that does not match its output schema. The message has paths, expectations and the kinds of what
 * came, because values do not belong in logs.
 */
export class InvalidOutputError extends Error {
  override readonly name = 'InvalidOutputError';

  /** Private, because they contain values: a logger that writes all members of an error must not find them. */
  readonly #problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const places = problems.slice(0, 10).map((problem) => {
      const place = problem.pointer ? readablePath(problem.pointer) : 'the result';
      return `${place}: ${wordsOf(problem, kindOfValue)}`;
    });
    super(`The result does not fit its output schema: ${places.join('; ') || 'there is none'}`);
    this.#problems = problems;
  }

  static problemsOf(error: InvalidOutputError): readonly Problem[] {
    return error.#problems;
  }
}

/**
 * The same schema for values that still contain undeclared parts: its closed objects may have other
 * properties.
 *
 * @returns the schema itself if no object is closed
 */
const openSchema = oncePerSchema((schema): JsonSchema => {
  let isSame = true;
  const open = (each: JsonSchema): JsonSchema => {
    const { additionalProperties, unevaluatedProperties, ...rest } = mapSchema(each, open);
    if (additionalProperties !== false && unevaluatedProperties !== false) {
      return {
        ...rest,
        ...(additionalProperties !== undefined && { additionalProperties }),
        ...(unevaluatedProperties !== undefined && { unevaluatedProperties }),
      };
    }
    isSame = false;
    return {
      ...rest,
      properties: rest.properties ?? {},
      ...(additionalProperties && { additionalProperties }),
    };
  };
  const opened = open(schema);
  return isSame ? schema : opened;
});
