import type { McpServer } from '@toolwright/core';
import type { ConsoleEvent } from '../api/events.js';

/** Tells everything that a server does. Sequence numbers are given where the records are kept. */
export function watchServer(id: string, server: McpServer, tell: (event: ConsoleEvent) => void): () => void {
  const place = { server: id, run: 0 };
  const stops = [
    server.on('call', (trace) => tell({ type: 'call', call: { seq: 0, record: { ...trace, ...place } } })),
    server.on('message', (observed) =>
      tell({ type: 'message', message: { seq: 0, record: { ...observed, ...place } } }),
    ),
  ];
  return () => stops.forEach((stop) => stop());
}
