import { mapSchema, type JsonSchema } from '@toolwright/manifest';
import { oncePerSchema } from '../../base/schema/once-per-schema.js';

/**
 * The same schema for values that still have what is to be left out: objects that it closes name the same properties,
 * and may have others. @returns the schema itself where it closes none
 */
export const openSchema = oncePerSchema((schema): JsonSchema => {
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
