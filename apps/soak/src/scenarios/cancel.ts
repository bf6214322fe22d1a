import { quantile } from '../quantile.js';
import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { monotonicMs } from '../soaked-server.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';

export const cancel: Scenario = {
  name: 'cancel',
  promise: 'a client that goes away aborts its call at once',
  run: (quick) =>
    withServer(ServerProcess.start(), async (server) => {
      const count = quick ? 20 : 500;
      const leftAt: Record<string, number> = {};
      for (let index = 0; index < count; index++) {
        const connection = await PipelinedConnection.open(server.port);
        connection.send(callBytes('hang', { text: `${index}` })).catch(() => undefined);
        await server.until(({ running }) => running === 1);
        leftAt[index] = monotonicMs();
        connection.close();
        await server.until(({ running }) => running === 0);
      }
      const { abortedAt } = await server.usage();
      const times = Object.entries(abortedAt).map(([label, at]) => at - leftAt[label]!);
      return [
        { figure: 'clients that went away', value: count },
        { figure: 'calls not aborted', value: count - times.length, atMost: 0 },
        { figure: 'p50', value: quantile(times, 0.5), unit: 'ms' },
        { figure: 'p99', value: quantile(times, 0.99), unit: 'ms', ...(!quick && { atMost: 20 }) },
      ];
    }),
};
