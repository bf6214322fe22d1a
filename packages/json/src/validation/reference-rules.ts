import { oncePerSchema } from '../schema/once.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { referenceName } from '../schema/references.js';
import { type ReferenceTarget, SchemaDocument } from '../schema/schema-document.js';
import { runRules } from './assertion-rules.js';
import { visits } from './check-budget.js';
import { ReferenceScope } from './reference-scope.js';
import { inside, type Place, type Rule, UnusableSchemaError, within } from './validation-run.js';

/** Rules that continue at another place of the document. */
export const ofReferences: readonly (readonly [keyword: string, rule: Rule])[] = [
  ['$dynamicRef', fitsDynamicReference],
  ['$ref', fitsReference],
];

function fitsReference(value: unknown, schema: JsonSchema, place: Place): boolean {
  const { run } = place;
  if (run.source === 'caller') visits.take();
  const target = place.scope ? undefined : definitionOf(schema, place);
  if (target !== undefined) return run.judge(value, target, inside(place, ['$ref']));
  const scope = scopeOf(place);
  return continueAt(resolve(schema.$ref!, scope), scope, { value, place: inside(place, ['$ref']) });
}

/** The usual reference, to a definition of a document without addresses, which is found without an index. */
function definitionOf(schema: JsonSchema, { run: { definitions } }: Place): JsonSchema | boolean | undefined {
  const name = targetName(schema);
  return name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

const targetName = oncePerSchema((schema) => referenceName(schema));

function fitsDynamicReference(value: unknown, schema: JsonSchema, place: Place): boolean {
  if (place.run.source === 'caller') visits.take();
  const scope = scopeOf(place);
  const target = resolve(String(schema['$dynamicRef']), scope);
  const { anchor, resource } = target;
  // It is dynamic only if the place that it names itself has a dynamic anchor.
  const isDynamic = anchor !== undefined && resource.dynamicAnchors.get(anchor) === target.schema;
  const found = (isDynamic && scope.dynamicTarget(anchor)) || target;
  return continueAt(found, scope, { value, place: inside(place, ['$dynamicRef']) });
}

/** Without a scope, the check has not left the main resource of the document yet. */
function scopeOf({ scope, run }: Place): ReferenceScope {
  return scope ?? ReferenceScope.at(SchemaDocument.of(run.root).main);
}

/** @throws {UnusableSchemaError} if the reference leads nowhere */
function resolve(reference: string, { resource }: ReferenceScope): ReferenceTarget {
  const target = resource.document.resolve(reference, resource);
  if (target) return target;
  throw new UnusableSchemaError(`The reference "${reference}" of a schema leads nowhere.`);
}

function continueAt(
  { schema, resource }: ReferenceTarget,
  scope: ReferenceScope,
  { value, place }: { value: unknown; place: Place },
): boolean {
  return place.run.judge(value, schema, within(place, scope.enter(resource)));
}

/** The rules of a schema with an address of its own, to which references in it are relative. */
export function ofResource(rules: readonly Rule[]): Rule {
  return (value, schema, place) => {
    const scope = scopeOf(place);
    const resource = scope.resource.document.resourceOf(schema);
    const inner = resource ? within(place, scope.enter(resource)) : place;
    return runRules(rules, value, schema, inner);
  };
}
