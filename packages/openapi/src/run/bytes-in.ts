import { readBase64 } from '@toolwright/core/transport';
import type { ApiPlan } from '../model/plan-operations.js';
import type { JsonSchema } from '../model/schema-facts.js';
import { behind } from '../model/tool-contract.js';
import { apiError } from './api-errors.js';
import { formOf } from './integers-in.js';

/**
 * Base64 becomes bytes, as the build does it for decorated methods. In JSON they are base64 again.
 *
 * @throws {ToolError} for a text that is not base64: its bytes would be those of another text
 */
export function bytesIn(
  value: unknown,
  schema: JsonSchema,
  definitions: ApiPlan['inputs'],
  name: string,
): unknown {
  if (typeof value === 'string')
    return behind(schema, definitions)['contentEncoding'] === 'base64' ? bytesOf(value, name) : value;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const whole = formOf(value, schema, definitions);
  if (Array.isArray(value)) return value.map((each) => bytesIn(each, whole.items ?? {}, definitions, name));
  const { properties = {}, additionalProperties: more } = whole;
  const others = typeof more === 'object' ? more : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      bytesIn(each, (Object.hasOwn(properties, key) && properties[key]) || others, definitions, key),
    ]),
  );
}

function bytesOf(text: string, name: string): Uint8Array {
  const bytes = readBase64(text);
  if (!bytes) throw apiError('TW_OPENAPI_REQUEST', `${name} is not base64.`);
  return bytes;
}
