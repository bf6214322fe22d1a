import { once } from 'node:events';
import { connect } from 'node:net';
import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { requestBytes } from '../wire/call-bytes.js';

const UPDATES = 20;
const NEWS = 'soak://news';
const PATIENCE_MS = 30_000;

export const listen: Scenario = {
  name: 'listen',
  promise: 'every open stream hears every update, and streams that are closed leave nothing behind',
  run: (quick) =>
    withServer(ServerProcess.start(), async (server) => {
      const count = quick ? 50 : 1_000;
      const request = requestBytes('subscriptions/listen', {
        notifications: { resourceSubscriptions: [NEWS] },
      });
      let heard = 0;
      const sockets = await Promise.all(
        Array.from({ length: count }, async () => {
          const socket = connect(server.port, '127.0.0.1');
          await once(socket, 'connect');
          let rest = '';
          socket.on('data', (chunk: Buffer) => {
            const lines = (rest + chunk.toString()).split('\n');
            rest = lines.pop()!;
            heard += lines.filter((line) => line.includes('notifications/resources/updated')).length;
          });
          socket.write(request);
          return socket;
        }),
      );
      await server.until(({ listeners }) => listeners === count);
      const start = performance.now();
      for (let sent = 0; sent < UPDATES; sent++) server.order('publish');
      while (heard < count * UPDATES && performance.now() - start < PATIENCE_MS)
        await new Promise((resolve) => setTimeout(resolve, 5));
      const took = performance.now() - start;
      for (const socket of sockets) socket.destroy();
      const { listeners } = await server.until((usage) => usage.listeners === 0);
      return [
        { figure: 'streams', value: count },
        { figure: 'events missed', value: count * UPDATES - heard, atMost: 0 },
        { figure: `for ${UPDATES} updates`, value: took, unit: 'ms' },
        { figure: 'streams left behind', value: listeners, atMost: 0 },
      ];
    }),
};
