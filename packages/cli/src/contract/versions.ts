import type { McpServer } from '@toolwright/core';
import type { ToolChange } from './change.js';
import { compareContracts } from './compare-contracts.js';
import { type ServedTool, contractOf } from './bound-contract.js';
import type { ToolContract } from './lock-file.js';

/**
 * The contract of every version of a tool, under the name that it answers to: `search_pages.v1`. Lists show only the newest
 * one, under its bare name.
 *
 * @param isRead whether a caller may use the tool
 */
export function versionsOf(
  server: McpServer,
  isRead: (tool: ServedTool) => boolean = () => true,
): ToolContract[] {
  const versions = server.tools.list({ unlisted: true }).filter((tool) => tool.isUnlisted && isRead(tool));
  return versions.map((tool) => contractOf(tool));
}

/**
 * Lists what changed in which version. A server that is read over the network, and a lock of an earlier release, do not say
 * which versions there are.
 */
export function compareVersions(
  before: readonly ToolContract[] | undefined,
  after: readonly ToolContract[] | undefined,
): ToolChange[] {
  return before && after ? compareContracts(before, after) : [];
}
