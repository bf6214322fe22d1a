import { isObject, pointerToken, present } from '@toolwright/json';
import { connect } from '@toolwright/client';
import type { McpServer, Principal } from '@toolwright/core';
import type { ExplainedPrograms, ToolExplanation } from '@toolwright/core/operate';
import { ConsoleRefusal } from '../../api/console-api.js';
import type { ConstructVerdicts, Explanation, ProviderVerdict } from '../../api/explain-api.js';
import type { Part, PartHost } from '../part.js';
import { scopesOf } from '../surface/surface-part.js';
import { principalOf } from '../unseen-client.js';

type Schema = Explanation['input'];

/** Says what a decorated method has become, and what client libraries make of its schema. */
export function explainPart(host: PartHost): Part<'explain' | 'programs'> {
  return {
    explain: ({ server, tool }) => explain(host.server(server), tool),
    async programs({ server, as }, by) {
      const operator = host.server(server).operate(by);
      if (!operator.methods.includes('code.explain')) return {};
      const caller = as && principalOf(as);
      return { programs: (await operator.ask('code.explain', { caller })) as ExplainedPrograms };
    },
  };
}

async function explain(server: McpServer, tool: string): Promise<Explanation> {
  const explained = server.explain(tool);
  if (!explained) throw new ConsoleRefusal(`There is no tool "${tool}".`);
  const { others = [] } = explained;
  const caller: Principal = { subject: 'console', scopes: scopesOf(server) };
  // Several tools may have one name. A caller gets one of them at most.
  const own = server.explain(tool, { principal: caller });
  const published = own && (await findListed(server, tool, caller));
  const describe = (each: ToolExplanation) =>
    describeTool(each, own && isSame(each, own) ? published : undefined);
  return {
    ...describe(explained),
    ...(others.length > 0 && { others: others.map(describe) }),
  };
}

/** True for tools that nobody can tell apart. */
const isSame = (one: ToolExplanation, other: ToolExplanation): boolean =>
  one.contract === other.contract && one.for === other.for && one.description === other.description;

function describeTool(explained: ToolExplanation, published: Schema | undefined): Explanation {
  const { name, description, contract, location, steps, policies, input, output, for: whom } = explained;
  const constructs = findConstructs((published?.['inputSchema'] ?? input) as Schema);
  const shown = { name, description, for: whom, contract, location, steps, policies, published };
  return present({
    ...shown,
    input: input as Schema,
    output: output as Schema | null,
    providers,
    constructs,
  });
}

/** The entry of the list for a caller. */
async function findListed(
  server: McpServer,
  tool: string,
  principal: Principal,
): Promise<Schema | undefined> {
  const client = await connect(server, { principal });
  try {
    return (await client.tools()).find(({ name }) => name === tool);
  } finally {
    await client.close();
  }
}

/** The client libraries of the table in docs/schemas.md, in its order. */
export const providers = [
  'LangChain',
  'AI SDK, OpenAI',
  'AI SDK, Google',
  'OpenAI Agents, strict',
  'Google GenAI',
  'Genkit, Google',
  'Mastra, OpenAI',
  'Mastra, Google',
] as const;

/** The constructs that a library may lose, as the table names them. A letter for each library: kept, weakened, lost. */
const table = {
  '`value: string \\| null`': 'wkkkklkk',
  '`value?: string \\| null`': 'wkklkllk',
  "`'urgent' \\| 'high' \\| … \\| null`": 'wkkkklkl',
  'an object \\| `null`': 'lkkwklkk',
  '`@minimum`, `@maximum`': 'kkwkkwww',
  '`@minLength`, `@maxLength`': 'kkwkkwww',
  '`@pattern`': 'kkwkkwww',
  '`@format`': 'kkkkkwww',
  '`Date`': 'kkkkkwww',
  "`value = 'weekly'`": 'kkwkkwkk',
  '`@minItems`, `@maxItems`': 'kkwkkwww',
  '`[string, number]`': 'wwwwwwww',
  '`Record<string, number>`': 'kkwwkwlw',
  'an object with `string \\| null`': 'wkkkkwkk',
  "`{ kind: 'circle', … } \\| { kind: 'square', … }` inside": 'lkkkklkk',
  '`string \\| number`': 'wkkkklkk',
  'a type that contains itself': 'wkwkklkw',
  'no other parameters (`additionalProperties: false`)': 'kkwkkwkw',
} as const;

type Construct = keyof typeof table;

const words = { k: 'kept', w: 'weakened', l: 'lost' } as const;

/** What each library does with a construct. A test compares it with the guide, whose table is written by tests. */
export function verdictsOf(construct: Construct): ProviderVerdict[] {
  return [...table[construct]].map((letter) => words[letter as keyof typeof words]);
}

export const constructs = Object.keys(table) as readonly Construct[];

type AnySchema = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema, and those whose value is a map or list of schemas. */
const nested = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'];
const containers = ['properties', '$defs', 'anyOf', 'oneOf', 'allOf', 'prefixItems', 'patternProperties'];

/** The keywords that are a construct by themselves. */
const keywords: Readonly<Record<string, Construct>> = {
  minimum: '`@minimum`, `@maximum`',
  maximum: '`@minimum`, `@maximum`',
  minLength: '`@minLength`, `@maxLength`',
  maxLength: '`@minLength`, `@maxLength`',
  pattern: '`@pattern`',
  default: "`value = 'weekly'`",
  minItems: '`@minItems`, `@maxItems`',
  maxItems: '`@minItems`, `@maxItems`',
  prefixItems: '`[string, number]`',
  $ref: 'a type that contains itself',
};

/** The constructs of a published schema that some library does not keep. Published schemas refer only to themselves. */
export function findConstructs(schema: AnySchema): ConstructVerdicts[] {
  const found: ConstructVerdicts[] = [];
  if (schema['additionalProperties'] === false)
    found.push(entry('/additionalProperties', 'no other parameters (`additionalProperties: false`)'));
  visit(schema, '', false, found);
  return found;
}

function visit(schema: AnySchema, pointer: string, isOptional: boolean, found: ConstructVerdicts[]): void {
  const own = new Set([...constructsOf(schema, isOptional)]);
  for (const construct of own) found.push(entry(pointer, construct));
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  for (const keyword of nested)
    if (isObject(schema[keyword])) visit(schema[keyword], `${pointer}/${keyword}`, false, found);
  for (const keyword of containers) {
    const inside = schema[keyword];
    if (typeof inside !== 'object' || inside === null) continue;
    for (const [name, each] of Object.entries(inside))
      if (isObject(each)) {
        const mayMiss = keyword === 'properties' && !required.has(name);
        visit(each, `${pointer}/${keyword}/${pointerToken(name)}`, mayMiss, found);
      }
  }
}

function* constructsOf(schema: AnySchema, isOptional: boolean): Generator<Construct> {
  // A tuple is published as a list whose description says the order. The bounds are a part of it.
  const isList = String(schema['description']).includes('Items in this order: ');
  const isTuple = isList || Array.isArray(schema['prefixItems']);
  if (isList) yield '`[string, number]`';
  for (const [keyword, construct] of Object.entries(keywords))
    if (schema[keyword] !== undefined && !(isTuple && keyword.endsWith('Items') && keyword !== 'prefixItems'))
      yield construct;
  if (typeof schema['format'] === 'string') yield schema['format'] === 'date-time' ? '`Date`' : '`@format`';
  if (isObject(schema['additionalProperties'])) yield '`Record<string, number>`';
  const choice = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choice)) yield* choiceOf(choice as AnySchema[], isOptional);
}

function* choiceOf(options: readonly AnySchema[], isOptional: boolean): Generator<Construct> {
  const others = options.filter(({ type }) => type !== 'null');
  const isOfObject = ({ type, properties, $ref }: AnySchema) =>
    type === 'object' || properties !== undefined || $ref !== undefined;
  if (others.length < options.length) {
    if (others.some(isOfObject)) yield 'an object \\| `null`';
    else if (others.some((each) => each['enum'] !== undefined)) yield "`'urgent' \\| 'high' \\| … \\| null`";
    else yield isOptional ? '`value?: string \\| null`' : '`value: string \\| null`';
  }
  if (others.length < 2) return;
  yield others.some(isOfObject)
    ? "`{ kind: 'circle', … } \\| { kind: 'square', … }` inside"
    : '`string \\| number`';
}

function entry(pointer: string, construct: Construct): ConstructVerdicts {
  return {
    pointer,
    construct: construct.replaceAll('`', '').replaceAll('\\|', '|'),
    verdicts: verdictsOf(construct),
  };
}
