import { locationOf, type ToolDraft } from '../../call/operation/draft.js';
import type { Logger } from '../../ports/logger.js';
import type { ServerOptions } from '../options/server-options.js';

/** Warns about tools that models will use badly, because a model only knows what a tool says about itself. */
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

/** A worker asks `authorize` again, and a task keeps no claim of its caller that nobody has named. */
export function warnAboutClaims({ tasks, authorize }: ServerOptions, logger: Logger): void {
  if (!tasks?.queue || !authorize || tasks.claims !== undefined) return;
  logger.warn(
    { option: 'tasks.claims' },
    'Workers ask authorize() again, and a queued task keeps no claims of its caller. If authorize() reads claims, ' +
      'name them in tasks.claims, or it refuses tasks that it has let begin. If it reads none, set tasks.claims to [].',
  );
}

/** Object.keys would create an array for each of a thousand tools. */
function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}
