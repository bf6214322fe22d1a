import { once } from 'node:events';
import { connect } from 'node:net';
import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';

const READERS = 100;
const MEBIBYTE = 1024 * 1024;

export const stalledReaders: Scenario = {
  name: 'stalled-readers',
  promise: 'readers that stall are cut off before they cost memory',
  run: (quick) =>
    withServer(ServerProcess.start(), async (server) => {
      const readers = quick ? 10 : READERS;
      const before = await server.usage();
      const sockets = await Promise.all(
        Array.from({ length: readers }, async () => {
          const socket = connect(server.port, '127.0.0.1');
          socket.on('error', () => undefined);
          await once(socket, 'connect');
          socket.pause();
          socket.write(callBytes('chatter', {}, { meta: { progressToken: 1 } }));
          return socket;
        }),
      );
      let peak = 0;
      let most = 0;
      const { abortedAt } = await server.until(({ rss, running }) => {
        peak = Math.max(peak, rss);
        most = Math.max(most, running);
        return most > 0 && running === 0;
      });
      for (const socket of sockets) socket.destroy();
      return [
        { figure: 'stalled readers', value: readers },
        { figure: 'cut off', value: Object.keys(abortedAt).length, atLeast: readers },
        {
          figure: 'growth of RSS at its peak',
          value: (peak - before.rss) / MEBIBYTE,
          unit: 'MiB',
          atMost: 150,
        },
      ];
    }),
};
