import { definitionsOf, followReferences, getOrMake, type JsonSchema } from '@toolwright/json';

/** All that a schema says of an argument. It has several schemas if alternatives name it. */
export interface NamedArgument {
  readonly schemas: JsonSchema[];
  isRequired: boolean;
}

type NamedArguments = ReadonlyMap<string, NamedArgument>;

/** The arguments that a schema names, also in references and in alternatives of the whole. One is required if no alternative does without it. */
export function namedArguments(root: JsonSchema): NamedArguments {
  const definitions = definitionsOf(root);
  // A schema of a stranger may contain itself, in many ways.
  const seen = new Set<JsonSchema>();
  const namedIn = (part: JsonSchema): NamedArguments => {
    const named = new Map<string, NamedArgument>();
    if (seen.has(part)) return named;
    seen.add(part);
    const take = (name: string, schemas: readonly JsonSchema[], isRequired: boolean) => {
      const known = getOrMake(named, name, () => ({ schemas: [], isRequired: false }));
      known.schemas.push(...schemas);
      known.isRequired ||= isRequired;
    };
    const { properties = {}, required = [], allOf = [], ...whole } = followReferences(part, definitions);
    for (const [name, schema] of Object.entries(properties)) take(name, [schema], false);
    for (const each of allOf.map(namedIn))
      for (const [name, { schemas, isRequired }] of each) take(name, schemas, isRequired);
    for (const options of [whole.anyOf ?? [], whole.oneOf ?? []]) {
      const all = options.map(namedIn);
      for (const [name, { schemas }] of all.flatMap((each) => [...each]))
        take(
          name,
          schemas,
          all.every((each) => each.get(name)?.isRequired === true),
        );
    }
    for (const name of required) if (named.has(name)) take(name, [], true);
    return named;
  };
  return namedIn(root);
}
