import type { BoundTool } from '@toolwright/core';

/**
 * The annotations of `call_tool`. Hosts ask their user by the annotations of what is called, and see those of `call_tool`
 * only. So it is as dangerous as the most dangerous tool behind it. A tool that says nothing counts as the specification
 * says: destructive, and in an open world.
 */
export function callHints(tools: readonly Pick<BoundTool, 'annotations'>[]): {
  destructiveHint: boolean;
  openWorldHint: boolean;
} {
  return {
    destructiveHint: tools.some(
      ({ annotations: { readOnlyHint, destructiveHint } }) => !readOnlyHint && destructiveHint !== false,
    ),
    openWorldHint: tools.some(({ annotations: { openWorldHint } }) => openWorldHint !== false),
  };
}
