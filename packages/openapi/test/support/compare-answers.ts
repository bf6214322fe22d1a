import type { JsonSchema } from '../../src/model/schema-facts';

/**
 * What of a value did not arrive, or arrived in another form. A caller gets every member that the schema of the result declares,
 * and all members of an open object. Members that are null are left out. Nothing else may differ.
 */
export function lossesOf(sent: unknown, got: unknown, schema: JsonSchema): string[] {
  return compare(sent, got, { schemas: [schema], definitions: schema.$defs ?? {}, path: '' });
}

interface Place {
  readonly schemas: readonly JsonSchema[];
  readonly definitions: Record<string, JsonSchema>;
  readonly path: string;
}

function compare(sent: unknown, got: unknown, place: Place): string[] {
  if (typeof sent !== 'object' || sent === null)
    return Object.is(sent, got) || sent === got
      ? []
      : [`${place.path}: ${JSON.stringify(sent)} became ${JSON.stringify(got)}`];
  const type = Array.isArray(sent) ? 'array' : 'object';
  const forms = place.schemas
    .flatMap((each) => formsOf(each, place.definitions))
    .filter((form) => form.type === undefined || [form.type].flat().includes(type));
  if (Array.isArray(sent)) {
    if (!Array.isArray(got) || got.length !== sent.length)
      return [
        `${place.path}: ${JSON.stringify(sent).slice(0, 100)} became ${JSON.stringify(got)?.slice(0, 100)}`,
      ];
    const schemas = forms.map(({ items }) => items ?? {});
    return sent.flatMap((each, index) =>
      compare(each, got[index], { ...place, schemas, path: `${place.path}[${index}]` }),
    );
  }
  if (typeof got !== 'object' || got === null || Array.isArray(got))
    return [`${place.path}: an object became ${JSON.stringify(got)}`];
  const invented = Object.keys(got).filter((name) => !Object.hasOwn(sent, name));
  return [
    ...invented.map((name) => `${place.path}.${name} was not sent`),
    ...Object.entries(sent).flatMap(([name, each]) =>
      compareMember(each, name, { got: got as Record<string, unknown>, forms, place }),
    ),
  ];
}

function compareMember(
  sent: unknown,
  name: string,
  { got, forms, place }: { got: Record<string, unknown>; forms: readonly JsonSchema[]; place: Place },
): string[] {
  const path = `${place.path}.${name}`;
  if (sent === null) return Object.hasOwn(got, name) && got[name] !== null ? [`${path} was null`] : [];
  const schemas = forms.flatMap((form) => {
    if (form.properties && Object.hasOwn(form.properties, name)) return [form.properties[name]!];
    const more = form.additionalProperties ?? form.properties === undefined;
    return more === false ? [] : [more === true ? {} : more];
  });
  if (!Object.hasOwn(got, name))
    return schemas.length === 0 ? [] : [`${path} is gone: ${JSON.stringify(sent).slice(0, 100)}`];
  return compare(sent, got[name], { ...place, schemas, path });
}

/** A schema behind its reference, and each of its alternatives. */
function formsOf(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema[] {
  if (schema.$ref !== undefined)
    return formsOf(definitions[schema.$ref.replace('#/$defs/', '')] ?? {}, definitions);
  return schema.anyOf ? schema.anyOf.flatMap((each) => formsOf(each, definitions)) : [schema];
}
