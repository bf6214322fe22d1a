import type { ts } from 'typescript-json-schema';
import { acceptsNull, acceptsUndefined, isNothing } from './members.js';
import type { Role } from './role.js';
import type { Definition } from './tjs-internals.js';

/** A list in a result keeps its length, so JSON has null for an item without a value. */
export function itemDefinition(
  { checker, role }: { checker: ts.TypeChecker; role: Role },
  type: ts.Type,
  define: (type: ts.Type) => Definition,
): Definition {
  if (isNothing(type) && acceptsUndefined(type)) return { type: 'null' };
  if (role === 'input' || !acceptsUndefined(type) || acceptsNull(type)) return define(type);
  const schema = define(checker.getNonNullableType(type));
  const isBare = typeof schema.type === 'string' && Object.keys(schema).length === 1;
  return isBare ? { type: [schema.type as string, 'null'] } : { anyOf: [schema, { type: 'null' }] };
}

/** Adds tags such as `@items.minimum 1` to the schema of the items. */
export function applyItemTags(definition: Definition): void {
  const tags = definition['~items'] as Definition | undefined;
  if (!tags) return;
  delete definition['~items'];
  definition.items = { ...(definition.items as object), ...tags };
}
