import { withAllBoundDigits } from '@toolwright/json';
import type { ApiPlan } from './plan-operations.js';
import { LIMIT, type PlannedOperation } from './planned-operation.js';
import { type JsonSchema, behind, referredBy } from './schema-facts.js';

/** What callers of a tool depend on, in the form of the lock. */
export interface ImportedContract {
  readonly name: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly scopes: string[];
  readonly deprecated: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** The contract of the tool that an operation becomes. */
export function contractOf(
  operation: PlannedOperation,
  plan: Pick<ApiPlan, 'inputs' | 'outputs'>,
): ImportedContract {
  const { toolName: name, description, annotations, scopes, deprecated, result } = operation;
  return {
    name,
    description,
    annotations,
    deprecated,
    scopes: [...scopes],
    inputSchema: withAllBoundDigits(
      withDefinitions(inputOf(operation, plan.inputs), plan.inputs),
    ) as JsonSchema,
    ...(result.kind === 'json' && { outputSchema: withDefinitions(result.schema, plan.outputs) }),
  };
}

/** The arguments of a tool as one object. */
function inputOf(
  { arguments: all, body, paging }: PlannedOperation,
  definitions: ApiPlan['inputs'],
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const each of all) {
    properties[each.name] = each.schema;
    if (each.required) required.push(each.name);
  }
  if (body?.isFlat) {
    const whole = behind(body.schema, definitions);
    Object.assign(properties, whole.properties);
    required.push(...(whole.required ?? []));
  } else if (body) {
    properties[body.name] = body.schema;
    if (body.required) required.push(body.name);
  }
  if (paging) properties[LIMIT.name] = limitSchema;
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export const limitSchema: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: LIMIT.most,
  default: LIMIT.initial,
  description: 'How many at most.',
};

/** A schema with what it refers to. */
function withDefinitions(schema: JsonSchema, definitions: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const found = referredBy(schema, definitions);
  if (found.size === 0) return schema;
  return {
    ...schema,
    $defs: Object.fromEntries([...found].sort().map((name) => [name, definitions.get(name)!])),
  };
}
