import { getOrMake, type JsonSchema, referredSchema, wordsOf } from '@toolwright/json';

const reading = new Set(
  'get head options list read search find fetch show view query describe count'.split(' '),
);
const writing = new Set(
  'post put patch delete create update remove add set write edit send insert upsert append replace rename publish'.split(
    ' ',
  ),
);

/** Names of arguments that choose what a tool does. A `permission` of `read` or `write` chooses nothing. */
const CHOOSER = /^(action|operation|op|command|method|http_?method|verb|mode)$/i;
const HTTP = /^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/;

/** The arguments by which a caller chooses between reading and writing. */
export function findMixedActions(input: JsonSchema): string[] {
  const words = new Map<string, Set<string>>();
  let open: string | undefined;
  walkProperties(input, (name, schema) => {
    const choices = [...(schema.enum ?? []), schema.const].filter((each) => typeof each === 'string');
    const known = getOrMake(words, name, () => new Set());
    for (const choice of choices) known.add(choice);
    if (/^(http_?)?method$/i.test(name) && schema.type === 'string' && choices.length === 0) open = name;
  });
  const mixed = [...words]
    .filter(([name, choices]) => CHOOSER.test(name) || [...choices].some((choice) => HTTP.test(choice)))
    .filter(([, choices]) =>
      [reading, writing].every((verbs) => [...choices].some((one) => isOne(one, verbs))),
    )
    .map(([name]) => name);
  // Without a list of allowed values, `method` beside an address takes every method of HTTP.
  const takesAddress = ['url', 'path', 'endpoint'].some((name) => words.has(name));
  return open !== undefined && takesAddress ? [...mixed, open] : mixed;
}

/** `deletePage` and `delete_page` begin with `delete`. */
function isOne(choice: string, verbs: ReadonlySet<string>): boolean {
  const [first = ''] = wordsOf(choice);
  return verbs.has(first);
}

type Visit = (name: string, property: JsonSchema) => void;

/** Visits every property of a schema, also those of its alternatives, items and definitions. */
export function walkProperties(schema: JsonSchema, visit: Visit): void {
  // Each definition is visited once, so a recursive one does no harm.
  for (const one of [schema, ...Object.values(schema.$defs ?? {})]) walk(one, schema, visit);
}

function walk(schema: JsonSchema, root: JsonSchema, visit: Visit): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    for (const one of [property, ...alternatives(referredSchema(property, root))]) visit(name, one);
    walk(property, root, visit);
  }
  for (const one of alternatives(schema)) if (one !== schema) walk(one, root, visit);
  if (typeof schema.items === 'object') walk(schema.items, root, visit);
}

/** The schema itself and its direct alternatives. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
}
