import { followReferences, type JsonSchema } from '@toolwright/json';

/** Why a form cannot ask for a schema. `path` is the path of the property. */
export interface FormProblem {
  path: string;
  detail: string;
}

/**
 * The keywords that a form allows for each type of field (2026-07-28 client/elicitation,
 * `PrimitiveSchemaDefinition`).
 */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['minItems', 'maxItems', 'items'],
};
const FORMATS = ['email', 'uri', 'date', 'date-time'];
/** Keywords that no client shows and that do not constrain the value, so they are dropped silently. */
const SILENT = ['examples', 'deprecated', 'readOnly', '$comment', 'uniqueItems'];
const COMMON = ['type', 'title', 'description', 'default'];

/**
 * Creates the form that asks for the values of a schema: a flat object of texts, numbers, booleans and
 * choices, which all clients can show.
 *
 * @param schema complete 2020-12 schema of an object
 */
export function toForm(schema: JsonSchema): { form: JsonSchema; problems: FormProblem[] } {
  const problems: FormProblem[] = [];
  const definitions = schema.$defs ?? {};
  const root = followReferences(schema, definitions);
  const tell = (path: string, detail: string) => void problems.push({ path, detail });
  if (root.type !== 'object') tell('', 'It is no object.');
  const fields = Object.entries(root.properties ?? {}).map(([name, field]) => {
    const whole = followReferences(field, definitions);
    const made = toField(whole, schema, (detail) => tell(name, detail));
    return [name, made] as const;
  });
  if (typeof root.additionalProperties === 'object' || root.patternProperties)
    tell('', 'It may have properties with any name.');
  else if (root.type === 'object' && fields.length === 0) tell('', 'It has no properties.');
  const { required } = root;
  const properties = Object.fromEntries(fields) as Record<string, JsonSchema>;
  return { form: { type: 'object', properties, ...(required && { required }) }, problems };
}

type Tell = (detail: string) => void;

function toField(schema: JsonSchema, root: JsonSchema, tell: Tell): JsonSchema {
  const field = withChoices(schema);
  if (isNullable(field)) tell('It may be null, and a form has no null. Make the field optional with `?`.');
  else if (field.writeOnly === true || field['x-sensitive'] === true)
    tell('A form must not ask for a secret. Ask with a `url`.');
  else if (typeof field.type !== 'string' || !Object.hasOwn(KEYWORDS, field.type))
    tell('It is not a string, a number, a boolean or a list of choices.');
  else if (field.type === 'array') return toChoices(field, root, tell);
  else return toPrimitive(field, field.type, tell);
  return {};
}

function toPrimitive(field: JsonSchema, type: string, tell: Tell): JsonSchema {
  if (type !== 'string' && (field.enum || field.const !== undefined)) {
    tell('Choices must be strings.');
    return {};
  }
  if (typeof field.format === 'string' && type === 'string' && !FORMATS.includes(field.format))
    tell(`The formats of a form are ${FORMATS.join(', ')}.`);
  return only([...COMMON, ...KEYWORDS[type]!], field, tell);
}

/** A list of which several values may be chosen. */
function toChoices(field: JsonSchema, root: JsonSchema, tell: Tell): JsonSchema {
  const items = withChoices(followReferences((field.items ?? {}) as JsonSchema, root.$defs ?? {}));
  if (items.type !== 'string' || !items.enum) {
    tell('The items of a list must be choices: a union of strings.');
    return {};
  }
  return {
    ...only([...COMMON, ...KEYWORDS['array']!], field, tell),
    items: { type: 'string', enum: items.enum },
  };
}

function only(known: readonly string[], field: JsonSchema, tell: Tell): JsonSchema {
  const kept: JsonSchema = {};
  for (const [keyword, value] of Object.entries(field)) {
    if (known.includes(keyword)) kept[keyword] = value;
    else if (!SILENT.includes(keyword) && !keyword.startsWith('x-'))
      tell(`A form does not support ${keyword}.`);
  }
  return kept;
}

/** A single constant becomes a choice of one. */
function withChoices(schema: JsonSchema): JsonSchema {
  const { const: only, ...others } = schema;
  return typeof only === 'string' ? { ...others, type: 'string', enum: [only] } : schema;
}

function isNullable({ type, anyOf, enum: values }: JsonSchema): boolean {
  const isNull = (part: JsonSchema) => part.type === 'null';
  return (Array.isArray(type) && type.includes('null')) || !!anyOf?.some(isNull) || !!values?.includes(null);
}
