/** How models mark a call, where their server does not take it out of the text. */
const MARKS = [
  '<tool_call>',
  '[TOOL_CALLS]',
  '<|python_tag|>',
  '<function=',
  '<|tool_call',
  '<|channel|>',
  '<｜tool▁calls',
] as const;

/** What a text has of a call that was written into it; `undefined` where there is no call. */
export function findCallInText(text: string): string | undefined {
  const mark = MARKS.find((each) => text.includes(each));
  if (mark !== undefined) return mark;
  const bare = text
    .replace(/^```(?:json)?/, '')
    .replace(/```$/, '')
    .trim();
  if (!bare.startsWith('{') || !bare.endsWith('}')) return undefined;
  try {
    const { name, arguments: args, parameters } = JSON.parse(bare) as Record<string, unknown>;
    return typeof name === 'string' && (args ?? parameters) !== undefined
      ? `{"name": "${name}", …}`
      : undefined;
  } catch {
    return undefined;
  }
}
