import { quantile } from '../quantile.js';
import { withServer, type Scenario } from '../scenario.js';
import { ServerProcess } from '../server-process.js';
import { callBytes } from '../wire/call-bytes.js';
import { PipelinedConnection } from '../wire/pipelined-connection.js';

const WORK_MS = 20;
const MODEST_TENANTS = 9;
/** The noisy tenant has so many users, each with as many calls in flight as a modest tenant. */
const NOISY_USERS = 50;
const IN_FLIGHT = 4;
/** Each tenant gets twice what a modest one uses, and the server has room for that. */
const PER_TENANT = 2 * IN_FLIGHT;
const TOTAL = (MODEST_TENANTS + 2) * PER_TENANT;
/** Without the noisy tenant and beside it in turn, so that whatever else the machine does meets both. */
const ROUNDS = 15;

export const tenants: Scenario = {
  name: 'tenants',
  promise: 'a tenant with fifty times the load leaves the p99 of the others where it was',
  run: (quick) => {
    const concurrency = { perTenant: PER_TENANT, total: TOTAL };
    return withServer(ServerProcess.start({ server: { concurrency } }), async ({ port }) => {
      const [alone, beside, ratios]: [number[], number[], number[]] = [[], [], []];
      const seconds = quick ? 0.2 : 2;
      let taken = 0;
      for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
        alone.push(quantile(await modestCalls(port, seconds), 0.99));
        const noisy = Array.from(
          { length: NOISY_USERS },
          (_, user) => new Caller(port, 'noisy', `user ${user}`),
        );
        // Each round is short. Without this, it would measure how two hundred connections are opened.
        await Promise.all(noisy.map((caller) => caller.answered));
        beside.push(quantile(await modestCalls(port, seconds), 0.99));
        ratios.push(beside[round]! / alone[round]!);
        const counts = await Promise.all(noisy.map((caller) => caller.stop()));
        taken += counts.flat().length;
      }
      return [
        { figure: `p99 of ${MODEST_TENANTS} tenants alone`, value: quantile(alone, 0.5), unit: 'ms' },
        { figure: 'beside the noisy one', value: quantile(beside, 0.5), unit: 'ms' },
        {
          figure: 'of what it was, in the round in the middle',
          value: 100 * quantile(ratios, 0.5),
          unit: '%',
          ...(!quick && { atMost: 110 }),
        },
        { figure: 'calls of the noisy one', value: taken, atLeast: 1 },
      ];
    });
  },
};

/** How long each call took, in milliseconds. */
async function modestCalls(port: number, seconds: number): Promise<number[]> {
  const callers = Array.from(
    { length: MODEST_TENANTS },
    (_, index) => new Caller(port, `tenant ${index}`, 'ann'),
  );
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return (await Promise.all(callers.map((caller) => caller.stop()))).flat();
}

/** Keeps some calls in flight, each on a connection of its own, until it is stopped. */
class Caller {
  #isStopped = false;
  readonly #took: number[] = [];
  readonly #lanes: Promise<void>[];
  /** Resolves with the first answer. */
  readonly answered: Promise<void>;
  #hear!: () => void;

  constructor(
    private readonly port: number,
    private readonly tenant: string,
    private readonly user: string,
  ) {
    this.answered = new Promise((resolve) => (this.#hear = resolve));
    this.#lanes = Array.from({ length: IN_FLIGHT }, () => this.#keepCalling());
  }

  /** @returns how long each answered call took */
  async stop(): Promise<number[]> {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
    return this.#took;
  }

  async #keepCalling(): Promise<void> {
    const connection = await PipelinedConnection.open(this.port);
    const bytes = callBytes('work', { ms: WORK_MS }, { user: this.user, tenant: this.tenant });
    while (!this.#isStopped) {
      const began = performance.now();
      const { body } = await connection.send(bytes);
      this.#hear();
      if (body.includes('done')) this.#took.push(performance.now() - began);
    }
    connection.close();
  }
}
