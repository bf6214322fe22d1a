import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import {
  type ClientOptions,
  connect,
  type McpClient,
  type OpenChannel,
  openClient,
} from '../../../client/src/index.js';
import { Inside } from '../../../console/src/inside.js';
import { routingHeaders } from '@toolwright/core/transport';
import { mcpFetch, serveHttp } from '../../../http/src/index.js';
import { serveStdio } from '../../../stdio/src/index.js';
import { StdioRelay } from '../../../cli/src/dev/app/stdio-relay.js';
import { httpChannel } from '../../../cli/src/remote/http-channel.js';
import { ByteBudget } from '../../../cli/src/remote/limits.js';
import { formerNames, renamingStateful, renamingStateless } from '../support/made-up-revisions.js';
import { paramsOnWire, saidOnWire, shop, useShop } from '../support/renaming-shop.js';

const STATELESS = renamingStateless.version;
const STATEFUL = renamingStateful.version;
const { ends } = shop;
useShop();

type Open = (options: ClientOptions) => Promise<McpClient>;

const overHttp: Open = async (options) => {
  const service = await serveHttp(shop.server, { port: 0, signals: false });
  ends.push(() => service.close());
  const { revision } = options;
  const budget = new ByteBudget(1_000_000);
  return openClient(httpChannel(new URL(service.url), { budget, ...(revision && { revision }) }), options);
};

const overStdio: Open = async (options) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const service = await serveStdio(shop.server, { input, output, exit: false });
  ends.push(() => service.close());
  const lines = createInterface({ input: output });
  return openClient((receive) => {
    lines.on('line', (line) => receive(JSON.parse(line)));
    return { send: (message) => void input.write(`${JSON.stringify(message)}\n`), close: () => undefined };
  }, options);
};

/** How each answer came: as JSON, or as a stream of events. */
const types: (string | null)[] = [];

/** Calls a web-standard handler. */
const overFetch: Open = async (options) => {
  const handler = mcpFetch(shop.server);
  const channel: OpenChannel = (receive) => ({
    async send(message) {
      const { method = '', params } = message;
      const response = await handler(
        new Request('http://localhost/mcp', {
          method: 'POST',
          body: JSON.stringify(message),
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': options.revision!,
            ...routingHeaders(options.revision, { method, params }),
          },
        }),
      );
      types.push(response.headers.get('content-type'));
      const text = await response.text();
      const parts = text.startsWith('{')
        ? [text]
        : [...text.matchAll(/^data: ?(.+)$/gm)].map((part) => part[1]!);
      for (const part of parts) receive(JSON.parse(part));
    },
    close: () => undefined,
  });
  return openClient(channel, options);
};

const inMemory: Open = (options) => connect(shop.server, options);
describe.each([
  ['HTTP', STATELESS, overHttp],
  ['HTTP', STATEFUL, overHttp],
  ['stdio', STATELESS, overStdio],
  ['stdio', STATEFUL, overStdio],
  ['memory', STATELESS, inMemory],
  ['memory', STATEFUL, inMemory],
  ['fetch', STATELESS, overFetch],
])('over %s, on a revision (%s) that renames methods and their parameters', (_, revision, open) => {
  test('our client lists, calls, reads, completes and answers as on any other', async () => {
    const steps: unknown[] = [];
    const client = await open({
      revision,
      logLevel: 'info',
      elicit: ({ message }) => ({ action: 'accept', content: { size: `${message} L` } }),
      onLog: ({ data }) => steps.push(data),
    });
    ends.push(() => client.close());
    expect(client.server.revision).toBe(revision);
    expect((await client.tools()).map(({ name }) => name)).toContain('order');
    const onProgress = ({ message }: { message?: string }) => void steps.push(message);
    expect(await client.callText('order', { what: 'tea' }, { onProgress })).toBe('tea, Which size? L');
    expect(steps).toEqual(expect.arrayContaining(['ordering', 'half']));
    expect((await client.read('test://notice')).contents[0]).toMatchObject({ text: 'x' });
    expect((await client.get('greet', { who: 'Ann' })).messages[0]!.content).toMatchObject({
      text: 'Greet Ann.',
    });
    const { values } = await client.complete({ prompt: 'greet' }, { name: 'who', value: 'B' });
    expect(values).toEqual(['Bob']);
    expect(saidOnWire()).toEqual(expect.arrayContaining(['tools/all', 'tools/invoke', 'prompts/fill']));
    expect(saidOnWire().filter((method) => method && formerNames.includes(method))).toEqual([]);
    expect(paramsOnWire('tools/invoke')).toMatchObject({ tool: 'order', input: { what: 'tea' } });
  });
});

test('a web-standard handler answers a renamed method with JSON, and with a stream of events', async () => {
  types.length = 0;
  const client = await overFetch({
    revision: STATELESS,
    logLevel: 'info',
    elicit: () => ({ action: 'decline' }),
  });
  await client.callText('keep');
  await client.callText('order', { what: 'tea' });
  expect(new Set(types)).toEqual(new Set(['application/json', 'text/event-stream']));
});

describe.each([STATELESS, STATEFUL])('on %s', (revision) => {
  test('changes are heard of, and a cancelled call ends', async () => {
    const client = await connect(shop.server, { revision });
    ends.push(() => client.close());
    const changes = await client.listen({ tools: true, uris: ['test://notice'] });
    shop.server.tools.add({ name: 'later', description: 'Comes later.', handler: () => '' });
    expect((await changes.next())?.method).toBe('notifications/tools/list_changed');
    shop.server.resourceUpdated('test://notice');
    expect((await changes.next())?.params).toMatchObject({ uri: 'test://notice' });
    const stop = new AbortController();
    const call = client.call('hang', {}, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(saidOnWire()).toContain('notifications/stopped');
    expect(await shop.server.drain('1m')).toBe(true);
  });

  test('a call of the console is made by the names of the revision', async () => {
    const inside = new Inside(() => undefined);
    const id = inside.add(shop.server);
    const call = { server: id, kind: 'tool', key: 'order', arguments: { what: 'tea' }, revision } as const;
    const started = await inside.ask('startCall', call);
    const soFar = async () => (await inside.ask('ownCalls', {})).find((own) => own.id === started.id)!;
    while ((await soFar()).state !== 'asking') await new Promise(setImmediate);
    const [question] = (await soFar()).questions;
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Which size?' } });
    const answer = { action: 'accept', content: { size: 'L' } };
    await inside.ask('answerQuestion', { call: started.id, question: question!.id, answer });
    while ((await soFar()).state !== 'ended') await new Promise(setImmediate);
    expect((await soFar()).result).toMatchObject({ content: [{ text: 'tea, L' }] });
    expect(saidOnWire()).toContain('tools/invoke');
  });
});

test('a task is followed by its renamed methods', async () => {
  const extensions = { 'io.modelcontextprotocol/tasks': {} };
  const client = await connect(shop.server, { revision: STATELESS, capabilities: { extensions } });
  ends.push(() => client.close());
  const { taskId } = await client.request('tools/call', { name: 'slow', arguments: {} });
  const unknown = client.request('tasks/get', { taskId: 'no-such-task' });
  await expect(unknown).rejects.toMatchObject({ code: -32602 });
  expect(await client.request('tasks/get', { taskId })).toMatchObject({ taskId });
  expect(saidOnWire()).toContain('tasks/look');
});

test('`dev` carries a subscription over a restart, whatever the revision calls it', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const relay = new StdioRelay(input, output, () => undefined);
  const toHost = createInterface({ input: output })[Symbol.asyncIterator]();
  const apps = [1, 2].map(() => ({ input: new PassThrough(), output: new PassThrough() }));
  const heard = apps.map((app) => createInterface({ input: app.input })[Symbol.asyncIterator]());
  for (const app of apps) relay.listen(app.input, app.output);
  const _meta = { 'io.modelcontextprotocol/protocolVersion': STATELESS };
  const params = { of: { toolsListChanged: true }, _meta };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'changes/listen', params });
  relay.connect(apps[0]!.input);
  input.write(`${line}\n`);
  expect((await heard[0]!.next()).value).toBe(line);
  await relay.hold(60_000);
  relay.connect(apps[1]!.input);
  expect((await heard[1]!.next()).value).toBe(line);
  expect(JSON.parse((await toHost.next()).value as string)).toMatchObject({
    method: 'notifications/tools/changed',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
  });
});
