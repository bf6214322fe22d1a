import type { Converter, Schema } from './converter.js';

/** No converter at all: what every client gets. */
export const asPublished: Converter = {
  label: 'As published',
  convert: async () => async (tool) => ({
    description: tool.description,
    schema: tool.inputSchema as Schema,
  }),
};
