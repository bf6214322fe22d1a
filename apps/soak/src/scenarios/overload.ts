import { quantile } from '../quantile.js';
import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';
import { isRefusal } from './drain.js';

const SLOTS = 20;
const WORK_MS = 50;
const CAPACITY = (SLOTS * 1000) / WORK_MS;

interface Outcome {
  perSecond: number;
  accepted: number[];
  refused: number;
  odd: number;
}

export const overload: Scenario = {
  name: 'overload',
  promise: 'beyond its capacity a server goes on at full speed and refuses the rest well-formed',
  run: (quick) =>
    withServer(
      ServerProcess.start({ server: { concurrency: { perPrincipal: false, total: SLOTS, queue: SLOTS } } }),
      async ({ port }) => {
        const seconds = quick ? 2 : 10;
        const usual = await arrive(port, 0.7 * CAPACITY, seconds);
        const peak = await arrive(port, CAPACITY, seconds);
        const over = await arrive(port, 4 * CAPACITY, quick ? 2 : 60);
        const judged = <T>(bound: T) => (quick ? {} : bound);
        return [
          { figure: 'goodput at capacity', value: peak.perSecond, unit: 'calls/s' },
          { figure: 'goodput at four times the capacity', value: over.perSecond, unit: 'calls/s' },
          {
            figure: 'of the peak',
            value: (100 * over.perSecond) / peak.perSecond,
            unit: '%',
            ...judged({ atLeast: 90 }),
          },
          { figure: 'p99 at 70 % load', value: quantile(usual.accepted, 0.99), unit: 'ms' },
          {
            figure: 'p99 of the accepted, as a multiple',
            value: quantile(over.accepted, 0.99) / quantile(usual.accepted, 0.99),
            ...judged({ atMost: 2 }),
          },
          { figure: 'refused', value: over.refused, atLeast: 1 },
          { figure: 'answers that were neither', value: over.odd, atMost: 0 },
        ];
      },
    ),
};

/** Open loop: calls leave when they are due, however long the earlier ones take. */
async function arrive(port: number, perSecond: number, seconds: number): Promise<Outcome> {
  const outcome: Outcome = { perSecond: 0, accepted: [], refused: 0, odd: 0 };
  const idle: PipelinedConnection[] = [];
  const send = async (due: number) => {
    const { connection, answer } = await ask(idle.pop());
    idle.push(connection);
    if (answer.status === 200 && answer.body.includes('done')) outcome.accepted.push(performance.now() - due);
    else if (isRefusal(answer)) outcome.refused++;
    else outcome.odd++;
  };
  // A connection that lay idle may be closed by the server at any moment: then the call goes on another.
  const ask = async (kept: PipelinedConnection | undefined) => {
    const bytes = callBytes('work', { ms: WORK_MS });
    const first = kept?.open ? await kept.send(bytes).catch(() => undefined) : undefined;
    if (kept && first) return { connection: kept, answer: first };
    const connection = await PipelinedConnection.open(port);
    return { connection, answer: await connection.send(bytes) };
  };
  const start = performance.now();
  const sent: Promise<void>[] = [];
  while (sent.length < perSecond * seconds) {
    const due = start + (sent.length * 1000) / perSecond;
    if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, 1));
    else sent.push(send(due));
  }
  await Promise.all(sent);
  outcome.perSecond = outcome.accepted.length / ((performance.now() - start) / 1000);
  for (const connection of idle) connection.close();
  return outcome;
}
