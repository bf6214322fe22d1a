import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { keepBusy } from '../wire/keep-busy.js';

const MEBIBYTE = 1024 * 1024;

export const memory: Scenario = {
  name: 'memory',
  promise: 'the heap does not grow with the number of calls',
  run: (quick) =>
    withServer(ServerProcess.start(), async (server) => {
      const [warm, total] = quick ? [5_000, 20_000] : [100_000, 1_000_000];
      let failures = 0;
      const call = (count: number) =>
        keepBusy({
          port: server.port,
          total: count,
          bytes: (index) => callBytes('echo', { text: `call ${index}` }, { id: index }),
          take(answer, index) {
            if (answer?.status !== 200 || !answer.body.includes(`call ${index}`)) failures++;
          },
        });
      await call(warm);
      const before = await server.usageCollected();
      await call(total - warm);
      const after = await server.usageCollected();
      const growth = (after.heapUsed / before.heapUsed - 1) * 100;
      return [
        { figure: 'calls', value: total },
        { figure: 'calls that failed', value: failures, atMost: 0 },
        { figure: `heap after ${warm} calls`, value: before.heapUsed / MEBIBYTE, unit: 'MiB' },
        { figure: `heap after ${total} calls`, value: after.heapUsed / MEBIBYTE, unit: 'MiB' },
        // A few thousand calls still fill caches: only the long run is judged.
        { figure: 'growth', value: growth, unit: '%', ...(!quick && { atMost: 2 }) },
      ];
    }),
};
