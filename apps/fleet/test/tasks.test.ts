import { randomUUID } from 'node:crypto';
import { Database } from '../src/database.js';
import { answerTask, beginTask, cancelTask, getTask, taskWhen } from '../src/load/tasks.js';
import { describeFleet } from './support/describe-fleet.js';

describeFleet('Tasks of a fleet', { replicas: 2, workers: 2 }, (test) => {
  let database: Database;
  const user = 'ann';

  beforeAll(() => {
    database = new Database(test.fleet.postgres.url);
  });
  afterAll(() => database?.[Symbol.asyncDispose]());

  /** Waits until a worker has done this step, and returns the worker. */
  async function workerAt(job: string, step: number) {
    for (;;) {
      const done = await database.countEffects(job);
      if (done.length >= step) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const name = await database.lastInstanceOf(job);
    return test.fleet.workers.find((worker) => worker.name === name)!;
  }

  it('A task that one replica accepts is done by a worker, and any replica tells its result', async () => {
    const [first, second] = test.fleet.replicas;
    const job = randomUUID();
    const id = await beginTask(first!.url, 'do_job', { job, steps: 3, ms: 1 }, { user });
    const { status, result } = await taskWhen(second!.url, id, { user });
    expect(status).toBe('completed');
    expect(result!.structuredContent).toMatchObject({
      steps: 3,
      instance: expect.stringMatching(/^worker-/),
    });
    expect(await database.countEffects(job)).toEqual(
      [1, 2, 3].map((step) => ({ step, known: 1, repeated: 0 })),
    );
  });

  it('Nobody else sees the task', async () => {
    const id = await beginTask(test.fleet.url, 'began_at', {}, { user });
    await expect(getTask(test.fleet.url, id, { user: 'bob' })).rejects.toThrow('There is no such task');
    await taskWhen(test.fleet.url, id, { user });
  });

  it('A task whose worker is killed goes on at another one behind its last finished step', async () => {
    const job = randomUUID();
    const id = await beginTask(test.fleet.url, 'do_job', { job, steps: 30, ms: 60 }, { user });
    const worker = await workerAt(job, 3);
    await worker.kill();
    const { status, result } = await taskWhen(test.fleet.url, id, { user });
    await worker.launch();
    expect(status).toBe('completed');
    expect(result!.structuredContent).toMatchObject({ steps: 30 });
    const effects = await database.countEffects(job);
    expect(effects.map(({ step }) => step)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(effects.filter(({ known }) => known > 1)).toEqual([]);
    expect(effects.filter(({ repeated }) => repeated > 0).length).toBeLessThanOrEqual(1);
  });

  it('A task that must not run twice fails when its worker is killed, and says what is not known', async () => {
    const job = randomUUID();
    const id = await beginTask(test.fleet.url, 'do_once', { job, ms: 60_000 }, { user });
    await taskWhen(test.fleet.url, id, { user }, ({ statusMessage }) => statusMessage !== undefined);
    for (const worker of test.fleet.workers) await worker.kill();
    for (const worker of test.fleet.workers) await worker.launch();
    const { status, error } = await taskWhen(test.fleet.url, id, { user });
    expect(status).toBe('failed');
    expect(error!.message).toContain('not known');
    expect(await database.countEffects(job)).toEqual([{ step: 1, known: 1, repeated: 0 }]);
  });

  it('A worker that stops gives back what it has not finished', async () => {
    const job = randomUUID();
    const id = await beginTask(test.fleet.url, 'do_job', { job, steps: 40, ms: 50 }, { user });
    const worker = await workerAt(job, 2);
    const stopping = worker.stop();
    const { status } = await taskWhen(test.fleet.url, id, { user });
    await stopping;
    expect(worker.exitCode).toBe(0);
    await worker.launch();
    expect(status).toBe('completed');
    expect((await database.countEffects(job)).filter(({ known }) => known !== 1)).toEqual([]);
  });

  it('A question ends the run, and the answer may come to any replica', async () => {
    const [first, second] = test.fleet.replicas;
    const id = await beginTask(first!.url, 'ask_later', {}, { user });
    const asking = await taskWhen(second!.url, id, { user }, ({ status }) => status === 'input_required');
    const [key] = Object.keys(asking.inputRequests!);
    await answerTask(second!.url, id, { [key!]: { action: 'accept', content: { name: 'Ada' } } }, { user });
    const { result } = await taskWhen(first!.url, id, { user });
    expect(result!.content[0]!.text).toBe('Hello, Ada!');
  });

  it('A cancellation at any replica ends the work', async () => {
    const [first, second] = test.fleet.replicas;
    const job = randomUUID();
    const id = await beginTask(first!.url, 'do_job', { job, steps: 1_000, ms: 30 }, { user });
    await workerAt(job, 2);
    await cancelTask(second!.url, id, { user });
    expect((await getTask(first!.url, id, { user })).status).toBe('cancelled');
    let [before, now] = [-1, (await database.countEffects(job)).length];
    while (now !== before) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      [before, now] = [now, (await database.countEffects(job)).length];
    }
    expect(now).toBeLessThan(1_000);
  });
});
