import { openClient, type WireMessage } from '../../src/index.js';

type Answer = (message: WireMessage, receive: (message: WireMessage) => void) => void | Promise<void>;

/** A client whose server is a function, after a handshake that always works. */
const opened = (answer: Answer) =>
  openClient(
    (receive) => ({
      send(message) {
        if (message.method !== 'initialize') return answer(message, receive);
        const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
        receive({ jsonrpc: '2.0', id: message.id!, result });
      },
      close: () => undefined,
    }),
    { revision: '2025-11-25', elicit: () => ({ action: 'accept', content: {} }) },
  );

test('a request ends with its answer, although the channel still sends', async () => {
  const client = await opened(({ id, method }, receive) => {
    if (method !== 'tools/list') return;
    receive({ jsonrpc: '2.0', id: id!, result: { tools: [] } });
    return new Promise(() => undefined);
  });
  expect(await client.tools()).toEqual([]);
});

test('a request ends if the server does not take the answer to its question', async () => {
  const client = await opened(({ id, method }, receive) => {
    if (id === 'question') return Promise.reject(new Error('The session has ended.'));
    if (method !== 'tools/call') return;
    const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
    receive({ jsonrpc: '2.0', id: 'question', method: 'elicitation/create', params });
    return undefined;
  });
  await expect(client.call('ask')).rejects.toThrow('The session has ended.');
});
