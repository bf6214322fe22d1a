import { createMcpServer, type McpServer } from '@toolwright/core';
import { connect } from '../../src/index.js';

// A person closes the laptop in front of a question. Whoever made the call must still be able to give it up.

let server: McpServer;
beforeAll(async () => {
  server = await createMcpServer({ name: 'asks', version: '1.0.0' });
  server.tools.add({
    name: 'ask',
    description: 'Ask.',
    async handler(_args, ctx) {
      const schema = { type: 'object', properties: { sure: { type: 'boolean' } } };
      return (await ctx.elicit('sure', { message: 'Sure?', schema } as never)).action;
    },
  });
});
afterAll(() => server.close(0));

describe.each(['2025-11-25', '2026-07-28'] as const)('in revision %s', (revision) => {
  const ask = async () => {
    let isAsked!: () => void;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const elicit = () => {
      isAsked();
      return new Promise<never>(() => undefined);
    };
    const client = await connect(server, { revision, elicit });
    const control = new AbortController();
    const call = client.call('ask', {}, { signal: control.signal });
    const settled = call.then(
      () => 'answered',
      ({ message }: Error) => message,
    );
    await asked;
    return { client, control, settled };
  };

  test('a call that is aborted while a person is asked rejects', async () => {
    const { client, control, settled } = await ask();
    control.abort(new Error('Given up.'));
    expect(await settled).toBe('Given up.');
    await client.close();
  });

  test('so does one whose client is closed', async () => {
    const { client, settled } = await ask();
    await client.close();
    expect(await settled).toBe('The client was closed before the answer came.');
  });
});
