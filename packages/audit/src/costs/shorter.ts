import { type JsonSchema, mapSchema, reachedFrom, type ToolInList } from '@toolwright/json';

/**
 * The same tool with less: the first paragraph of its description, the first sentence of each description in its schemas,
 * no definition that nothing refers to, and a result whose outermost members say no more than their types. Nobody should
 * publish this unread. It says how much there is beyond what a tool must say.
 */
export function shorter(tool: ToolInList): ToolInList {
  const { description, inputSchema, outputSchema } = tool;
  return {
    ...tool,
    description: description?.trim().split(/\n\s*\n/, 1)[0],
    inputSchema: withFewWords(withoutUnused(inputSchema as JsonSchema)),
    ...(outputSchema && { outputSchema: outermostOf(outputSchema as JsonSchema) }),
  };
}

function withoutUnused({ $defs, ...own }: JsonSchema): JsonSchema {
  if (!$defs) return own;
  const reached = reachedFrom(own, $defs);
  const used = Object.entries($defs).filter(([name]) => reached.has(name));
  return used.length > 0 ? { ...own, $defs: Object.fromEntries(used) } : own;
}

function withFewWords(schema: JsonSchema): JsonSchema {
  const { description } = schema;
  const mapped = mapSchema(schema, withFewWords);
  return typeof description === 'string' ? { ...mapped, description: firstSentence(description) } : mapped;
}

function outermostOf({ type, properties, required }: JsonSchema): JsonSchema {
  if (!properties) return { type } as JsonSchema;
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    { type: (member as JsonSchema).type },
  ]);
  return { type, properties: Object.fromEntries(members), required } as JsonSchema;
}

/** A capital follows: the dot of `e.g.` ends no sentence. */
function firstSentence(text: string): string {
  const end = text.search(/[.!?]\s+\p{Lu}/u);
  return end < 0 ? text : text.slice(0, end + 1);
}
