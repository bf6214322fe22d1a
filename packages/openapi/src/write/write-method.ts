import { camelName, comment, literalText, pascalName, safeText, WRITTEN_WIDTH } from '@toolwright/json';
import { LIMIT, type PlannedArgument, type PlannedOperation } from '../model/planned-operation.js';
import { limitSchema } from '../model/tool-contract.js';
import { isLongArgument } from '../model/long-integers.js';
import type { ApiPlan } from '../model/plan-operations.js';
import { type JsonSchema, behind } from '../model/schema-facts.js';
import { memberText, tagsOf, typeText, type UsedNames } from './type-text.js';
import { writeRequest } from './write-request.js';

/** A method, and the interface of its arguments where it needs one. */
export interface WrittenMethod {
  readonly method: string;
  readonly declarations: string;
}

/** Give a name that is free in the file, or in the class. */
export interface FreeNames {
  typeName(wanted: string): string;
  methodName(wanted: string): string;
}

/** Longer lists of arguments are an interface. */
const MOST_PARAMETERS = 3;

export function writeMethod(
  operation: PlannedOperation,
  plan: Pick<ApiPlan, 'inputs' | 'source'>,
  used: UsedNames,
  names: FreeNames,
): WrittenMethod {
  const { toolName, result, paging } = operation;
  const { signature, docs, declarations } = inputText(operation, plan, used, names.typeName);
  for (const name of ['McpTool', 'ToolContext']) used.core.add(name);
  const resultType =
    result.kind === 'none' ? 'void' : result.kind === 'text' ? 'string' : typeText(result.schema, used, '  ');
  const lines = [
    comment(
      [safeText(operation.description), ...docs, ...(operation.deprecated ? ['@deprecated'] : [])],
      '  ',
    ),
    `  @McpTool({ name: ${literalText(toolName)}, annotations: ${annotationsText(operation.annotations)} })\n`,
    `  ${callsApi(operation, plan, used)}\n`,
    operation.scopes.length > 0
      ? `  ${decorator('RequireScopes', operation.scopes.map(literalText).join(', '), used)}\n`
      : '',
    paging ? `  ${decorator('MaxOutput', '{ tokens: 10_000 }', used)}\n` : '',
    head(
      names.methodName(camelName(operation.ownName)),
      [...signature, 'ctx: ToolContext'],
      resultType.trim(),
    ),
    writeRequest(operation, used),
    '  }\n',
  ];
  return { method: lines.join(''), declarations };
}

/** What `api.ts` exports beside the client: the name of the file of the specification. */
export const SPECIFICATION = 'specification';

/** Where the tool comes from. Its requests are measured and audited under this name. */
function callsApi({ key }: PlannedOperation, { source }: Pick<ApiPlan, 'source'>, used: UsedNames): string {
  used.openapi.add('CallsApi');
  // The file has its name in one place, so that another name changes one line.
  return `@CallsApi(${literalText(key)}${source === undefined ? '' : `, ${SPECIFICATION}`})`;
}

function decorator(name: string, text: string, used: UsedNames): string {
  used.core.add(name);
  return `@${name}(${text})`;
}

function annotationsText(annotations: Readonly<Record<string, boolean>>): string {
  return `{ ${Object.entries(annotations)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
}

function head(name: string, parameters: readonly string[], result: string): string {
  const line = `  async ${name}(${parameters.join(', ')}): Promise<${result}> {\n`;
  if (line.length <= WRITTEN_WIDTH + 1 || result.includes('\n')) return line;
  return `  async ${name}(\n${parameters.map((each) => `    ${each},\n`).join('')}  ): Promise<${result}> {\n`;
}

interface InputText {
  readonly signature: readonly string[];
  readonly docs: readonly string[];
  readonly declarations: string;
}

function inputText(
  operation: PlannedOperation,
  plan: Pick<ApiPlan, 'inputs'>,
  used: UsedNames,
  typeName: (wanted: string) => string,
): InputText {
  const { arguments: all, body, paging } = operation;
  if (all.length === 0 && !paging) {
    if (!body) return { signature: [], docs: [], declarations: '' };
    // An object that is the only parameter is the whole input.
    if (body.isFlat && body.schema.$ref !== undefined)
      return { signature: [`${body.name}: ${typeText(body.schema, used)}`], docs: [], declarations: '' };
  }
  const isShort = !body && !paging && all.length <= MOST_PARAMETERS && all.every(isSimple);
  if (isShort) return { ...positional(all, used), declarations: '' };
  const name = typeName(`${pascalName(operation.ownName)}Input`);
  const members = membersOf(operation, plan, used);
  const taken = [
    ...all.map((each) => each.name),
    ...(body ? [body.isFlat ? `...${body.name}` : body.name] : []),
    ...(paging ? [`${LIMIT.name} = ${LIMIT.initial}`] : []),
  ];
  const names =
    body?.isFlat && all.length === 0 && !paging ? body.name : `{ ${moveRestToEnd(taken).join(', ')} }`;
  return {
    signature: [`${names}: ${name}`],
    docs: [],
    declarations: `interface ${name} {\n${members.join('')}}\n`,
  };
}

/** TypeScript wants the rest last. */
const moveRestToEnd = (names: readonly string[]) => [
  ...names.filter((name) => !name.startsWith('...')),
  ...names.filter((name) => name.startsWith('...')),
];

const isSimple = ({ required, schema }: PlannedArgument) =>
  required &&
  schema.$ref === undefined &&
  schema.anyOf === undefined &&
  (schema.enum?.length ?? 0) <= 6 &&
  (typeof schema.type !== 'object' || isLongArgument(schema)) &&
  schema.type !== 'array' &&
  schema.type !== 'object' &&
  (schema.type !== undefined || schema.enum !== undefined);

function positional(all: readonly PlannedArgument[], used: UsedNames): Omit<InputText, 'declarations'> {
  const described = all.filter(({ schema }) => schema.description !== undefined);
  return {
    signature: all.map(({ name, schema }) => {
      const tags = tagsOf(schema).join(' ');
      return `${tags === '' ? '' : `/** ${tags} */ `}${name}: ${typeText(schema, used)}`;
    }),
    docs: described.map(({ name, schema }) => `@param ${name} ${safeText(schema.description!)}`),
  };
}

function membersOf(
  { arguments: all, body, paging }: PlannedOperation,
  plan: Pick<ApiPlan, 'inputs'>,
  used: UsedNames,
): string[] {
  const whole: JsonSchema = body ? (body.isFlat ? behind(body.schema, plan.inputs) : body.schema) : {};
  const ofBody = !body
    ? []
    : body.isFlat
      ? Object.entries(whole.properties ?? {}).map(([name, schema]) => ({
          name,
          schema,
          isRequired: whole.required?.includes(name) ?? false,
        }))
      : [{ name: body.name, schema: body.schema, isRequired: body.required }];
  const limit = paging ? [{ name: LIMIT.name, schema: limitSchema, isRequired: false }] : [];
  const members = [
    ...all.map(({ name, schema, required }) => ({ name, schema, isRequired: required })),
    ...ofBody,
    ...limit,
  ];
  return members.map((each) => memberText(each, used, '  '));
}
