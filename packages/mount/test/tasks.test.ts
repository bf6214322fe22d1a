import { connect } from '@toolwright/client';
import { mountServer } from '@toolwright/mount';
import { createGateway, serveUpstream } from './support/tools.js';
import { until } from './support/until.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const TASKS = 'io.modelcontextprotocol/tasks';

async function mounted() {
  const upstream = await createGateway({ name: 'upstream', tasks: { pollInterval: '50ms' } });
  const aborted: string[] = [];
  upstream.tools.add([
    {
      name: 'bake',
      description: 'Takes its time.',
      task: 'optional',
      handler: async (_args, { signal }) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return signal.aborted ? 'burnt' : 'bread';
      },
    },
    {
      name: 'bake_for',
      description: 'Asks who it is for.',
      task: 'required',
      async handler(_args, ctx) {
        const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
        const { content } = await ctx.elicit('name', { message: 'Who is it for?', schema });
        return `bread for ${String(content?.['name'])}`;
      },
    },
    {
      name: 'rise',
      description: 'Never ends.',
      task: 'required',
      handler: (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(aborted.push('rise')))),
    },
  ]);
  const { url, served } = await serveUpstream(upstream);
  const gateway = await createGateway();
  open.push(served, gateway);
  await mountServer(gateway, 'up', { url });
  return { gateway, aborted };
}

const elicit = () => ({ action: 'accept' as const, content: { name: 'Ann' } });

test('a client that knows no tasks waits for the result of a task behind', async () => {
  const { gateway } = await mounted();
  const client = await connect(gateway, { elicit });
  open.push(client);
  expect(await client.callText('bake')).toBe('bread');
  expect(await client.callText('bake_for')).toBe('bread for Ann');
});

test('a client that follows tasks gets a task of ours, with its questions and its result', async () => {
  const { gateway } = await mounted();
  const client = await connect(gateway, { capabilities: { elicitation: {}, extensions: { [TASKS]: {} } } });
  open.push(client);
  const task = await client.request('tools/call', { name: 'bake_for', arguments: {} });
  expect(task).toMatchObject({ resultType: 'task', status: 'working' });
  const get = () => client.request('tasks/get', { taskId: task['taskId'] });
  let now = await get();
  await until(async () => (now = await get())['status'] !== 'working');
  expect(now).toMatchObject({ status: 'input_required' });
  const [key] = Object.keys(now['inputRequests'] as object);
  const inputResponses = { [key!]: { action: 'accept', content: { name: 'Bob' } } };
  await client.request('tasks/update', { taskId: task['taskId'], inputResponses });
  await until(async () => (now = await get())['status'] === 'completed');
  expect(now).toMatchObject({ result: { content: [{ text: 'bread for Bob' }] } });
});

test('a task that is cancelled is cancelled behind, too', async () => {
  const { gateway, aborted } = await mounted();
  const client = await connect(gateway, { capabilities: { extensions: { [TASKS]: {} } } });
  open.push(client);
  const { taskId } = await client.request('tools/call', { name: 'rise', arguments: {} });
  await client.request('tasks/cancel', { taskId });
  await until(() => aborted.length > 0);
  expect(aborted).toEqual(['rise']);
});
