import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { byName } from './by-name.js';
import type { Converter, Schema } from './converter.js';

interface GenAi {
  mcpToTool(client: Client): { tool(): Promise<{ functionDeclarations: FunctionDeclaration[] }> };
}

interface FunctionDeclaration {
  name: string;
  description: string;
  parametersJsonSchema: Schema;
}

// The entry for Node loads what signs requests, too; this one has the same conversion.
const { mcpToTool } = jest.requireActual<GenAi>(
  join(__dirname, '../../node_modules/@google/genai/dist/index.cjs'),
);

/** The function declarations of Google's own SDK. They hold JSON Schema, which the service reads itself. */
export const googleGenAi: Converter = {
  label: 'Google GenAI',
  async convert({ client }) {
    const { functionDeclarations } = await mcpToTool(client).tool();
    const declared = byName(functionDeclarations);
    return async ({ name }) => {
      const { description, parametersJsonSchema } = declared(name);
      return { description, schema: parametersJsonSchema };
    };
  },
};
