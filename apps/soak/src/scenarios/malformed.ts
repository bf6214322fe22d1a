import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { keepBusy } from '../wire/keep-busy.js';
import { malformedBytes } from '../wire/malformed-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';

export const malformed: Scenario = {
  name: 'malformed',
  promise: 'no malformed request crashes the server or is answered with 5xx',
  run: (quick) =>
    withServer(ServerProcess.start(), async (server) => {
      const total = quick ? 20_000 : 1_000_000;
      const statuses = new Map<number, number>();
      let closed = 0;
      await keepBusy({
        port: server.port,
        total,
        bytes: malformedBytes,
        take(answer) {
          if (!answer) closed++;
          else statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        },
      });
      const faults = [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0);
      const after = await PipelinedConnection.open(server.port);
      const { status } = await after.send(callBytes('echo', { text: 'alive' }));
      after.close();
      return [
        { figure: 'requests', value: total },
        ...[...statuses].map(([code, value]) => ({ figure: `answered with ${code}`, value })),
        { figure: 'closed without an answer', value: closed, atMost: 0 },
        { figure: 'answered with 5xx', value: faults, atMost: 0 },
        { figure: 'crashes', value: server.alive && status === 200 ? 0 : 1, atMost: 0 },
      ];
    }),
};
