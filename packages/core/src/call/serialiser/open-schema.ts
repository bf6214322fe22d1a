import { mapSchema, type JsonSchema } from '@toolwright/manifest';
import { oncePerSchema } from '../../base/schema/once-per-schema.js';

/**
 * The same schema for values that still contain undeclared parts: its closed objects may have other
 * properties.
 *
 * @returns the schema itself if no object is closed
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
