import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Traffic } from '../load/traffic.js';
import { callTool } from '../load/wire.js';
import { BalancerProcess } from '../processes/balancer-process.js';
import { freePort } from '../processes/free-port.js';
import { ReplicaProcess } from '../processes/replica-process.js';
import { cpuTime } from './cpu-time.js';
import { quantile, type Scenario } from './scenario.js';

interface Block {
  p50: number;
  /** CPU time of a call, in microseconds. */
  cpuUs: number;
  perSecond: number;
}

/** Sends calls, and looks what they cost these processes. */
async function block(
  url: string,
  tool: string,
  pids: readonly number[],
  calls: number,
  lanes: number,
): Promise<Block> {
  const cpu = cpuTime(pids);
  const start = performance.now();
  const traffic = Traffic.start(url, { lanes, tool, arguments: { text: 'x' } });
  await traffic.served(calls);
  await traffic.stop();
  const { count, latencies } = traffic;
  return {
    p50: quantile(latencies, 0.5),
    cpuUs: ((cpuTime(pids) - cpu) * 1_000) / count,
    perSecond: (count * 1_000) / (performance.now() - start),
  };
}

const median = (blocks: readonly Block[], key: keyof Block) =>
  quantile(
    blocks.map((each) => each[key]),
    0.5,
  );

/** What limits in Redis cost a call, and what the stores cost a replica. */
export const cost: Scenario = {
  name: 'cost',
  async run(fleet, quick) {
    const [replica] = fleet.replicas;
    const settings = { ...fleet.environment, AUDIT_FILE: `${fleet.auditFiles[0]!}-alone`, REDIS_URL: '' };
    const alone = await ReplicaProcess.start('alone', await freePort(), settings);
    const [rounds, calls] = quick ? [1, 300] : [7, 3_000];
    const taken = {
      echo: [] as Block[],
      counted: [] as Block[],
      serial: [] as Block[],
      serialCounted: [] as Block[],
    };
    const stores = { on: [] as Block[], off: [] as Block[] };
    try {
      for (const { url, pid } of [replica!, alone]) await block(url, 'counted_echo', [pid], calls, 8);
      for (let round = 0; round < rounds; round++) {
        const pids = [replica!.pid];
        taken.serial.push(await block(replica!.url, 'echo', pids, calls / 3, 1));
        taken.serialCounted.push(await block(replica!.url, 'counted_echo', pids, calls / 3, 1));
        taken.echo.push(await block(replica!.url, 'echo', pids, calls, 8));
        taken.counted.push(await block(replica!.url, 'counted_echo', pids, calls, 8));
        stores.off.push(await block(alone.url, 'counted_echo', [alone.pid], calls, 8));
        stores.on.push(await block(replica!.url, 'counted_echo', pids, calls, 8));
      }
    } finally {
      await alone.stop();
    }
    const added = median(taken.serialCounted, 'p50') - median(taken.serial, 'p50');
    return [
      {
        name: 'the limiter on Redis adds to p50, one call at a time',
        value: added,
        unit: 'ms',
        atMost: 0.35,
      },
      {
        name: 'CPU that it adds to a call of the replica',
        value: median(taken.counted, 'cpuUs') - median(taken.echo, 'cpuUs'),
        unit: 'µs',
        atMost: 40,
      },
      { name: 'CPU of a call with stores', value: median(stores.on, 'cpuUs'), unit: 'µs' },
      {
        name: 'calls per second of CPU with stores, as a share of those without',
        value: median(stores.off, 'cpuUs') / median(stores.on, 'cpuUs'),
        atLeast: 0.6,
      },
      {
        name: 'calls per second with stores, as a share of those without',
        value: median(stores.on, 'perSecond') / median(stores.off, 'perSecond'),
        atLeast: 0.6,
      },
    ];
  },
};

/** Whether three replicas cost more CPU for a call than one. Both are behind a balancer. */
export const scaling: Scenario = {
  name: 'scaling',
  async run(fleet, quick) {
    const [first] = fleet.replicas;
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-fleet-one-'));
    const plan = { port: await freePort(), replicas: [first!], checkMs: 100 };
    const balancer = await BalancerProcess.start(folder, plan);
    const pids = fleet.replicas.map(({ pid }) => pid);
    const [rounds, calls] = quick ? [1, 300] : [7, 3_000];
    const three: Block[] = [];
    const one: Block[] = [];
    const idle: Block[] = [];
    try {
      // A new process is slow until its code is compiled.
      for (const { url, pid } of fleet.replicas) await block(url, 'counted_echo', [pid], 3 * calls, 8);
      for (let round = 0; round < rounds; round++) {
        // As many calls at a time for each replica: a replica that is less busy has less to share between calls.
        three.push(await block(fleet.url, 'counted_echo', pids, 3 * calls, 24));
        idle.push(await block(balancer.url, 'counted_echo', [first!.pid], calls, 3));
        one.push(await block(balancer.url, 'counted_echo', [first!.pid], calls, 8));
      }
    } finally {
      await balancer.stop();
      rmSync(folder, { recursive: true, force: true });
    }
    return [
      { name: 'CPU of a call with three replicas', value: median(three, 'cpuUs'), unit: 'µs' },
      { name: 'calls per second of each', value: median(three, 'perSecond') / 3 },
      {
        name: 'CPU of a call with one that has a third of the work',
        value: median(idle, 'cpuUs'),
        unit: 'µs',
      },
      { name: 'its calls per second', value: median(idle, 'perSecond') },
      {
        name: 'calls per second of CPU with three, as a share of that one',
        value: median(idle, 'cpuUs') / median(three, 'cpuUs'),
        atLeast: 0.9,
      },
      { name: 'CPU of a call with one that is busy', value: median(one, 'cpuUs'), unit: 'µs' },
      {
        name: 'calls per second of CPU with three, as a share of the busy one',
        value: median(one, 'cpuUs') / median(three, 'cpuUs'),
      },
    ];
  },
};

const MEBIBYTE = 1_048_576;

/** The heap does not grow with the number of calls. */
export const memory: Scenario = {
  name: 'memory',
  async run(fleet, quick) {
    const [replica] = fleet.replicas;
    const heap = async () => {
      const { message } = await callTool(replica!.url, 'heap_used', {});
      return (message!.result!.structuredContent as number) / MEBIBYTE;
    };
    const [warm, more] = quick ? [500, 1_000] : [20_000, 60_000];
    await block(replica!.url, 'counted_echo', [replica!.pid], warm, 8);
    const before = await heap();
    await block(replica!.url, 'counted_echo', [replica!.pid], more, 8);
    const after = await heap();
    const bound = quick ? {} : { atMost: 5 };
    return [
      { name: `heap after ${warm} calls`, value: before, unit: 'MiB' },
      { name: `growth with ${more} more`, value: 100 * (after / before - 1), unit: '%', ...bound },
    ];
  },
};
