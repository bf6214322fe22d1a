import type { JsonSchema } from './json-schema.js';
import { mapSchema } from './map-schema.js';

/**
 * Stands in a manifest beside the schema of a class of whose decorators only the run time knows all (`mergeRuntime`), and
 * names its key. The boot adds what class-validator asks for, and takes it away: no client reads it.
 */
export const CLASS_MARK = 'x-toolwright-class';

/** A schema without the marks of classes; the same where it has none. */
export function withoutClassMarks(schema: JsonSchema): JsonSchema {
  if (!JSON.stringify(schema).includes(`"${CLASS_MARK}":`)) return schema;
  const clean = (inner: JsonSchema): JsonSchema => {
    const { [CLASS_MARK]: _mark, ...others } = mapSchema(inner, clean);
    return others;
  };
  return clean(schema);
}
