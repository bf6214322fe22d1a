import type { ToolDefinition } from '@toolwright/core/operate';
import { MemoryTaskStore } from '@toolwright/core/ports';
import { serveHttp, type HttpService } from '../../src/index.js';
import { createFixture, type Fixture } from './fixture.js';
import { ManualClock } from '@toolwright/testing';
import { call, modern, send, type Json, type WireRequest } from './wire.js';

export const EXTENSION = 'io.modelcontextprotocol/tasks';
export const capabilities = { elicitation: {}, extensions: { [EXTENSION]: {} } };

export interface TaskSubject {
  fixture: Fixture;
  service: HttpService;
  clock: ManualClock;
  store: MemoryTaskStore;
}

/** What the running test works on: a server with a tool `work` whose calls become tasks. Fresh for each test. */
export const subject = {} as TaskSubject;

export function useTaskService(): void {
  beforeEach(async () => {
    subject.clock = new ManualClock();
    subject.store = new MemoryTaskStore(subject.clock);
    subject.fixture = await createFixture({
      ports: { clock: subject.clock },
      stores: { tasks: subject.store },
    });
    subject.service = await serveHttp(subject.fixture.server, {
      port: 0,
      signals: false,
      principal: (req) => ({ subject: String(req.headers['x-user'] ?? 'ada'), scopes: [] }),
    });
    addTask('work', ({ gates }) => async ({ gate }, context) => {
      await gates.wait(String(gate), context.signal);
      return `through ${String(gate)}`;
    });
  });
  afterEach(async () => {
    let isClosed = false;
    const closing = subject.service.close().finally(() => (isClosed = true));
    while (!isClosed) {
      subject.clock.advance(60_000);
      await new Promise(setImmediate);
    }
    await closing;
  });
}

type Handler = ToolDefinition['handler'];

export function addTask(
  name: string,
  handler: (fixture: Fixture) => Handler,
  rest: Partial<ToolDefinition> = {},
): void {
  subject.fixture.server.tools.add({
    name,
    description: name,
    inputSchema: { type: 'object', properties: { gate: { type: 'string' } } },
    task: 'optional',
    handler: handler(subject.fixture),
    ...rest,
  });
}

export const begin = (name: string, args: Json = {}, params: Json = {}) =>
  send(subject.service.url, call(name, args, { capabilities, params }));

export async function begun(name: string, args: Json = {}): Promise<string> {
  const { json } = await begin(name, args);
  expect(json.result).toMatchObject({ resultType: 'task', status: 'working' });
  return json.result.taskId;
}

export const request = (
  method: string,
  taskId: unknown,
  params: Json = {},
  headers: Record<string, string> = {},
) => modern(`tasks/${method}`, { capabilities, params: { taskId, ...params }, headers });
export const get = async (taskId: string) =>
  (await send(subject.service.url, request('get', taskId))).json.result;
export const codeOf = async (wire: WireRequest) => (await send(subject.service.url, wire)).json.error?.code;

/** The task once it is as wanted: what runs in the background takes some turns. */
export async function until(taskId: string, isWanted: (task: any) => boolean): Promise<any> {
  for (;;) {
    const task = await get(taskId);
    if (isWanted(task)) return task;
  }
}
export const ended = (taskId: string) =>
  until(taskId, ({ status }) => !['working', 'input_required'].includes(status));
