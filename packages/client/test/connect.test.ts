import { createMcpServer, type McpServer, type Principal, type ToolContext } from '@toolwright/core';
import { revisions } from '@toolwright/core/transport';
import { silentLogger } from '@toolwright/core/ports';
import { connect, RpcError, type Change } from '../src/index.js';

let server: McpServer;

beforeEach(async () => {
  server = await createMcpServer({
    name: 'notes',
    version: '1.2.3',
    instructions: 'Take notes.',
    services: [],
    // The last test leaves work behind.
    logger: silentLogger,
  });
  server.tools.add({
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    handler: ({ a, b }) => ({ sum: (a as number) + (b as number) }),
  });
});

afterEach(() => server.close());

const ask = async (_args: unknown, context: ToolContext) => {
  const { action, content } = await context.elicit('name', {
    message: 'Who?',
    schema: { type: 'object', properties: { name: { type: 'string' } } },
  });
  return `${action} ${content?.['name'] ?? ''}`;
};

describe.each(revisions)('on %s', (revision) => {
  test('the client knows the server', async () => {
    const client = await connect(server, { revision });
    expect(client.server).toMatchObject({ revision, info: { name: 'notes' }, instructions: 'Take notes.' });
    expect(client.server.capabilities).toHaveProperty('tools');
  });

  test('tools are listed and called', async () => {
    const client = await connect(server, { revision });
    expect(await client.tools()).toMatchObject([{ name: 'add', description: 'Adds two numbers.' }]);
    expect(await client.callText('add', { a: 1, b: 2 })).toBe('{"sum":3}');
  });

  test('an unknown tool rejects with the error code of the protocol', async () => {
    const client = await connect(server, { revision });
    await expect(client.call('ad')).rejects.toThrow(RpcError);
    await expect(client.call('ad')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("'add'"),
    });
  });

  test('a subscription gets changes of the tools until it ends', async () => {
    const client = await connect(server, { revision });
    const subscription = await client.listen({ tools: true });
    server.tools.add({ name: 'now', description: 'Tells the time.', handler: () => 'noon' });
    expect(await subscription.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await subscription.close();
    expect(await subscription.next()).toBeUndefined();
  });

  test('prompts, resources and completions work in the same way', async () => {
    server.prompts.add({
      name: 'greet',
      arguments: [{ name: 'who', required: true }],
      complete: { who: (value) => ['ann', 'bob'].filter((name) => name.startsWith(value)) },
      handler: ({ who }) => `Hello ${who as string}`,
    });
    server.resources.add({ name: 'readme', uri: 'test://readme', handler: () => 'Read me.' });
    server.resourceTemplates.add({
      name: 'note',
      uriTemplate: 'test://note/{id}',
      handler: ({ id }) => `Note ${id as string}`,
    });
    const client = await connect(server, { revision });
    expect(await client.prompts()).toMatchObject([{ name: 'greet' }]);
    expect(await client.get('greet', { who: 'ann' })).toMatchObject({
      messages: [{ content: { text: 'Hello ann' } }],
    });
    expect(await client.complete({ prompt: 'greet' }, { name: 'who', value: 'b' })).toMatchObject({
      values: ['bob'],
    });
    expect(await client.resources()).toMatchObject([{ uri: 'test://readme' }]);
    expect(await client.resourceTemplates()).toMatchObject([{ uriTemplate: 'test://note/{id}' }]);
    expect(await client.read('test://note/7')).toMatchObject({ contents: [{ text: 'Note 7' }] });
  });

  test('progress reaches the call that asked for it', async () => {
    server.tools.add({
      name: 'work',
      description: 'Works.',
      handler: (_args, context) => context.progress(1, 2, 'half'),
    });
    const client = await connect(server, { revision });
    const heard: unknown[] = [];
    await client.call('work', {}, { onProgress: ({ progress, total }) => heard.push([progress, total]) });
    expect(heard).toEqual([[1, 2]]);
  });

  test('log messages are sent to a client that asked for them', async () => {
    server.tools.add({
      name: 'log',
      description: 'Logs.',
      handler: (_args, { log }) => log.warning('careful'),
    });
    const heard: unknown[] = [];
    const client = await connect(server, {
      revision,
      logLevel: 'warning',
      onLog: ({ data }) => heard.push(data),
    });
    await client.call('log');
    expect(heard).toEqual(['careful']);
  });

  test('aborting a call cancels it at the server', async () => {
    let cancelled!: () => void;
    const seen = new Promise<void>((resolve) => (cancelled = resolve));
    let started!: () => void;
    const running = new Promise<void>((resolve) => (started = resolve));
    server.tools.add({
      name: 'wait',
      description: 'Waits.',
      handler: (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(cancelled()));
          started();
        }),
    });
    const client = await connect(server, { revision });
    const control = new AbortController();
    const call = client.call('wait', {}, { signal: control.signal });
    await running;
    control.abort(new Error('no longer needed'));
    await expect(call).rejects.toThrow('no longer needed');
    await seen;
  });
});

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)('a question on %s', (revision) => {
  beforeEach(() => void server.tools.add({ name: 'ask', description: 'Asks.', handler: ask }));

  test('is answered by the handler, on every revision', async () => {
    const client = await connect(server, {
      revision,
      elicit: ({ message }) => ({ action: 'accept', content: { name: `Ann (${message})` } }),
    });
    expect(await client.callText('ask')).toBe('accept Ann (Who?)');
  });

  test('is not asked of a client without a handler', async () => {
    const client = await connect(server, { revision });
    await expect(client.callText('ask')).rejects.toThrow(RpcError);
  });
});

test('the principal of the client is the one that the test sets', async () => {
  const principal: Principal = { subject: 'ann', scopes: ['read'] };
  server.tools.add({
    name: 'who',
    description: 'Tells.',
    handler: (_args, { principal }) => principal?.subject ?? '-',
  });
  expect(await (await connect(server, { principal })).callText('who')).toBe('ann');
  expect(await (await connect(server)).callText('who')).toBe('-');
});

test('all pages of a list are read', async () => {
  const paged = await createMcpServer({ name: 'paged', version: '1', services: [], lists: { pageSize: 2 } });
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    paged.tools.add({ name, description: name, handler: () => name });
  const client = await connect(paged);
  expect((await client.tools()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
  await paged.close();
});

test('a subscription can be iterated', async () => {
  const client = await connect(server);
  server.resources.add({ name: 'readme', uri: 'test://readme', handler: () => 'Read me.' });
  const subscription = await client.listen({ uris: ['test://readme'] });
  server.resourceUpdated('test://readme');
  const changes: Change[] = [];
  for await (const change of subscription) {
    changes.push(change);
    await subscription.close();
  }
  expect(changes).toMatchObject([
    { method: 'notifications/resources/updated', params: { uri: 'test://readme' } },
  ]);
});

test('closing the client rejects requests that still wait', async () => {
  server.tools.add({ name: 'hang', description: 'Hangs.', handler: () => new Promise(() => undefined) });
  const client = await connect(server);
  const call = client.call('hang');
  await client.close();
  await expect(call).rejects.toThrow('The client was closed');
});
