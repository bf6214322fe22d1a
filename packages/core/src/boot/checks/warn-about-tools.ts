import { locationOf, type ToolDraft } from '../../call/operation/draft.js';
import type { Logger } from '../../ports/logger.js';

/** Warns of tools that will be used badly: a model knows of a tool only what it says of itself. */
export function warnAboutTools(tools: readonly ToolDraft[], logger: Logger): void {
  for (const tool of tools) {
    const { name, description, annotations } = tool;
    if (!description) {
      logger.warn(
        { tool: name, ...locationOf(tool) },
        `The tool "${name}" has no description; write a doc comment above it.`,
      );
    }
    if (isEmpty(annotations)) {
      logger.warn(
        { tool: name, ...locationOf(tool) },
        `The tool "${name}" has no annotations. Set at least readOnlyHint or destructiveHint.`,
      );
    }
  }
}

/** Without an array for each of a thousand tools, as Object.keys makes. */
function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}
