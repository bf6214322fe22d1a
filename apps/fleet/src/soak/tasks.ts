import { Database } from '../database.js';
import { beginTask, cancelTask, getTask, taskWhen, type Task } from '../load/tasks.js';
import { quantile, type Scenario } from './scenario.js';

const STEPS = 8;
const STEP_MS = 100;
/** After this time a cancelled method has no more effects, or the figure is missed. */
const SETTLING_MS = 1_200;
/** How many requests are under way at a time. */
const LANES = 32;

/** Tasks survive that their workers are killed, again and again. */
export const tasks: Scenario = {
  name: 'tasks',
  fleet: { workers: 3 },
  async run(fleet, quick) {
    const [count, kills] = quick ? [20, 1] : [1_000, 20];
    const user = 'ann';
    const began = performance.now();
    const begun = await inLanes(count, async (index) => ({
      job: `job ${index}`,
      id: await beginTask(fleet.url, 'do_job', { job: `job ${index}`, steps: STEPS, ms: STEP_MS }, { user }),
    }));
    const acceptedPerSecond = (count * 1_000) / (performance.now() - began);
    const database = new Database(fleet.postgres.url);
    for (let kill = 0; kill < kills; kill++) {
      const worker = fleet.workers[kill % fleet.workers.length]!;
      await works(database, worker.name);
      await worker.kill();
      await worker.launch();
    }
    const ended = await inLanes(count, (index) => taskWhen(fleet.url, begun[index]!.id, { user }));
    const later = await inLanes(count, (index) => getTask(fleet.url, begun[index]!.id, { user }));
    const effects = await inLanes(count, (index) => database.countEffects(begun[index]!.job));
    await database[Symbol.asyncDispose]();
    const steps = effects.flat();
    const completed = ended.filter(({ status }) => status === 'completed');
    return [
      { name: 'tasks, one after the other accepted by three replicas', value: count },
      { name: 'accepted per second, all replicas together', value: acceptedPerSecond },
      { name: 'workers killed', value: kills },
      { name: 'tasks completed', value: completed.length },
      { name: 'tasks that failed and say why', value: ended.filter(saysWhy).length },
      {
        name: 'tasks lost',
        value: count - completed.length - ended.filter(saysWhy).length,
        atMost: 0,
      },
      {
        name: 'results that changed later',
        value: later.filter((task, index) => JSON.stringify(task) !== JSON.stringify(ended[index])).length,
        atMost: 0,
      },
      {
        name: 'steps of completed tasks without their effect',
        value:
          completed.length * STEPS -
          effects.filter((_, index) => ended[index]!.status === 'completed').flat().length,
        atMost: 0,
      },
      {
        name: 'steps with an effect twice, without a word',
        value: steps.filter(({ known }) => known > 1).length,
        atMost: 0,
      },
      {
        name: 'steps with an effect repeated by a run that was told so',
        value: steps.filter(({ repeated }) => repeated > 0).length,
      },
    ];
  },
};

/** How fast tasks are accepted, begun and cancelled. */
export const taskSpeed: Scenario = {
  name: 'task speed',
  fleet: { workers: 1 },
  async run(fleet, quick) {
    const [idle, many] = quick ? [5, 50] : [200, 3_000];
    const user = 'ann';
    const [replica] = fleet.replicas;
    const starts: number[] = [];
    for (let index = 0; index < idle; index++) {
      const sent = Date.now();
      const id = await beginTask(replica!.url, 'began_at', {}, { user });
      const { result } = await taskWhen(replica!.url, id, { user });
      starts.push(beganAt(result) - sent);
    }
    const database = new Database(fleet.postgres.url);
    const cancels: number[] = [];
    for (let index = 0; index < (quick ? 2 : 40); index++) {
      const args = { job: `cancelled ${index}`, steps: 1_000, ms: 20 };
      const id = await beginTask(replica!.url, 'do_job', args, { user });
      await taskWhen(replica!.url, id, { user }, ({ statusMessage }) => statusMessage !== undefined);
      const sent = Date.now();
      await cancelTask(replica!.url, id, { user });
      await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
      cancels.push(Math.max(0, (await database.lastEffectOf(args.job)) - sent));
    }
    await database[Symbol.asyncDispose]();
    await fleet.workers[0]!.stop();
    const began = performance.now();
    // One owner may have 1,000 tasks.
    await inLanes(many, (index) => beginTask(replica!.url, 'began_at', {}, { user: `user-${index % 10}` }));
    const perSecond = (many * 1_000) / (performance.now() - began);
    return [
      {
        name: 'from the call to the start of the method, idle, p50',
        value: quantile(starts, 0.5),
        unit: 'ms',
        atMost: 50,
      },
      { name: 'the same, p99', value: quantile(starts, 0.99), unit: 'ms' },
      {
        name: 'from the cancellation to the last effect, longest',
        value: Math.max(...cancels),
        unit: 'ms',
        atMost: 1_000,
      },
      { name: 'tasks that one replica accepts per second', value: perSecond, atLeast: 500 },
    ];
  },
};

/** Waits until a process has done something more. */
async function works(database: Database, instance: string): Promise<void> {
  const before = await database.effectsOf(instance);
  while ((await database.effectsOf(instance)) <= before)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

function beganAt(result: Task['result']): number {
  const value = result?.structuredContent ?? result?.content[0]?.text;
  return Number(typeof value === 'object' ? (value as { result: number }).result : value);
}

/** A failure counts only when its text says what is not known or how often it was tried. */
function saysWhy({ status, error }: Task): boolean {
  return status === 'failed' && (error?.message ?? '') !== '';
}

async function inLanes<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await run(index);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}
