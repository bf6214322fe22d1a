import { type JsonSchema, mapSchema } from '@toolwright/json';

/**
 * A manifest has this mark beside the schema of a class whose decorators are fully known only at run time
 * (`mergeRuntime`), and contains the key of the class. The boot adds the rules of class-validator and removes the
 * mark, so no client sees it.
 */
export const CLASS_MARK = 'x-toolwright-class';

/** Returns a schema without class marks; the same object if it has none. */
export function withoutClassMarks(schema: JsonSchema): JsonSchema {
  if (!JSON.stringify(schema).includes(`"${CLASS_MARK}":`)) return schema;
  const clean = (inner: JsonSchema): JsonSchema => {
    const { [CLASS_MARK]: _mark, ...others } = mapSchema(inner, clean);
    return others;
  };
  return clean(schema);
}
