import type { Converter, Schema } from './converter.js';

interface StandardSchema {
  '~standard': { validate(value: unknown): Checked | Promise<Checked> };
}

interface Checked {
  value?: unknown;
  issues?: { message: string }[];
}

interface SchemaCompat {
  OpenAISchemaCompatLayer: new (model: Model) => CompatLayer;
  GoogleSchemaCompatLayer: new (model: Model) => CompatLayer;
  applyCompatLayer(options: { schema: object; compatLayers: CompatLayer[]; mode: 'jsonSchema' }): Schema;
  toStandardSchema(schema: object): StandardSchema;
}

interface CompatLayer {
  processToCompatSchema(schema: StandardSchema): StandardSchema;
}

interface Model {
  provider: string;
  modelId: string;
  supportsStructuredOutputs: boolean;
}

const compat = jest.requireActual<SchemaCompat>('@mastra/schema-compat');

export const mastraOpenAi: Converter = {
  label: 'Mastra, OpenAI',
  convert: () =>
    convertWith('OpenAISchemaCompatLayer', {
      provider: 'openai',
      modelId: 'gpt-5',
      supportsStructuredOutputs: true,
    }),
};

export const mastraGoogle: Converter = {
  label: 'Mastra, Google',
  convert: () =>
    convertWith('GoogleSchemaCompatLayer', {
      provider: 'google',
      modelId: 'gemini-2.5-flash',
      supportsStructuredOutputs: true,
    }),
};

async function convertWith(
  name: 'OpenAISchemaCompatLayer' | 'GoogleSchemaCompatLayer',
  model: Model,
): ReturnType<Converter['convert']> {
  const layer = new compat[name](model);
  return async ({ description, inputSchema }) => {
    const given = () => ({ ...structuredClone(inputSchema), $schema: dialect });
    const schema = compat.applyCompatLayer({ schema: given(), compatLayers: [layer], mode: 'jsonSchema' });
    const reader = layer.processToCompatSchema(compat.toStandardSchema(given()));
    const read = async (args: unknown) => {
      const { value, issues } = await reader['~standard'].validate(args);
      return issues ? { issues } : value;
    };
    return { description, schema, read };
  };
}

/** Mastra's MCP client adds it before it hands a schema on. */
const dialect = 'https://json-schema.org/draft/2020-12/schema';
