import type { McpClient } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import type { ConsoleEvent } from '../api/events.js';
import { connectUnseen, isUnseen } from './unseen-client.js';

/** Tells everything that a server does. Sequence numbers are given where the records are kept. */
export function watchServer(id: string, server: McpServer, tell: (event: ConsoleEvent) => void): () => void {
  const place = { server: id, run: 0 };
  const lists = watchLists(server, () => tell({ type: 'surface', server: id }));
  const stops = [
    server.on('call', (trace) => tell({ type: 'call', call: { seq: 0, record: { ...trace, ...place } } })),
    server.on('message', (observed) => {
      if (!isUnseen(observed.client))
        tell({ type: 'message', message: { seq: 0, record: { ...observed, ...place } } });
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    void lists.then((client) => client?.close());
  };
}

/** Lists change in more ways than one; a client is told of all of them. */
async function watchLists(server: McpServer, changed: () => void): Promise<McpClient | undefined> {
  try {
    const client = await connectUnseen(server);
    const subscription = await client.listen({ tools: true, prompts: true, resources: true });
    void (async () => {
      while (await subscription.next()) changed();
    })();
    return client;
  } catch {
    // A server that lets nobody in whom it does not know: the page then asks again when it is shown.
    return undefined;
  }
}
