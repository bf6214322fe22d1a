import type { ContextCall, ExtensionHost } from '@toolwright/core/extend';
import type { ToolDefinition } from '@toolwright/core/operate';

const PROGRAMS = 'toolwright.server.code.programs';
const OUTCOME = 'toolwright.code.outcome';

/** Each metric of this package: its kind, its unit, and what it measures. docs/telemetry.md has the same. */
export const codeMetrics = {
  [PROGRAMS]: ['counter', '{program}', 'Rounds of programs, by outcome'],
} as const;

/** The tool that runs programs, with its rounds counted. */
export function countPrograms({ counter }: ExtensionHost, tool: ToolDefinition): ToolDefinition {
  const [, unit, description] = codeMetrics[PROGRAMS];
  const count = counter(PROGRAMS, { unit, description });
  // An alert on programs that fail must see the first one.
  count({ [OUTCOME]: 'failed' }, 0);
  return {
    ...tool,
    async handler(args, context) {
      const { request } = (context as { programCall?: ContextCall }).programCall!;
      let outcome = 'failed';
      try {
        const result = await tool.handler(args, context);
        outcome = request.input.pending.size > 0 ? 'asked' : 'returned';
        return result;
      } finally {
        count({ [OUTCOME]: outcome });
      }
    },
  };
}
