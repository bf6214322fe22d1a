import { createMcpServer } from '@toolwright/core';
import { mcpExpress } from '../src/index.js';

test('a wrong option is told with the name of the function that was called', async () => {
  const server = await createMcpServer({ name: 'x', version: '1', services: [] });
  const options = { alowedHosts: [] } as object;
  expect(() => mcpExpress(server, options)).toThrow(
    /"alowedHosts"[^]*'allowedHosts'[^]*Options of mcpExpress/,
  );
});
