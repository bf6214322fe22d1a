import { createMcpServer } from '@toolwright/core';

// apps/from-0.1 shows that Node.js warns of it, once.
test('the old name `legacy` of the option `stateful` works', async () => {
  const server = await createMcpServer({ name: 'pages', version: '1.0.0', audit: false, legacy: false });
  expect(server.protocol.stateful).toBeUndefined();
  await server.close(0);
});
