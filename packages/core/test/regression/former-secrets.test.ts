import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer, ServerOptions } from '@toolwright/core';
import { serveTasks } from '@toolwright/core/operate';
import { systemClock, type StoredEvent } from '@toolwright/core/ports';
import type { QueuedTask } from '@toolwright/queue';
import { MemoryTaskQueue } from '@toolwright/testing';
import { SealedEventStore } from '../../src/sessions/sealed-events.js';
import { taskSeals } from '@toolwright/queue';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** What a server of before the option `secrets` has sealed: it had other secrets for each use. Its name was "notes". */
interface SealedBefore {
  secrets: { requestState: string; sessions: string; tasks: string };
  session: string;
  state: string;
  task: [QueuedTask, string];
  event: StoredEvent;
  result: string;
}

const before = JSON.parse(
  readFileSync(join(__dirname, '../fixtures/sealed-before.json'), 'utf8'),
) as SealedBefore;
const former = Object.values(before.secrets);
const newer = 'the secret of today, which seals all of it';

let server: McpServer | undefined;
afterEach(() => server?.close(0));

/** A server of today, with the secrets of before behind a new one. */
async function serve(secrets: readonly string[], options: Partial<ServerOptions> = {}): Promise<McpServer> {
  server = await boot({ name: 'notes', version: '1.0.0', services: [], secrets, ...options });
  server.tools.add({
    name: 'ask',
    description: 'Asks.',
    handler: async (_args, { elicit }) => {
      const schema = {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      } as const;
      return `Hello, ${String((await elicit('who', { message: 'Who?', schema })).content?.['name'])}!`;
    },
  });
  server.tools.add({ name: 'work', description: 'Works.', task: 'optional', handler: () => 'done' });
  return server;
}

const client = () =>
  StatelessWire.of(server!, 'ada', { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } });
const peer = { principal: { subject: 'ada', scopes: [] }, ip: undefined, transport: 'memory' } as const;

describe.each([
  ['behind a new one', [newer, ...former]],
  ['alone', former],
])('with the secrets of before %s', (_where, secrets) => {
  test('a question of before (requestState.secrets) takes its answer', async () => {
    await serve(secrets);
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    const { result } = await client().call('ask', {}, { requestState: before.state, inputResponses });
    expect(result.content[0].text).toBe('Hello, Ada!');
  });

  test('a session of before (sessions.secrets) is resumed, and its events are read', async () => {
    await serve(secrets);
    expect(await server!.protocol.resumeSession(before.session, peer)).toMatchObject({
      revision: '2025-11-25',
      isResumed: true,
    });
    const events = { append() {}, after: () => [before.event], drop() {} };
    const read = new SealedEventStore(events, secrets).after('a session', 'a stream', 'a stream-0');
    expect(read).toEqual([{ id: 'a stream-1', text: '{"a":1}' }]);
  });

  test('a task of before (tasks.secrets) is carried out, and its result is read', async () => {
    const queue = new MemoryTaskQueue(systemClock);
    const [task, job] = before.task;
    queue.enqueue(task, job);
    await serve(secrets, { stores: { tasks: queue } });
    await serveTasks(server!, { concurrency: 1, signals: false });
    const get = async () => (await client().request('tasks/get', { taskId: task.id })).result;
    let found = await get();
    while (found.status === 'working') {
      await new Promise((resolve) => setTimeout(resolve, 10));
      found = await get();
    }
    expect(found).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } });
    expect(taskSeals(secrets, 'notes')('a task', 'an owner').open('result', before.result)).toEqual({
      content: [{ type: 'text', text: 'done' }],
    });
  });
});

test('without them, nothing of before is opened', async () => {
  await serve([newer]);
  const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
  const { error } = await client().call('ask', {}, { requestState: before.state, inputResponses });
  expect(error).toBeDefined();
  expect(await server!.protocol.resumeSession(before.session, peer)).toBeUndefined();
  expect(taskSeals([newer], 'notes')('a task', 'an owner').open('result', before.result)).toBeUndefined();
});
