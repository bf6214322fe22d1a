import { once } from 'node:events';
import { connect } from 'node:net';
import { quantile } from '../quantile.js';
import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';

const HEALTHY_CALLS = 1_000;
const BATCH = 250;

export const slowConnections: Scenario = {
  name: 'slow-connections',
  promise: 'connections that never finish a request are cut off and cost the others little',
  run: (quick) =>
    withServer(ServerProcess.start(), async (server) => {
      const count = quick ? 200 : 5_000;
      await healthyP99(server.port);
      const alone = await healthyP99(server.port);
      const cut: Promise<unknown>[] = [];
      for (let opened = 0; opened < count; opened += BATCH) {
        const batch = Array.from({ length: Math.min(BATCH, count - opened) }, async () => {
          const socket = connect(server.port, '127.0.0.1');
          socket.on('error', () => undefined);
          cut.push(once(socket.resume(), 'close'));
          await once(socket, 'connect');
          socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
        });
        await Promise.all(batch);
      }
      const beside = await healthyP99(server.port);
      // Resolves only when each of them has been cut off.
      await Promise.all(cut);
      return [
        { figure: 'slow connections, all cut off', value: cut.length, atLeast: count },
        { figure: 'p99 of a healthy client alone', value: alone, unit: 'ms' },
        { figure: 'p99 beside them', value: beside, unit: 'ms' },
        { figure: 'ratio', value: beside / alone, ...(!quick && { atMost: 1.5 }) },
      ];
    }),
};

async function healthyP99(port: number): Promise<number> {
  const connection = await PipelinedConnection.open(port);
  const times: number[] = [];
  for (let done = 0; done < HEALTHY_CALLS; done++) {
    const start = performance.now();
    const { status } = await connection.send(callBytes('echo', { text: 'healthy' }));
    if (status !== 200) throw new Error(`A healthy call was answered with ${status}.`);
    times.push(performance.now() - start);
  }
  connection.close();
  return quantile(times, 0.99);
}
