/** A module with `createServer`: a server that adds numbers. */
export const addingServer = (name: string) => `
const { createMcpServer } = require('@toolwright/core');
exports.createServer = async () => {
  const server = await createMcpServer({ name: '${name}', version: '1', services: [] });
  server.tools.add({
    name: 'add',
    description: 'Add numbers.',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    handler: ({ a, b }) => String(a + b),
  });
  return server;
};
`;
