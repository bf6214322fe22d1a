import type { JsonSchema, Revival } from '@toolwright/manifest';
import { isDoubtful } from '../../base/clean-text.js';
import { toJson } from '../values/to-json.js';
import { validatorFor } from '../validation/validator.js';
import { declaredParts } from './declared-parts.js';
import { InvalidOutputError } from './invalid-output.js';
import { openSchema } from './open-schema.js';
import type { OutputWriter, Undeclared } from './output-node.js';

export interface ExactWriting {
  readonly undeclared: Undeclared;
  readonly revival?: Revival | undefined;
}

/**
 * Writes any value of any schema: it is made JSON, validated, freed of what is not declared, and written. What it does
 * is what a writer that was made for the schema has to do; it takes several times as long, and can say what is wrong.
 */
export function exactWriter(schema: JsonSchema, { undeclared, revival }: ExactWriting): OutputWriter {
  const select = { drop: dropUndeclared, keep: undefined, refuse: refuseUndeclared }[undeclared];
  return (value) => {
    // What no alternative declares is not even looked at: it may be all that an application has in its memory.
    const selection = undeclared === 'drop' ? declaredParts(schema).possible : undefined;
    const json = toJson(value, { revival, selection }) ?? null;
    const selected = select ? select(json, schema) : fitting(json, schema);
    const text = JSON.stringify(selected);
    return { json: text, isDoubtful: isDoubtful(text) };
  };
}

/** @throws {InvalidOutputError} */
function fitting(json: unknown, schema: JsonSchema): unknown {
  const problems = validatorFor(schema, 'method')(json);
  if (problems) throw new InvalidOutputError(problems);
  return json;
}

function dropUndeclared(json: unknown, schema: JsonSchema): unknown {
  // A value that has more than a closed object allows fits once that is left out.
  const opened = validatorFor(schema, 'method')(json) ? openSchema(schema) : schema;
  const selected = declaredParts(opened).select(
    opened === schema ? fitting(json, schema) : fitting(json, opened),
  );
  // Without them it may have become a value of another form.
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
