import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { createMcpServer, type ServerOptions } from '../src/index.js';

const inputSchema = {
  type: 'object',
  properties: { home: { $ref: '#/$defs/Address' }, nick: { type: ['string', 'null'] } },
  $defs: { Address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
};

async function listed(options: Partial<ServerOptions>) {
  const server = await createMcpServer({
    name: 'published',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
    ...options,
  });
  server.tools.add({ name: 'move', description: 'Moves.', inputSchema, handler: () => 'moved' });
  const client = await connect(server);
  const [tool] = await client.tools();
  const answer = await client.callText('move', { home: {} });
  await client.close();
  await server.close();
  return { published: tool!.inputSchema, answer };
}

test('clients that cannot follow a $ref get the schema without it, and arguments are still checked', async () => {
  const { published, answer } = await listed({});
  expect(published.$defs).toBeUndefined();
  expect(published.properties!['home']).toMatchObject({ type: 'object', required: ['city'] });
  expect(answer).toContain('home.city');
});

test('without clientSafe, the published schema is the one that validates', async () => {
  const { published, answer } = await listed({ lists: { clientSafe: false } });
  expect(published).toEqual(inputSchema);
  expect(answer).toContain('home.city');
});
