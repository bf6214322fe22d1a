import { createMcpServer } from '@toolwright/core';
import { RecordingLogger } from '../support/recording-logger.js';

test('the option `legacy` works, and the log says its new name', async () => {
  const logger = new RecordingLogger();
  const server = await createMcpServer({
    name: 'pages',
    version: '1.0.0',
    audit: false,
    logger,
    legacy: false,
  });
  expect(server.protocol.stateful).toBeUndefined();
  expect(logger.lines).toMatchObject([
    {
      level: 'warn',
      fields: { option: 'legacy' },
      message: expect.stringContaining('now called "stateful"'),
    },
  ]);
  await server.close(0);
});
