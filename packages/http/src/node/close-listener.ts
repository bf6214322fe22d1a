import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many milliseconds connections may take to send the rest of a request or to receive the rest of an answer. */
const PATIENCE_MS = 1_000;

/** Returns a function that closes the listener and all its connections. Call this before the listener listens. */
export function closerOf(http: Server): () => Promise<void> {
  const open = new Set<Socket>();
  http.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      const timer = setTimeout(() => http.closeAllConnections(), PATIENCE_MS).unref();
      http.close(() => {
        clearTimeout(timer);
        resolve();
      });
      http.closeIdleConnections();
      // To Node, a connection without any request yet is not idle. Clients open such connections in advance.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    });
}
