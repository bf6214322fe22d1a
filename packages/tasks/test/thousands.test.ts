import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { findNewerNode } from '../../../apps/fleet/src/processes/newer-node.js';
import { count, size } from '../../../.ci/test/support/proof.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';

const MANY = 1_000 * size;
const WORKERS = 2;
const SCHEMA = 'thousands';

interface Cost {
  readonly runs: number;
  readonly cpuMs: number;
  readonly holdMs: number;
}

class QueueProcess {
  readonly lines: unknown[] = [];
  readonly #child: ChildProcess;

  constructor(url: string, role: 'give' | 'work') {
    const program = join(__dirname, 'fixtures/work-off.cjs');
    this.#child = spawn(findNewerNode()!, [program, url, SCHEMA, role, String(MANY)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface(this.#child.stdout!).on('line', (line) => this.lines.push(JSON.parse(line)));
  }

  async wrote(lines: number): Promise<void> {
    while (this.lines.length < lines) await delay(20);
  }

  async over(): Promise<Cost> {
    this.#child.stdin!.write('over\n');
    await once(this.#child, 'exit');
    return this.lines.at(-1) as Cost;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** The maintenance of pg-boss runs meanwhile, in each of the processes, every five seconds. */
describePostgres('thousands of tasks that wait', (postgres) => {
  if (findNewerNode() === undefined) {
    it('were not tried: there is no Node.js for pg-boss here', () => expect(findNewerNode()).toBeUndefined());
    return;
  }
  const processes: QueueProcess[] = [];
  const start = async (role: 'give' | 'work') => {
    const started = new QueueProcess(postgres.server.url, role);
    processes.push(started);
    await started.wrote(1);
    return started;
  };
  afterAll(() => processes.forEach((each) => each.kill()));

  it('are worked off, each of them once', async () => {
    const giver = await start('give');
    const given = performance.now();
    await giver.wrote(2);
    count('tasks', MANY);
    count('seconds to accept them', Math.round((performance.now() - given) / 1_000));
    const accepted = await giver.over();

    const begun = performance.now();
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => start('work')));
    const ended = async () => {
      const [row] = await postgres.sql(
        `SELECT count(*)::int AS n FROM ${SCHEMA}.tasks WHERE ending IS NOT NULL`,
      );
      return row!['n'] as number;
    };
    while ((await ended()) < MANY) await delay(200);
    const seconds = (performance.now() - begun) / 1_000;
    const costs = await Promise.all(workers.map((worker) => worker.over()));

    const sum = (of: (cost: Cost) => number) => costs.reduce((all, cost) => all + of(cost), 0);
    const repeated = await postgres.sql(`SELECT id FROM ${SCHEMA}.tasks WHERE run <> 1`);
    const left = await postgres.sql(`SELECT id FROM ${SCHEMA}_jobs.job WHERE name = 'runs'`);
    expect({ runs: sum(({ runs }) => runs), repeated, left }).toEqual({ runs: MANY, repeated: [], left: [] });
    expect(workers.map(({ lines }) => lines.length)).toEqual([2, 2]);
    count('tasks lost or run twice', 0);
    count('seconds to work them off, with two workers', Math.round(seconds));
    count('microseconds of CPU to accept a task', Math.round((accepted.cpuMs * 1_000) / MANY));
    count('microseconds of CPU to work off a task', Math.round((sum(({ cpuMs }) => cpuMs) * 1_000) / MANY));
    count(
      'longest hold of a loop in milliseconds',
      Math.round(Math.max(...costs.map(({ holdMs }) => holdMs))),
    );
  }, 1_200_000);
});
