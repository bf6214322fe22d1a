import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection, type Answer } from '../wire/pipelined-connection.js';

const IN_FLIGHT = 200;

export const drain: Scenario = {
  name: 'drain',
  promise: 'SIGTERM loses no call that was accepted',
  async run(quick) {
    const rounds = quick ? 2 : 20;
    let lost = 0;
    let unrefused = 0;
    let ready = 0;
    let badExits = 0;
    for (let round = 0; round < rounds; round++) {
      await withServer(ServerProcess.start(), async (server) => {
        const connections = await Promise.all(
          Array.from({ length: IN_FLIGHT }, () => PipelinedConnection.open(server.port)),
        );
        const late = await PipelinedConnection.open(server.port);
        const calls = connections.map((connection) => connection.send(callBytes('hold')));
        await server.until(({ running }) => running === IN_FLIGHT);
        server.terminate();
        if ((await whenDraining(late)) === 0) ready++;
        if (!isRefusal(await (await PipelinedConnection.open(server.port)).send(callBytes('hold'))))
          unrefused++;
        server.order('release');
        const settled = await Promise.allSettled(calls);
        lost += settled.filter(
          (call) =>
            call.status === 'rejected' || call.value.status !== 200 || !call.value.body.includes('released'),
        ).length;
        if ((await server.exited) !== 0) badExits++;
      });
    }
    return [
      { figure: 'calls in flight at SIGTERM', value: rounds * IN_FLIGHT },
      { figure: 'calls lost', value: lost, atMost: 0 },
      { figure: 'late calls not answered with 503 and Retry-After', value: unrefused, atMost: 0 },
      { figure: 'servers that still said they were ready', value: ready, atMost: 0 },
      { figure: 'exit codes other than 0', value: badExits, atMost: 0 },
    ];
  },
};

/** Asks for readiness until it is no longer given: a signal takes a moment. 0 if that never happens. */
async function whenDraining(connection: PipelinedConnection): Promise<number> {
  for (let asked = 1; asked <= 1_000; asked++) {
    const { status } = await connection.send('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    if (status === 503) return asked;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return 0;
}

export function isRefusal({ status, head, body }: Answer): boolean {
  if (status !== 503 || !/retry-after: \d+/i.test(head)) return false;
  const { jsonrpc, error } = JSON.parse(body) as {
    jsonrpc: string;
    error?: { data?: { retryAfterMs?: unknown } };
  };
  return jsonrpc === '2.0' && typeof error?.data?.retryAfterMs === 'number';
}
