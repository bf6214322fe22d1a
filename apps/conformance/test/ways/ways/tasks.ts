import { MemoryTaskQueue } from '@toolwright/testing';
import { type Answer, eras, type Json } from '../wire.js';
import { addVersion, ofTools } from './by-name.js';
import { called } from './search.js';
import { NAME, reached } from '../marks.js';
import { type Fact, must, type Reached, type Who } from '../table.js';
import type { Way, World } from '../world.js';

const has = new Set<Fact>([...ofTools, 'made']);
/** A task that nobody carries out must not hold a test up. */
const MOST_LOOKS = 100;
/** All looks together are shorter than any deadline. */
const PAUSE_MS = 100;
const NEVER: Reached = { isReached: false, text: 'The task is never carried out.' };

/** Begins a task. A call that is refused has an answer in place of one. */
async function beginTask(world: World, who: Who, params: Json): Promise<{ taskId?: string; answer: Answer }> {
  const asked = world.era === '2025-11-25' ? { ...params, task: {} } : params;
  const answer = await world.ask(who, 'tools/call', asked);
  const taskId = (answer.result?.['taskId'] ?? answer.result?.['task']?.taskId) as string | undefined;
  if (taskId !== undefined) return { taskId, answer };
  const isDone = answer.result !== undefined && answer.result['isError'] !== true;
  return {
    answer: isDone ? { error: { message: 'The call becomes no task.', result: answer.result } } : answer,
  };
}

/** Waits for the result of a task, and answers what it asks. */
async function follow(world: World, who: Who, taskId: string): Promise<Reached> {
  if (world.era === '2025-11-25') {
    const result = world.ask(who, 'tasks/result', { taskId }).then((answer) => reached(answer));
    return Promise.race([result, passing(world, MOST_LOOKS).then(() => NEVER)]);
  }
  for (let look = 0; look < MOST_LOOKS; look++) {
    const { result, error } = await world.ask(who, 'tasks/get', { taskId });
    if (error) return reached({ error });
    const { status, inputRequests, result: ended, error: failed } = result as Json;
    if (ended) return reached({ result: ended as Json });
    if (status !== 'working' && status !== 'input_required')
      return reached({ error: (failed ?? { status }) as Json });
    if (status === 'input_required') {
      const { inputResponses } = world.wire(who).nextRound({ inputRequests: inputRequests as Json });
      await world.ask(who, 'tasks/update', { taskId, inputResponses });
    }
    await passing(world, 1);
  }
  return NEVER;
}

/** Time passes between two looks. A queue tries again what could not begin. */
async function passing(world: World, looks: number): Promise<void> {
  for (let look = 0; look < looks; look++) await world.clock.advance(PAUSE_MS);
}

const call = (name: string) => (world: World) => ({ name, arguments: world.args });

const task = (name: string, params: (world: World) => Json, way: Partial<Way>): Way => ({
  name,
  does: 'call',
  kind: 'tool',
  eras,
  methods: ['tools/call', 'tasks/get', 'tasks/result', 'tasks/update'],
  has,
  ...way,
  async reach(world, who) {
    const { taskId, answer } = await beginTask(world, who, params(world));
    return taskId === undefined ? reached(answer) : follow(world, who, taskId);
  },
});

/** Calls a tool. If it has tasks, the call becomes one, which is followed to its end. */
export async function callAndFollow(world: World, who: Who, params: Json): Promise<Reached> {
  const hasTasks = world.plan.definition?.['task'] !== undefined;
  const { taskId, answer } = hasTasks
    ? await beginTask(world, who, params)
    : { answer: await world.ask(who, 'tools/call', params) };
  return taskId === undefined ? reached(answer) : follow(world, who, taskId);
}

const task_ = { task: 'optional' as const };
const add = (world: World) => world.server.tools.add(world.definition(task_));
const addOld = (world: World) => addVersion(world, '1', '2', task_);

const queued = (): Partial<Way> => ({
  isQueued: true,
  services: (world) => ({
    stores: { tasks: new MemoryTaskQueue(world.clock) },
    secrets: ['s'.repeat(40)],
    tasks: { concurrency: 10 },
  }),
});

/** Looks at a task that somebody has begun, or ends it. */
const handle = (method: string, on: Way['eras'], sign: (taskId: string) => string): Way => ({
  name: method,
  does: 'handle',
  kind: 'tool',
  eras: on,
  methods: [method],
  place: add,
  has: new Set<Fact>(['caller', 'operation', 'arguments', 'schema', 'handles']),
  async begin(world, who) {
    const { taskId, answer } = await beginTask(world, who, call(NAME)(world));
    must(taskId !== undefined, `begins no task: ${JSON.stringify(answer).slice(0, 200)}`);
    return taskId;
  },
  async reach(world, who, taskId) {
    const params =
      method === 'tasks/list' ? {} : { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) };
    return reached(await world.ask(who, method, params), sign(String(taskId)));
  },
});

/** Calls that become tasks, and the methods for tasks. */
export const byTasks: readonly Way[] = [
  task('a task in this process', call(NAME), { place: add }),
  task('a task of an old version', call(`${NAME}.v1`), { place: addOld }),
  task('a task by call_tool', ({ args }) => called(NAME, args), {
    place: add,
    options: { toolSearch: true },
  }),
  task('a task on a queue', call(NAME), { place: add, ...queued() }),
  task('a task of an old version on a queue', call(`${NAME}.v1`), { place: addOld, ...queued() }),
  handle('tasks/get', eras, (id) => id),
  handle('tasks/list', ['2025-11-25'], (id) => id),
  handle('tasks/result', ['2025-11-25'], (id) => id),
  handle('tasks/cancel', ['2026-07-28'], () => '"resultType"'),
  handle('tasks/update', ['2026-07-28'], () => '"resultType"'),
];
