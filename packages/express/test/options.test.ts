import { createMcpServer } from '@toolwright/core';
import { mcpExpress } from '../src/index.js';

test('the error for a wrong option names the function that was called', async () => {
  const server = await createMcpServer({ name: 'x', version: '1', services: [] });
  const options = { alowedHosts: [] } as object;
  expect(() => mcpExpress(server, options)).toThrow(
    /"alowedHosts"[^]*'allowedHosts'[^]*Options of mcpExpress/,
  );
});
