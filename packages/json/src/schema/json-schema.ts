/** A JSON Schema 2020-12 object. It is open, so that every keyword of the author is kept. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  deprecated?: boolean;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  required?: string[];
  items?: boolean | JsonSchema;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  contentEncoding?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  [keyword: string]: unknown;
}

const SINGLE = [
  'additionalProperties',
  'items',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'] as const;

/** The keywords of 2020-12 that hold a schema, a list of schemas, or schemas by name, and that `mapSchema` enters. */
export const INSIDE = { single: SINGLE, lists: LISTS, maps: MAPS };

/** All keywords that hold a schema, a list of schemas, or schemas by name, with those of older drafts. */
export const HOLDERS = {
  single: new Set<string>([...SINGLE, 'contentSchema', 'additionalItems']),
  lists: new Set<string>([...LISTS, 'items']),
  maps: new Set<string>([...MAPS, 'definitions', 'dependencies']),
};

/** Copies a schema, and applies `change` to each schema directly inside it. Values and annotations stay. */
export function mapSchema(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema };
  for (const keyword of SINGLE) if (isSchema(copy[keyword])) copy[keyword] = change(copy[keyword]) as never;
  for (const keyword of LISTS) {
    const list = copy[keyword];
    if (Array.isArray(list))
      copy[keyword] = list.map((item: unknown) => (isSchema(item) ? change(item) : item)) as never;
  }
  for (const keyword of MAPS) {
    const map = copy[keyword];
    if (!isSchema(map)) continue;
    const entries = Object.entries(map).map(([name, item]) => [name, isSchema(item) ? change(item) : item]);
    copy[keyword] = Object.fromEntries(entries) as never;
  }
  return copy;
}

/** Calls `visit` for each schema directly inside a schema of any draft. `true` and `false` are not visited. */
export function eachInside(schema: JsonSchema, visit: (inner: JsonSchema) => void): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (isSchema(value)) {
      if (HOLDERS.single.has(keyword)) visit(value);
      else if (HOLDERS.maps.has(keyword)) Object.values(value).filter(isSchema).forEach(visit);
    } else if (Array.isArray(value) && HOLDERS.lists.has(keyword)) value.filter(isSchema).forEach(visit);
  }
}

/** The same schemas, each once. */
export function distinct<Schema extends object>(schemas: readonly Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** Whether a value is an object schema, not `true` or `false`. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A JSON Schema of any draft from draft-04 on, as other servers publish it. Its type is loose because the
 * drafts differ.
 */
export type AnySchema = JsonSchema | Readonly<Record<string, unknown>>;
