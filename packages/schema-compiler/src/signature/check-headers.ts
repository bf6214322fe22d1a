import { DATA_KEYWORDS, HOLDERS, isHttpToken, partsOf, traitsOf, type JsonSchema } from '@toolwright/json';

const HEADER = 'x-mcp-header';
const CARRIERS = ['string', 'integer', 'boolean'];

/**
 * Checks the `x-mcp-header` keywords of an input schema. Clients must ignore a tool that breaks a rule.
 *
 * @returns one sentence for each problem
 */
export function checkHeaders(input: JsonSchema): string[] {
  const problems: string[] = [];
  const names = new Set<string>();
  const visit = (value: unknown, path: string, reachable: boolean): void => {
    if (Array.isArray(value)) return value.forEach((item, index) => visit(item, `${path}[${index}]`, false));
    if (typeof value !== 'object' || value === null) return;
    const schema = value as JsonSchema;
    if (Object.hasOwn(schema, HEADER)) problems.push(...checkOne(schema, path, reachable, names));
    for (const [keyword, inner] of Object.entries(schema)) {
      if (DATA.has(keyword)) continue;
      if (!HOLDERS.maps.has(keyword)) visit(inner, `${path}/${keyword}`, false);
      else {
        const chained = keyword === 'properties' && (reachable || path === '');
        for (const [name, property] of Object.entries(inner as object))
          visit(property, join(path, keyword, name), chained);
      }
    }
  };
  const [whole, ...definitions] = partsOf(input);
  visit(whole, '', false);
  for (const definition of definitions) if (traitsOf(definition).hasHeader) visit(definition, '$defs', false);
  return problems;
}

const DATA = new Set([...DATA_KEYWORDS, HEADER]);

function checkOne(schema: JsonSchema, path: string, reachable: boolean, names: Set<string>): string[] {
  const name: unknown = schema[HEADER];
  const label = `${HEADER} ${JSON.stringify(name)} of ${path || 'the input'}`;
  const problems: string[] = [];
  if (typeof name !== 'string' || !isHttpToken(name)) problems.push(`${label} is not a token.`);
  else if (names.has(name.toLowerCase())) problems.push(`${label} is used twice.`);
  else names.add(name.toLowerCase());
  if (!reachable) problems.push(`${label} is inside a list, a choice or a map.`);
  if (typeof schema.type !== 'string' || !CARRIERS.includes(schema.type)) {
    problems.push(
      `${label} is on ${schema.type ? `a value of type ${JSON.stringify(schema.type)}` : 'a value without a type'}.`,
    );
  }
  return problems;
}

function join(path: string, keyword: string, name: string): string {
  if (keyword !== 'properties') return `${path}/${keyword}/${name}`;
  return path === '' ? name : `${path}.${name}`;
}
