import type { BoundTool } from '@toolwright/core';
import { DeclaredTypes, docComment, pascalCase, propertyName, UniqueNames } from '@toolwright/json';

/** What a declaration shows of a tool. */
export type DeclaredTool = Pick<
  BoundTool,
  'name' | 'description' | 'deprecation' | 'inputSchema' | 'ownInput' | 'outputSchema'
>;

/** What a tool without an output schema gives. */
const CONTENT = 'export type Content = { type: string; text?: string; [name: string]: unknown };\n';

/** Names of types that the text itself uses. */
const USED = ['Content', 'Promise', 'Record'];

/** How a program calls tools, in TypeScript. It is written by what also writes the module of `toolwright client`. */
export function declareTools(tools: readonly DeclaredTool[]): string {
  const schemas = tools.flatMap((tool) => [inputOf(tool), tool.outputSchema ?? []].flat());
  const types = new DeclaredTypes(schemas, new UniqueNames(USED));
  const members = tools.map((tool) => memberOf(tool, types));
  const content = tools.every(({ outputSchema }) => outputSchema) ? [] : [CONTENT];
  return [...types.declarations, ...content, `declare const tools: {\n${members.join('')}};\n`].join('');
}

function memberOf(tool: DeclaredTool, types: DeclaredTypes): string {
  const { name, description, deprecation, outputSchema } = tool;
  const inputSchema = inputOf(tool);
  const owner = pascalCase(name);
  const args = types.inline(inputSchema, owner, '  ');
  const isOptional = (inputSchema.required ?? []).length === 0;
  const taken = args === NOTHING ? '' : `args${isOptional ? '?' : ''}: ${args}`;
  const given = outputSchema ? types.inline(outputSchema, owner, '  ') : 'string | Content[]';
  const doc = docComment(
    [description, deprecation && deprecationLine(deprecation)].filter(Boolean).join('\n'),
    '  ',
  );
  return `${doc}  ${propertyName(name)}(${taken}): Promise<${given}>;\n`;
}

/** No program confirms itself, and its results are not cut. */
const inputOf = ({ inputSchema, ownInput }: DeclaredTool) => ownInput ?? inputSchema;

/** How the arguments of a tool look that takes none. */
const NOTHING = 'Record<string, never>';

function deprecationLine({ reason, replacedBy }: NonNullable<DeclaredTool['deprecation']>): string {
  return ['@deprecated', reason, replacedBy && `Use ${replacedBy}.`].filter(Boolean).join(' ');
}
