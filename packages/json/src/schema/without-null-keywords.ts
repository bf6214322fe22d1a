import { HOLDERS, type JsonSchema } from './json-schema.js';
import { values } from './keywords.js';

/**
 * A schema without the keywords that are `null`. Serialisers of other languages write `"required": null` for a list that
 * nobody has filled. `null` means something only in keywords that hold data.
 *
 * @returns the same schema if nothing changes
 */
export function withoutNullKeywords(schema: JsonSchema): JsonSchema {
  return strip(schema, false) as JsonSchema;
}

/** @param isMap whether the members are names, and no keywords */
function strip(node: unknown, isMap: boolean): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) {
    const items = node.map((each) => strip(each, false));
    return items.some((each, index) => each !== node[index]) ? items : node;
  }
  let isChanged = false;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(node)) {
    const isData = !isMap && values.has(key);
    if (value === null && !isMap && key !== 'default' && key !== 'const') {
      isChanged = true;
      continue;
    }
    const stripped = isData ? value : strip(value, !isMap && HOLDERS.maps.has(key));
    isChanged ||= stripped !== value;
    kept.push([key, stripped]);
  }
  return isChanged ? Object.fromEntries(kept) : node;
}
