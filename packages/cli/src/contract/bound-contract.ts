import type { McpServer } from '@toolwright/core';
import { toClientSafe } from '@toolwright/json';
import { scopesOf } from './every-scope.js';
import type { ToolContract } from './lock-file.js';

export type ServedTool = ReturnType<McpServer['tools']['list']>[number];

/** The contract of a tool of a server, whether or not a list shows it. */
export function contractOf(tool: ServedTool, name = tool.name): ToolContract {
  const { title, description, annotations, inputSchema, outputSchema, entry, deprecation } = tool;
  const deprecated = entry?.deprecated ?? (deprecation && (deprecation.reason ?? true));
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(Object.keys(annotations).length > 0 && { annotations: annotations as ToolContract['annotations'] }),
    inputSchema: toClientSafe(inputSchema, { role: 'input' }),
    ...(outputSchema && { outputSchema: toClientSafe(outputSchema, { role: 'output' }) }),
    scopes: scopesOf(tool).sort(),
    ...(deprecated !== undefined && { deprecated }),
  };
}

/**
 * The tools that are only for callers of whom the list was not read. Several may have one name, so each is named with its
 * class, or with its function `for`: `export (AcmeTools)`.
 */
export function contractsForOthers(
  tools: readonly ServedTool[],
  isRead: (tool: ServedTool) => boolean,
): ToolContract[] {
  const seen = new Map<string, number>();
  return tools
    .filter(({ audience, versionOf, isUnlisted }) => audience && (versionOf === undefined || isUnlisted))
    .filter((tool) => !isRead(tool))
    .map((tool) => {
      const name = `${tool.name} (${whom(tool)})`;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      const words = String(tool.audience).replace(/\s+/g, ' ');
      return { ...contractOf(tool, count === 1 ? name : `${name} ${count}`), for: words };
    });
}

/** A function without a name of its own is called after its option. */
function whom({ entry, audience }: ServedTool): string {
  const ofClass = /#(.+)\.[^.]+$/.exec(entry?.key.replace('::', '.') ?? '')?.[1];
  return ofClass ?? (['', 'for'].includes(audience?.name ?? '') ? 'some callers' : audience!.name);
}
