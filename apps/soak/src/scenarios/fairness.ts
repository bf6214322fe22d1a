import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';

const WORK_MS = 20;
const MODEST_CALLERS = 9;
const IN_FLIGHT = 4;
/** Fifty times what each of the others has in flight. */
const GREEDY_IN_FLIGHT = 50 * IN_FLIGHT;

export const fairness: Scenario = {
  name: 'fairness',
  promise: 'a caller with fifty times the load leaves the others what they had',
  run: (quick) =>
    withServer(ServerProcess.start({ server: { concurrency: {} } }), async ({ port }) => {
      const seconds = quick ? 1 : 20;
      const alone = await modestCalls(port, seconds);
      const greedy = new Caller(port, 'greedy', GREEDY_IN_FLIGHT);
      const beside = await modestCalls(port, seconds);
      const taken = await greedy.stop();
      return [
        { figure: `calls of ${MODEST_CALLERS} callers alone`, value: alone / seconds, unit: 'calls/s' },
        { figure: 'beside the greedy one', value: beside / seconds, unit: 'calls/s' },
        {
          figure: 'of what they had',
          value: (100 * beside) / alone,
          unit: '%',
          ...(!quick && { atLeast: 95 }),
        },
        { figure: 'calls of the greedy one', value: taken / seconds, unit: 'calls/s', atLeast: 1 },
      ];
    }),
};

async function modestCalls(port: number, seconds: number): Promise<number> {
  const callers = Array.from(
    { length: MODEST_CALLERS },
    (_, index) => new Caller(port, `caller ${index}`, IN_FLIGHT),
  );
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const counts = await Promise.all(callers.map((caller) => caller.stop()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Keeps so many calls in flight, each on a connection of its own, until it is stopped. */
class Caller {
  #isStopped = false;
  #done = 0;
  readonly #lanes: Promise<void>[];

  constructor(
    private readonly port: number,
    private readonly user: string,
    inFlight: number,
  ) {
    this.#lanes = Array.from({ length: inFlight }, () => this.#keepCalling());
  }

  /** @returns the calls that were answered with a result */
  async stop(): Promise<number> {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
    return this.#done;
  }

  async #keepCalling(): Promise<void> {
    const connection = await PipelinedConnection.open(this.port);
    const bytes = callBytes('work', { ms: WORK_MS }, { user: this.user });
    while (!this.#isStopped) {
      const { body } = await connection.send(bytes);
      if (body.includes('done')) this.#done++;
    }
    connection.close();
  }
}
