import { join } from 'node:path';
import { z } from 'zod/v3';
import type { Converter, Schema } from './converter.js';
import { fromGoogleSchema } from './from-google-schema.js';

interface Converters {
  toGeminiTool(tool: object): { description: string; parameters: Schema };
}

/** Genkit's own error; the other name of it that the module reads is Zod 3, which Genkit passes on. */
class GenkitError extends Error {
  constructor({ message }: { message: string }) {
    super(message);
  }
}

jest.doMock('genkit', () => ({ z, GenkitError }), { virtual: true });
jest.doMock('jsonpath-plus', () => ({}), { virtual: true });
// The function is not exported by the package's entry.
const { toGeminiTool } = jest.requireActual<Converters>(
  join(__dirname, '../../node_modules/@genkit-ai/google-genai/lib/common/converters.js'),
);

/** Genkit hands an MCP tool's schema on as it is; its package for Google writes the declaration. */
export const genkit: Converter = {
  label: 'Genkit, Google',
  async convert() {
    return async ({ name, description, inputSchema }) => {
      const declared = toGeminiTool({ name, description, inputSchema });
      return { description: declared.description, schema: fromGoogleSchema(declared.parameters) };
    };
  },
};
