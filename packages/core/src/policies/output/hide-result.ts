import type { JsonSchema } from '@toolwright/manifest';
import type { ToolResult } from '../../base/content/content.js';
import { HIDDEN, sensitiveParts } from '../../base/schema/sensitive-parts.js';

/** Takes what is sensitive out of results; undefined where their schema has nothing of the kind. */
export function planResultHiding(schema: JsonSchema): ((result: unknown) => unknown) | undefined {
  const parts = sensitiveParts(schema);
  if (!parts) return undefined;
  return (result) => {
    if (typeof result !== 'object' || result === null) return result;
    const { content, structuredContent, ...rest } = result as Partial<ToolResult>;
    if ((result as ToolResult).isError) return result;
    return {
      ...rest,
      // Texts repeat the structured content.
      ...(content && {
        content: content.map((block) => (block.type === 'text' ? { ...block, text: HIDDEN } : block)),
      }),
      ...(structuredContent !== undefined && { structuredContent: parts.hide(structuredContent) }),
    };
  };
}
