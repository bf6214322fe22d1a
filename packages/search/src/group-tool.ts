import { type BoundTool, type McpServer, type RequestContext, ToolError } from '@toolwright/core';
import { present } from '@toolwright/json';
import type { FindableTools } from './findable-tools.js';
import type { LoadedGroups } from './loaded-groups.js';

type ToolDefinition = Parameters<McpServer['tools']['add']>[0];

/** What `load_group` asks. */
export interface GroupParts {
  readonly findable: FindableTools;
  readonly groups: LoadedGroups;
  /** Tells the client that its list has changed. */
  changed(request: RequestContext): void;
}

/** The group of a tool, if it has one. */
export function groupOf({ extra }: Pick<BoundTool, 'extra'>): string | undefined {
  return extra?.group;
}

const listOf = (items: object) => ({ type: 'array', items });

/** The tool that puts a group of tools into the list of its caller. */
export function groupTool({ findable, groups, changed }: GroupParts): ToolDefinition {
  return {
    name: 'load_group',
    title: 'Load a group of tools',
    description:
      'Put all tools of a group into your list, for work that needs many of them. Without a name it returns the groups.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: {
      type: 'object',
      properties: { group: { type: 'string', description: 'The name of the group.' } },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        groups: listOf({
          type: 'object',
          properties: { group: { type: 'string' }, tools: { type: 'integer' } },
          required: ['group', 'tools'],
        }),
        tools: listOf({
          type: 'object',
          properties: { name: { type: 'string' }, description: { type: 'string' } },
          required: ['name'],
        }),
        listed: {
          type: 'boolean',
          description:
            'True when the tools are in your list now. Otherwise call them by name, or with call_tool.',
        },
      },
    },
    async handler(args, { toolSearchRequest: request }) {
      const { group } = args as { group?: string };
      const all = groupsOf(await findable.all(request!));
      if (group === undefined)
        return { groups: [...all].map(([name, { length }]) => ({ group: name, tools: length })) };
      const tools = all.get(group);
      if (!tools) throw new ToolError(unknownGroup(group, [...all.keys()]));
      const { isListed: listed, isNew } = await groups.load(group, request!);
      // Without sessions, all clients would fetch their lists again.
      if (isNew) changed(request!);
      return {
        tools: tools.map(({ name, description }) => present({ name, description })),
        listed,
      };
    },
  };
}

function groupsOf(tools: readonly BoundTool[]): Map<string, BoundTool[]> {
  const all = new Map<string, BoundTool[]>();
  for (const tool of tools) {
    const group = groupOf(tool);
    if (group !== undefined) all.set(group, [...(all.get(group) ?? []), tool]);
  }
  return all;
}

function unknownGroup(group: string, known: readonly string[]): string {
  return known.length === 0
    ? `Unknown group: "${group}". You have no groups.`
    : `Unknown group: "${group}". The groups are: ${known.join(', ')}.`;
}
