import {
  camelCase,
  DeclaredTypes,
  docComment,
  type JsonSchema,
  pascalCase,
  UniqueNames,
} from '@toolwright/json';
import type { ToolContract } from '../contract/lock-file.js';
import { visibleJson } from '@toolwright/operate/terminal';

/** Members of the class whose names a tool must not get. */
const members = ['client', 'constructor', 'toString', 'valueOf', 'then'];

/** Types that the module uses. */
const known = [
  'ToolFailure',
  'CallToolResult',
  'CallToolRequestOptions',
  'Client',
  'Error',
  'Promise',
  'Record',
];

/**
 * Writes a TypeScript module with one method per tool, on the official client.
 *
 * @param name of the class
 */
export function writeClient(tools: readonly ToolContract[], name: string): string {
  const types = new DeclaredTypes(
    tools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, ...(outputSchema ? [outputSchema] : [])]),
    new UniqueNames([name, ...known]),
  );
  const methods = new UniqueNames(members);
  const written = tools.map((tool) => writeMethod(tool, methods.take(camelCase(tool.name)), types));
  return [
    HEAD,
    ...types.declarations,
    FAILURE,
    `/** The tools of a server, one method each, on a client that is connected to it. */\nexport class ${name} {\n` +
      '  constructor(readonly client: Client) {}\n\n' +
      `${written.join('\n')}\n${CALL}}\n`,
  ].join('\n');
}

function writeMethod(tool: ToolContract, method: string, types: DeclaredTypes): string {
  const owner = pascalCase(tool.name);
  const { inputSchema, outputSchema } = tool;
  const takesArguments = Object.keys(inputSchema.properties ?? {}).length > 0 || !isClosed(inputSchema);
  const argumentsName = takesArguments
    ? types.declare(inputSchema, { owner, part: 'Arguments', comment: `Arguments of \`${tool.name}\`.` })
    : undefined;
  const resultName =
    outputSchema &&
    types.declare(outputSchema, { owner, part: 'Result', comment: `What \`${tool.name}\` gives back.` });
  const isOptional = (inputSchema.required ?? []).length === 0;
  const parameters = [
    ...(argumentsName ? [`args${isOptional ? '?' : ''}: ${argumentsName}`] : []),
    'options?: CallToolRequestOptions',
  ].join(', ');
  const passed = `${visibleJson(tool.name, 0)}, ${argumentsName ? 'args' : '{}'}, options`;
  const isWrapped = outputSchema !== undefined && outputSchema.type !== 'object';
  const body = resultName
    ? `return this.#value<${resultName}>(await this.#call(${passed}), ${isWrapped});`
    : `return this.#call(${passed});`;
  const doc = docComment([tool.description, ...deprecation(tool)].filter(Boolean).join('\n'), '  ');
  return `${doc}  async ${method}(${parameters}): Promise<${resultName ?? 'CallToolResult'}> {\n    ${body}\n  }\n`;
}

function isClosed({ additionalProperties, patternProperties, anyOf, oneOf, allOf }: JsonSchema): boolean {
  return additionalProperties === false && !patternProperties && !anyOf && !oneOf && !allOf;
}

function deprecation({ deprecated }: ToolContract): string[] {
  if (deprecated === undefined || deprecated === false) return [];
  return [`@deprecated${typeof deprecated === 'string' ? ` ${deprecated}` : ''}`];
}

const HEAD = `// Written by \`toolwright client\`. Do not edit: run it again when the tools have changed.
import type { CallToolRequestOptions, CallToolResult, Client } from '@modelcontextprotocol/client';
`;

const FAILURE = `/** Thrown when a tool says that it failed; the message is what it says. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(
    readonly tool: string,
    readonly result: CallToolResult,
  ) {
    super(result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\\n') || tool);
  }
}
`;

const CALL = `  async #call(name: string, args?: object, options?: CallToolRequestOptions): Promise<CallToolResult> {
    const result = await this.client.callTool({ name, arguments: { ...args } }, options);
    if (result.isError) throw new ToolFailure(name, result);
    return result;
  }

  /** Revisions before 2026-07-28 know objects only: any other value comes as \`{ result }\`. */
  #value<Value>({ structuredContent }: CallToolResult, isOther: boolean): Value {
    const revision = this.client.getNegotiatedProtocolVersion() ?? '';
    const isWrapped = isOther && revision < '2026-07-28';
    return (isWrapped ? (structuredContent as { result: unknown }).result : structuredContent) as Value;
  }
`;
