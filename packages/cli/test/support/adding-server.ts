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

/** A program that serves it over HTTP at PORT. `say` is what it prints, with `url`. */
export const servesHttp = (say: string, before = '') => `
const { serveHttp } = require('@toolwright/http');
${before}
require('./server.js').createServer()
  .then((server) => serveHttp(server, { port: Number(process.env.PORT) }))
  .then(({ url }) => ${say});
`;

/** A program that serves it over standard input and output. */
export const servesStdio = (before = '') => `
const { serveStdio } = require('@toolwright/stdio');
${before}
require('./server.js').createServer().then((server) => serveStdio(server));
`;

/** A program that supports only an older revision. */
export const oldServer = (before: string) => `
${before}
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
  'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'old' }] },
};
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method];
  const error = { code: -32601, message: 'Method not found' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});
`;
