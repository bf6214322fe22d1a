import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { byName } from './by-name.js';
import type { Converter, Schema } from './converter.js';

interface StructuredTool {
  name: string;
  description: string;
  schema: Schema;
}

interface McpAdapters {
  loadMcpTools(server: string, client: Client): Promise<StructuredTool[]>;
}

/** What runs tools and graphs is not installed. The class of tools only keeps its fields here, as the real one does. */
class DynamicStructuredTool {
  constructor(fields: object) {
    Object.assign(this, fields);
  }
}

jest.doMock('@langchain/core/tools', () => ({ DynamicStructuredTool }), { virtual: true });
jest.doMock('@langchain/core/messages', () => ({}), { virtual: true });
jest.doMock('@langchain/langgraph', () => ({}), { virtual: true });
const { loadMcpTools } = jest.requireActual<McpAdapters>('@langchain/mcp-adapters');

/** The tools that LangChain's agents get. Its packages for models pass such a schema on as it is. */
export const langChain: Converter = {
  label: 'LangChain',
  async convert({ client }) {
    const tools = byName(await loadMcpTools('constructs', client));
    return async ({ name }) => tools(name);
  },
};
