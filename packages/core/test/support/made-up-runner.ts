import { InputRequired, type McpServer, type ToolResult } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { type ContextCall, type Extension, extend } from '@toolwright/core/extend';

declare module '@toolwright/core/extend' {
  interface ExtraContext {
    /** The call, for the tool that makes others. */
    readonly outerCall?: ContextCall;
  }
}

/** What the tool is told to call. */
export interface Wanted {
  name: string;
  args?: Record<string, unknown>;
  key?: string;
}

/** How each call has ended: its text, `asking`, `unknown`, or the message of its error. */
export type Ended = string[];

/** Options of its tool. */
interface RunnerOptions extends Partial<Pick<ToolDefinition, 'task' | 'annotations'>> {
  /** Gets what is heard of each call that failed. */
  readonly failures?: [code: string | undefined, hasBegun: boolean][];
}

/** A made-up package with a tool `run_all` that calls other tools, all at the same time. */
const runner = ({ failures, ...options }: RunnerOptions): Extension => ({
  name: '@made-up/runner',
  start: ({ server, calls }) => ({
    context: { outerCall: (call) => call },
    ready() {
      server.tools.add({
        name: 'run_all',
        description: 'Runs tools.',
        ...options,
        inputSchema: { type: 'object', properties: { wanted: { type: 'array', items: { type: 'object' } } } },
        async handler({ wanted }, { outerCall: outer }) {
          const run = async ({ name, args = {}, key }: Wanted): Promise<string> => {
            const tool = await calls.find(name, outer!);
            if (!tool) return 'unknown';
            const outcome = await calls.call(outer!, tool, args, {
              ...(key !== undefined && { key }),
              onFailed: (...failure) => void failures?.push(failure),
            });
            return outcome instanceof InputRequired ? 'asking' : textOf(outcome);
          };
          const all = (wanted as Wanted[]).map((each) => run(each).catch((error: Error) => error.message));
          return JSON.stringify(await Promise.all(all));
        },
      });
    },
  }),
});

function textOf({ content: [first] }: ToolResult): string {
  return first?.type === 'text' ? first.text : '';
}

/** Adds the package to a server. */
export async function addRunner(server: McpServer, options: RunnerOptions = {}): Promise<void> {
  await extend(server, runner(options));
}
