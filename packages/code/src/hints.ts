import type { BoundTool } from '@toolwright/core';

/** The annotations of `run_code`: those of the worst tool that a program of the caller may call. A tool that says nothing counts as the specification says. */
export function worstOf(tools: readonly Pick<BoundTool, 'annotations'>[]): {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  openWorldHint: boolean;
} {
  const writing = tools.filter(({ annotations }) => annotations.readOnlyHint !== true);
  return {
    readOnlyHint: writing.length === 0,
    destructiveHint: writing.some(({ annotations }) => annotations.destructiveHint !== false),
    openWorldHint: tools.some(({ annotations }) => annotations.openWorldHint !== false),
  };
}
