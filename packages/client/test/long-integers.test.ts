import { createMcpServer } from '@toolwright/core';
import { connect } from '../src/index.js';

test('structured content has the digits of an integer that a number does not hold', async () => {
  const server = await createMcpServer({ name: 'rows', version: '1.0.0', services: [], audit: false });
  server.tools.add({
    name: 'row',
    outputSchema: { type: 'object', properties: { id: { type: 'integer' }, few: { type: 'integer' } } },
    handler: () => ({ id: 1610521604143693812n, few: 3n }),
  });
  const client = await connect(server);
  const { structuredContent, content } = await client.call('row', {});
  expect(structuredContent).toEqual({ id: '1610521604143693812', few: 3 });
  expect(content).toEqual([{ type: 'text', text: '{"id":1610521604143693812,"few":3}' }]);
  await client.close();
  await server.close();
});
