import { type BoundTool, type McpServer, type RequestContext, ToolError } from '@toolwright/core';
import { type ListView, withoutAround } from '@toolwright/core/extend';
import { cutText, present, showHiddenInLine } from '@toolwright/json';
import { callHints } from './call-hints.js';
import type { FindableTools } from './findable-tools.js';
import { outputLine } from './output-line.js';
import type { CallingTool } from './searching.js';
import { categoryOf } from './tool-document.js';

type ToolDefinition = Parameters<McpServer['tools']['add']>[0];

/** A tool, as a search shows it. */
export interface FoundTool {
  readonly name: string;
  readonly description: string;
  /** As in `tools/list`. */
  readonly inputSchema: object;
  /** What the result is made of, in one line. */
  readonly output?: string;
  readonly category?: string;
  /** Another tool should be used. The description says which one, and results have it first. */
  readonly deprecated?: true;
  /** The scopes that the caller lacks. */
  readonly securitySchemes?: unknown;
  /** How a program calls it, where programs call tools. */
  readonly declaration?: string;
}

/** What the tools of the search ask. */
export interface SearchParts {
  readonly findable: FindableTools;
  readonly listed: ListView;
  /** The names that somebody may have meant. */
  nearest(name: string, among: readonly BoundTool[]): string[];
  /** What calls tools in place of `call_tool`. It is known when the server is ready. */
  readonly calling: CallingTool | undefined;
  /** Best first. */
  search(query: string, among: readonly BoundTool[], limit: number): Promise<readonly BoundTool[]>;
  /** Counts a search. */
  count(outcome: 'found' | 'nothing'): void;
}

const MOST_RESULTS = 50;
const USUAL_RESULTS = 5;

const text = (description: string) => ({ type: 'string', description });
const open = { type: 'object', additionalProperties: true } as const;

const foundTool = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    inputSchema: open,
    output: text('What the result is made of.'),
    category: { type: 'string' },
    deprecated: { type: 'boolean', description: 'True if another tool should be used.' },
    securitySchemes: { type: 'array', items: open, description: 'Present if you lack scopes for it.' },
  },
  required: ['name', 'description', 'inputSchema'],
};

/** The form of a tool in answers. Where programs call tools, they have a declaration. */
const formOf = ({ calling }: SearchParts) =>
  calling
    ? {
        ...foundTool,
        properties: {
          ...foundTool.properties,
          declaration: text(`How ${calling.name} calls it, in TypeScript.`),
        },
      }
    : foundTool;

const reads = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

export function searchTools(parts: SearchParts): ToolDefinition[] {
  return [searchDefinition(parts), describeDefinition(parts), callDefinition()];
}

function searchDefinition(parts: SearchParts): ToolDefinition {
  const { findable, search, count, calling } = parts;
  return {
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Find tools of this server. Say what you want to do in a few words, such as "create invoice", and name the product or ' +
      'area if you know it. Returns the best tools first, with their input schemas. Call one by its own name, or ' +
      `${calling ? `in a program with ${calling.name}` : 'with call_tool'}. Search again in other words if none fits.`,
    annotations: reads,
    inputSchema: {
      type: 'object',
      properties: {
        query: text('What the tool should do: a verb and a thing.'),
        limit: { type: 'integer', minimum: 1, maximum: MOST_RESULTS, default: USUAL_RESULTS },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { tools: { type: 'array', items: formOf(parts) } },
      required: ['tools'],
    },
    async handler(args, { toolSearchRequest: request }) {
      const { query, limit = USUAL_RESULTS } = args as { query: string; limit?: number };
      if (query.trim() === '') throw new ToolError('Say in "query" what the tool should do.');
      const found = await search(query, await findable.all(request!), limit);
      count(found.length > 0 ? 'found' : 'nothing');
      return { tools: found.map((tool) => foundToolOf(tool, parts, request!)) };
    },
  };
}

/** What of the entry in `tools/list` a search shows. */
type Published = {
  /** Begins with what to do instead, if the tool is deprecated. */
  readonly description?: string;
  readonly inputSchema: object;
  readonly securitySchemes?: unknown;
};

/** A tool as lists have it. A program does not use what the server adds to the arguments. */
function publishedIn(request: RequestContext, tool: BoundTool, listed: ListView): Published {
  const { ownInput } = tool;
  const shown = ownInput && request.parent?.program ? { ...tool, inputSchema: ownInput } : tool;
  return listed.published(shown, request) as Published;
}

/** Lists say it in the description only. */
const isDeprecated = ({ deprecation }: BoundTool) => deprecation !== undefined;

function foundToolOf(tool: BoundTool, { listed, calling }: SearchParts, request: RequestContext): FoundTool {
  const category = categoryOf(tool);
  const { description, inputSchema, securitySchemes } = publishedIn(request, tool, listed);
  return {
    name: tool.name,
    description: description ?? tool.title ?? '',
    inputSchema,
    ...(tool.outputSchema && { output: outputLine(tool.outputSchema) }),
    ...(category !== undefined && { category }),
    ...(isDeprecated(tool) && { deprecated: true }),
    ...(securitySchemes !== undefined && { securitySchemes }),
    ...declared(tool, calling),
  };
}

const declared = (tool: BoundTool, calling: CallingTool | undefined) =>
  present({ declaration: calling?.declarationOf(tool) });

function describeDefinition(parts: SearchParts): ToolDefinition {
  return {
    name: 'describe_tool',
    title: 'Describe a tool',
    description:
      'Shows everything about one tool of this server: description, input schema, output schema, hints.',
    annotations: reads,
    inputSchema: {
      type: 'object',
      properties: { name: text('The name of the tool, or of a version of it.') },
      required: ['name'],
      additionalProperties: false,
    },
    outputSchema: { ...open, properties: formOf(parts).properties, required: ['name', 'inputSchema'] },
    async handler(args, { toolSearchRequest: request }) {
      const { name } = args as { name: string };
      const tool = await parts.findable.byName(name, request!);
      if (!tool) throw new ToolError(await unknownTool(name, parts, request!));
      const category = categoryOf(tool);
      return {
        ...publishedIn(request!, tool, parts.listed),
        ...(category !== undefined && { category }),
        ...(isDeprecated(tool) && { deprecated: true }),
        ...declared(tool, parts.calling),
      };
    },
  };
}

/**
 * Its calls are forwarded, or refused if no tool has the name. Only arguments that arrive as text (`input.coerce`) get to
 * the method.
 */
function callDefinition(): ToolDefinition {
  return {
    name: 'call_tool',
    title: 'Call a tool',
    description:
      'Call a tool of this server that search_tools has found and that is not in your list. The result, the checks and the ' +
      'confirmations are those of that tool.',
    // Each list says what is true for its caller.
    annotations: callHints([{ annotations: {} }]),
    policies: [withoutAround],
    inputSchema: {
      type: 'object',
      properties: {
        name: text('The name of the tool.'),
        arguments: { type: 'object', description: 'Its arguments, as its input schema says.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    handler() {
      throw new ToolError('Send "arguments" as an object, and not as a text.');
    },
  };
}

/** Longer names are nobody's: MCP has 128 characters for one. */
const LONGEST_NAME = 200;

/** The same for a tool that does not exist and for one that the caller may not see. */
export async function unknownTool(
  name: string,
  { findable, nearest }: Pick<SearchParts, 'findable' | 'nearest'>,
  request: RequestContext,
): Promise<string> {
  const near = nearest(name, await findable.all(request));
  const hint = near.length > 0 ? `Did you mean ${near.map((each) => `"${each}"`).join(' or ')}? ` : '';
  return `Unknown tool: "${showHiddenInLine(cutText(name, LONGEST_NAME, '…'))}". ${hint}Find the name with search_tools.`;
}
