import type { BoundTool } from '@toolwright/core';

/** What hosts ask their user by. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * The annotations of a tool that calls others. Hosts ask their user by the annotations of what is called, and see those of this
 * tool only. So it is as dangerous as the most dangerous tool behind it. A tool that says nothing counts as the specification
 * says: destructive, and in an open world.
 */
export function worstOf(tools: readonly Pick<BoundTool, 'annotations'>[]): Hints {
  const writing = tools.filter(({ annotations }) => annotations.readOnlyHint !== true);
  return {
    readOnlyHint: writing.length === 0,
    destructiveHint: writing.some(({ annotations }) => annotations.destructiveHint !== false),
    openWorldHint: tools.some(({ annotations }) => annotations.openWorldHint !== false),
  };
}

/** The annotations of `call_tool`. It never says that it only reads: a client may try any name. */
export function callHints(tools: readonly Pick<BoundTool, 'annotations'>[]): Omit<Hints, 'readOnlyHint'> {
  const { destructiveHint, openWorldHint } = worstOf(tools);
  return { destructiveHint, openWorldHint };
}
