import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Converter, Schema } from './converter.js';

interface AgentsCore {
  mcpToFunctionTool(
    tool: Tool,
    server: { name: string; callTool(name: string, args: unknown): Promise<unknown> },
    strict: boolean,
  ): FunctionTool;
}

interface FunctionTool {
  description: string;
  parameters: Schema;
  strict: boolean;
  invoke(context: object, args: string): Promise<unknown>;
}

// Only for schemas that are written with Zod.
jest.doMock('openai/helpers/zod', () => ({}), { virtual: true });
// The package's entry exports it, too, and loads twice as much.
const { mcpToFunctionTool } = jest.requireActual<AgentsCore>(
  join(__dirname, '../../node_modules/@openai/agents-core/dist/mcp.js'),
);

/** Tools of the Agents SDK that are converted to strict schemas, which the provider enforces where that succeeds. */
export const openAiAgentsStrict: Converter = {
  label: 'OpenAI Agents, strict',
  async convert() {
    return async (tool) => {
      let received: unknown;
      const callTool = async (_name: string, args: unknown) => {
        received = args;
        return [];
      };
      const { description, parameters, strict, invoke } = mcpToFunctionTool(
        tool,
        { name: 'constructs', callTool },
        true,
      );
      const read = async (args: unknown) => {
        await invoke({}, JSON.stringify(args));
        return received;
      };
      return { description, schema: parameters, advice: !strict, read };
    };
  },
};
