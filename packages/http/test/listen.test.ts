import { until } from '../../../.ci/test/support/until.js';
import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { LiveStream } from './support/live-stream.js';
import { call, modern, send, type Json } from './support/wire.js';

let fixture: Fixture;
let service: HttpService;
beforeEach(async () => {
  fixture = await createFixture();
  service = await serveHttp(fixture.server, { port: 0, signals: false });
});
afterEach(() => service.close());

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const listen = (notifications: Json, id: unknown = 1) =>
  LiveStream.open(service.url, modern('subscriptions/listen', { id, params: { notifications } }));
const addTool = (name: string) => fixture.server.tools.add({ name, description: name, handler: () => name });

test('L2 and L4: the subscription is confirmed first and marks all that follows', async () => {
  const id = 0;
  const stream = await listen({ toolsListChanged: true, resourceSubscriptions: ['test://plain'] }, id);
  expect((await stream.event(1)).message).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['test://plain'] },
      _meta: { [SUBSCRIPTION]: id },
    },
  });
  addTool('late');
  expect((await stream.event(2)).message).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta: { [SUBSCRIPTION]: id } },
  });
  fixture.server.resourceUpdated('test://plain');
  expect((await stream.event(3)).message).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'test://plain', _meta: { [SUBSCRIPTION]: id } },
  });
  stream.close();
});

test('L5 the server ends it with a result that names it', async () => {
  const stream = await listen({ toolsListChanged: true }, 'bye');
  await stream.event(1);
  void fixture.server.drain();
  const { message } = await stream.event(2);
  expect(message).toMatchObject({
    id: 'bye',
    result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 'bye' } },
  });
  await stream.ended();
});

test('L8 progress and logs of calls do not appear on it', async () => {
  const stream = await listen({ toolsListChanged: true });
  await stream.event(1);
  const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };
  await send(service.url, call('talk', {}, { meta }));
  addTool('late');
  expect((await stream.event(2)).message.method).toBe('notifications/tools/list_changed');
  stream.close();
});

test('comments keep a quiet stream open', async () => {
  const beats: (() => void)[] = [];
  const clock = {
    now: () => 0,
    after: (_delay: number, run: () => void) => (beats.push(run), () => undefined),
  };
  const own = await createFixture({ ports: { clock }, timeout: false });
  const quiet = await serveHttp(own.server, { port: 0, signals: false });
  const stream = await LiveStream.open(
    quiet.url,
    modern('subscriptions/listen', { params: { notifications: {} } }),
  );
  await stream.event(1);
  beats.at(-1)!();
  await until(() => stream.text.includes(': keep-alive'));
  stream.close();
  await quiet.close();
});
