import type { McpServer } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { MemoryTaskStore } from '@toolwright/core/ports';
import { StatelessWire } from '../wire/stateless-wire.js';
import { FakeClock } from './fake-clock.js';
import { close, createProtocolFixture, type ProtocolFixture } from './protocol-fixture.js';

type Args = Record<string, unknown>;

export const EXTENSION = 'io.modelcontextprotocol/tasks';

/** A server with a tool `work` whose calls become tasks, new for each test. */
export const subject = {} as ProtocolFixture & { store: MemoryTaskStore };

export function useTasks(): void {
  beforeEach(async () => {
    const clock = new FakeClock();
    const store = new MemoryTaskStore(clock);
    Object.assign(subject, await createProtocolFixture({ ports: { clock }, stores: { tasks: store } }), {
      clock,
      store,
    });
    task('work', async ({ gate }, { signal }) => {
      await subject.gates.wait(String(gate), signal);
      return `through ${String(gate)}`;
    });
  });
  afterEach(() => close(subject));
}

export function task(
  name: string,
  handler: ToolDefinition['handler'],
  rest: Partial<ToolDefinition> = {},
): void {
  const inputSchema = { type: 'object', properties: { gate: { type: 'string' } } };
  subject.server.tools.add({ name, description: name, inputSchema, task: 'optional', handler, ...rest });
}

/** Ada's client, which can follow tasks and answer questions. */
export const client = (server: McpServer = subject.server) =>
  StatelessWire.of(server, 'ada', { elicitation: {}, extensions: { [EXTENSION]: {} } });

export const begin = (name: string, args: Args = {}, params: Args = {}) => client().call(name, args, params);

/** The id of the task that a call became. */
export async function begun(name: string, args: Args = {}): Promise<string> {
  const { result } = await begin(name, args);
  expect(result).toMatchObject({ resultType: 'task' });
  return result.taskId as string;
}

export const get = async (taskId: string) => (await client().request('tasks/get', { taskId })).result;
export const cancel = (taskId: string) => client().request('tasks/cancel', { taskId });
export const update = (taskId: string, inputResponses: unknown) =>
  client().request('tasks/update', { taskId, inputResponses });
