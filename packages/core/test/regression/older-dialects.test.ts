import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** The output of zod for version 1 of the SDK, with a repeated schema. */
const inputSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { at: { type: 'number', exclusiveMinimum: 0 } },
        required: ['at'],
      },
    },
    more: { $ref: '#/properties/edits' },
    pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
    node: { $ref: '#/definitions/Node' },
  },
  required: ['edits'],
  additionalProperties: false,
  definitions: { Node: { type: 'object', properties: { next: { $ref: '#/definitions/Node' } } } },
};
const outputSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $ref: '#/definitions/Result',
  definitions: { Result: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] } },
};

test('a tool of an older server is accepted unchanged, checked by its schemas, and published in 2020-12', async () => {
  const server = await boot({ services: [] });
  const wire = new StatelessWire(server);
  const answer = { content: [{ type: 'text', text: 'Done.' }], structuredContent: { done: true } };
  server.tools.add({ name: 'edit', description: 'x', inputSchema, outputSchema, handler: () => answer });
  expect((await wire.call('edit', { edits: [{ at: 1 }], more: [], pair: ['a', 1] })).result).toMatchObject(
    answer,
  );
  for (const wrong of [
    { edits: [{ at: 0 }] },
    { edits: [], more: [{}] },
    { edits: [], pair: [1] },
    { edits: [], x: 1 },
  ])
    expect((await wire.call('edit', wrong)).result.isError).toBe(true);
  const [published] = (await wire.request('tools/list')).result.tools;
  expect(JSON.stringify(published)).not.toMatch(/draft-07|definitions|\$schema/);
  expect(published.outputSchema).toEqual(outputSchema.definitions.Result);
  expect(published.inputSchema.properties.more).toEqual(published.inputSchema.properties.edits);
  server.tools.update('edit', { description: 'y' });
  expect((await wire.call('edit', { edits: [] })).result.isError).toBeUndefined();
  await server.close(0);
});

test('the error for an unknown dialect says what to do', async () => {
  const server = await boot({ services: [] });
  const $schema = 'http://json-schema.org/draft-03/schema#';
  const add = () =>
    server.tools.add({
      name: 'a',
      description: 'x',
      inputSchema: { $schema, type: 'object' },
      handler: () => 'x',
    });
  expect(add).toThrow(
    /there is no support for the dialect .*draft-03.*\n.*draft-04, draft-06, draft-07 and 2019-09 are rewritten/,
  );
  await server.close(0);
});
