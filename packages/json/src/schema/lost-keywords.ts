import { toClientSafe } from './client-safe-profile.js';
import { eachInside, HOLDERS, isSchema, type JsonSchema } from './json-schema.js';

/** A condition on arguments that the server checks and that no list shows. */
export interface LostKeyword {
  /** The names that lead to the argument, such as `address.lines[]`. Empty: all arguments together. */
  readonly place: string;
  readonly keyword: string;
}

/** Conditions that the published form leaves out. It has words for the others that it cannot keep. */
const LOST = 'not if dependentSchemas dependentRequired contains propertyNames patternProperties'.split(' ');

/** What the published form of the arguments of a tool does not say. */
export function lostKeywords(schema: JsonSchema): LostKeyword[] {
  const found = new Map<string, LostKeyword>();
  const note = (place: string, keyword: string) => void found.set(`${place} ${keyword}`, { place, keyword });
  const visit = (part: JsonSchema, place: string): void => {
    for (const keyword of LOST) if (part[keyword] !== undefined) note(place, keyword);
    // What is inside of a condition goes with it.
    const kept = Object.fromEntries(Object.entries(part).filter(([keyword]) => !LOST.includes(keyword)));
    const { properties = {}, items, $defs, ...others } = kept as JsonSchema;
    for (const [name, each] of Object.entries(properties))
      if (isSchema(each)) visit(each, place === '' ? name : `${place}.${name}`);
    if (isSchema(items)) visit(items, `${place}[]`);
    for (const [name, each] of Object.entries($defs ?? {})) if (isSchema(each)) visit(each, name);
    eachInside(others, (each) => visit(each, place));
  };
  visit(schema, '');
  for (const keyword of ['anyOf', 'oneOf']) if (losesRequired(schema, keyword)) note('', keyword);
  return [...found.values()];
}

/** A choice at the root becomes one object. What only some alternatives require is then optional. */
function losesRequired(schema: JsonSchema, keyword: string): boolean {
  const options = HOLDERS.lists.has(keyword) ? schema[keyword] : undefined;
  if (!Array.isArray(options)) return false;
  const { required = [] } = toClientSafe(schema, { role: 'input' });
  return options.filter(isSchema).some((each) => each.required?.some((name) => !required.includes(name)));
}
