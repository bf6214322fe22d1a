import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveTasks } from '@toolwright/core/operate';
import { silentLogger, systemClock } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { serveHttp, type HttpService } from '../src/index.js';
import { Gates } from '../../core/test/support/gates.js';

let service: HttpService;
let client: Client;
let gates: Gates;
let answers: object[];
/** The messages of questions, with the names of their metadata. */
let asked: unknown[];

async function start(isQueued: boolean): Promise<void> {
  const queued = { stores: { tasks: new MemoryTaskQueue(systemClock) }, secrets: ['q'.repeat(32)] };
  const server = await createMcpServer({
    name: 'tasks',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
    tasks: { pollInterval: 5 },
    ...(isQueued && queued),
  });
  gates = new Gates();
  addTools(server);
  if (isQueued) await serveTasks(server, { concurrency: 4, signals: false });
  const principal = () => ({ subject: 'ada', scopes: [] });
  service = await serveHttp(server, { port: 0, signals: false, grace: 0, principal });
  client = new Client(
    { name: 'official', version: '1' },
    { capabilities: { elicitation: {}, tasks: { requests: { elicitation: {} } } } },
  );
  [answers, asked] = [[], []];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push([params.message, Object.keys(params._meta ?? {})]);
    return answers.shift() as { action: 'accept' };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(service.url)));
}

function addTools({ tools }: McpServer): void {
  const inputSchema = { type: 'object', properties: { gate: { type: 'string' } } };
  tools.add({
    name: 'hold',
    description: 'Waits.',
    task: 'required',
    inputSchema,
    async handler({ gate }, { signal }) {
      await gates.wait(String(gate), signal);
      return `through ${String(gate)}`;
    },
  });
  tools.add({
    name: 'ask',
    description: 'Asks.',
    task: { mode: 'optional', start: 'explicit' },
    async handler(_args, context) {
      const schema = { type: 'object', properties: { name: { type: 'string' } } };
      const { action, content } = await context.elicit('who', { message: 'Who?', schema });
      await context.startTask();
      return action === 'accept' ? `Hello, ${String((content as { name: string }).name)}!` : action;
    },
  });
}

/** Calls a tool as a task, and follows it to its end. */
async function follow(name: string, args: Record<string, unknown> = {}, begun?: (taskId: string) => unknown) {
  const seen: unknown[] = [];
  const params = { name, arguments: args };
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, {
    task: {},
  })) {
    if (message.type === 'taskCreated') await begun?.(message.task.taskId);
    if (message.type === 'result') seen.push(message.result.content);
    if (message.type === 'error') seen.push(message.error.message);
  }
  return seen;
}

const text = (words: string) => [{ type: 'text', text: words }];

describe.each([
  ['in process', false],
  ['on a queue', true],
])('the official client with tasks of 2025-11-25, %s', (_where, isQueued) => {
  beforeEach(() => start(isQueued));
  afterEach(async () => {
    await client.close();
    await service.close();
  });

  test('gets a task at once, and its result later', async () => {
    let taskId = '';
    const result = await follow('hold', { gate: 'a' }, async (id) => {
      taskId = id;
      while (!gates.entered.includes('a')) await client.experimental.tasks.getTask(id);
      gates.open('a');
    });
    expect(result).toEqual([text('through a')]);
    const again = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(again).toMatchObject({
      content: text('through a'),
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks).toMatchObject([{ taskId, status: 'completed', ttl: 3_600_000, pollInterval: 5 }]);
  });

  test('is asked while it waits for the result', async () => {
    answers = [{ action: 'accept', content: { name: 'Ada' } }];
    expect(await follow('ask')).toEqual([text('Hello, Ada!')]);
    expect(asked).toEqual([['Who?', ['io.modelcontextprotocol/related-task']]]);
  });

  test('cancels a task', async () => {
    const { tasks } = client.experimental;
    const result = await follow('hold', { gate: 'b' }, async (id) => {
      while (!gates.entered.includes('b')) await tasks.getTask(id);
      expect((await tasks.cancelTask(id)).status).toBe('cancelled');
    });
    expect(result).toEqual([expect.stringContaining('was cancelled')]);
  });
});
