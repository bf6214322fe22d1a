import { quantile } from '../quantile.js';
import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';

const TIMEOUT_MS = 1_000;

/** One that gives up when it is told to, and one that never listens. */
const hungTools = ['hang', 'hold'];

export const deadline: Scenario = {
  name: 'deadline',
  promise: 'a call that hangs ends at its deadline, whether or not its method listens',
  run: (quick) =>
    withServer(ServerProcess.start({ server: { timeout: '1s' } }), async ({ port }) => {
      const calls = Array.from({ length: quick ? 10 : 500 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, 10 * index));
        return hangUntilDeadline(port, hungTools[index % hungTools.length]!);
      });
      const ended = await Promise.all(calls);
      const offsets = ended.map(({ tookMs }) => tookMs - TIMEOUT_MS);
      return [
        { figure: 'calls that hung', value: ended.length },
        { figure: 'p50, against the deadline', value: quantile(offsets, 0.5), unit: 'ms' },
        { figure: 'p99, against the deadline', value: quantile(offsets, 0.99), unit: 'ms' },
        {
          figure: 'answers that do not say so',
          value: ended.filter(({ heard }) => !heard).length,
          atMost: 0,
        },
        {
          figure: 'earliest, against the deadline',
          value: Math.min(...offsets),
          unit: 'ms',
          ...(!quick && { atLeast: -50 }),
        },
        {
          figure: 'latest, against the deadline',
          value: Math.max(...offsets),
          unit: 'ms',
          ...(!quick && { atMost: 50 }),
        },
      ];
    }),
};

async function hangUntilDeadline(port: number, tool: string): Promise<{ tookMs: number; heard: boolean }> {
  const connection = await PipelinedConnection.open(port);
  const start = performance.now();
  const { status, body } = await connection.send(callBytes(tool, tool === 'hang' ? { text: 'late' } : {}));
  connection.close();
  const heard = status === 200 && body.includes('"isError":true') && /1 s/.test(body);
  return { tookMs: performance.now() - start, heard };
}
