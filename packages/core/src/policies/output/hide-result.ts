import type { JsonSchema } from '@toolwright/manifest';
import type { ToolResult } from '../../base/content/content.js';
import { HIDDEN, sensitiveParts } from '../../base/schema/sensitive-parts.js';

/** Removes sensitive values from results. Returns `undefined` when the schema has none. */
export function planResultHiding(schema: JsonSchema): ((result: unknown) => unknown) | undefined {
  const parts = sensitiveParts(schema);
  if (!parts) return undefined;
  return (result) => {
    if (typeof result !== 'object' || result === null) return result;
    const { content, structuredContent, ...rest } = result as Partial<ToolResult>;
    if ((result as ToolResult).isError) return result;
    return {
      ...rest,
      // Texts repeat the structured content, so they are replaced, too.
      ...(content && {
        content: content.map((block) => (block.type === 'text' ? { ...block, text: HIDDEN } : block)),
      }),
      ...(structuredContent !== undefined && { structuredContent: parts.hide(structuredContent) }),
    };
  };
}
