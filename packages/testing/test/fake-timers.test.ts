import { createMcpServer, type McpServer, type ToolContext } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { connect } from '../src/index.js';

let server: McpServer;

beforeEach(async () => {
  jest.useFakeTimers();
  server = await createMcpServer({
    name: 'clocks',
    version: '1',
    services: [],
    logger: silentLogger,
    instructions: 'Ask.',
  });
  server.tools.add({
    name: 'now',
    description: 'The time.',
    annotations: { readOnlyHint: true },
    handler: () => 'noon',
  });
  server.tools.add({
    name: 'ask',
    description: 'Ask.',
    handler: async (_args, ctx: ToolContext) => {
      ctx.progress(1, 2);
      const { action } = await ctx.elicit('sure', {
        message: 'Shall I?',
        schema: { type: 'object', properties: {} },
      });
      return action;
    },
  });
});

afterEach(async () => {
  jest.useRealTimers();
  await server.close(0);
});

// Whoever tests a tool with timers that are not real waits for no answer of ours.
test.each(['2026-07-28', '2025-11-25', '2024-11-05'] as const)(
  'a tool is called while no timer runs, in revision %s',
  async (revision) => {
    const client = await connect(server, {
      revision,
      elicit: async () => ({ action: 'accept', content: {} }),
    });
    expect(await client.call('now', {})).toMatchObject({ content: [{ text: 'noon' }] });
    expect(await client.tools()).toHaveLength(2);
    if (revision !== '2024-11-05')
      expect(await client.call('ask', {}, { onProgress: () => undefined })).toMatchObject({
        content: [{ text: 'accept' }],
      });
    await client.close();
    await server.drain();
    await server.close();
  },
);

test('a server ends while a call is in flight, and no timer runs', async () => {
  let finish = () => {};
  server.tools.add({
    name: 'wait',
    description: 'Wait.',
    handler: () => new Promise<string>((done) => (finish = () => done('over'))),
  });
  const client = await connect(server);
  const call = client.call('wait', {});
  while (server.protocol.load.requests === 0) await Promise.resolve();
  const closing = server.close();
  finish();
  expect(await call).toMatchObject({ content: [{ text: 'over' }] });
  await closing;
});
