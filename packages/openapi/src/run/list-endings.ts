import type { Middleware, ToolContext } from '@toolwright/core';

/** What is to be said of the lists of a call, by its context. A list is plain data, and has no place for it. */
const endings = new WeakMap<ToolContext, string[]>();

/** Takes note that a list ends at its limit, and not because the API has no more. */
export function endedAtLimit(ctx: ToolContext, count: number, isCertain: boolean): void {
  const more = isCertain ? 'There are more' : 'There may be more';
  const note = `[These are ${count} items, because \`limit\` was reached. ${more}: ask for a larger \`limit\`, or for a part of the list with other arguments.]`;
  endings.set(ctx, [...(endings.get(ctx) ?? []), note]);
}

/** Adds the notes of a call to its result. Without one, a model would take a part of a list for all of it. */
export const noteEndings: Middleware = async (call, next) => {
  const result = await next();
  const notes = endings.get(call.context);
  if (notes && Array.isArray(result.content) && result.isError !== true)
    result.content = [...result.content, ...notes.map((text) => ({ type: 'text' as const, text }))];
  return result;
};
