import type { BoundOperation } from '@toolwright/core';
import { serveHttp, type HttpService } from '../../src/index.js';
import { createFixture, type Fixture } from '../support/fixture.js';
import { LegacyClient } from '../support/legacy-client.js';
import { LiveStream } from '../support/live-stream.js';
import { modern, send, type Json } from '../support/wire.js';

let service: HttpService;
let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture({
    authorize: (_principal, { name }: Omit<BoundOperation, 'run'>) => !name.startsWith('hidden'),
  });
  const { server } = fixture;
  const handler = () => 'secret';
  server.tools.add({
    name: 'hidden_t',
    description: 'Hidden.',
    inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    handler,
  });
  server.prompts.add({ name: 'hidden_p', arguments: [{ name: 'a', required: true }], handler });
  server.resources.add({ name: 'hidden_r', uri: 'test://hidden_r', handler });
  server.resourceTemplates.add({
    name: 'hidden_rt',
    uriTemplate: 'test://hidden_rt/{id}',
    complete: { id: () => ['secret'] },
    handler,
  });
  service = await serveHttp(server, { port: 0, signals: false });
});
afterEach(() => service.close());

/** As clients see it, with what they sent themselves made the same. */
async function answers(method: string, paramsOf: (name: string) => Json): Promise<unknown[]> {
  const legacy = await LegacyClient.connect(service.url, '2025-11-25');
  const alike = (text: string) => text.replace(/hidden_|absent_/g, '');
  const ask = async (prefix: string) => {
    const params = paramsOf(`${prefix}_`);
    const answer = await send(service.url, modern(method, { params }));
    const old = await legacy.request(method, params, 1);
    return [answer, old].map(({ status, text }) => [status, alike(text)]);
  };
  const [hidden, absent] = [await ask('hidden'), await ask('absent')];
  expect(hidden).toEqual(absent);
  return hidden;
}

const states: [string, Json][] = [
  ['nothing else', {}],
  ['a forged state', { requestState: 'forged' }],
  ['a state that is none', { requestState: 5 }],
  ['answers', { inputResponses: {} }],
  ['answers that are none', { inputResponses: 'none' }],
];

describe.each(states)('a hidden operation gets the answer for an unknown one, with %s', (_what, more) => {
  test.each<[string, (prefix: string) => Json]>([
    ['tools/call', (prefix) => ({ name: `${prefix}t`, arguments: {} })],
    ['tools/call', (prefix) => ({ name: `${prefix}t`, arguments: { a: 'x' } })],
    ['tools/call', (prefix) => ({ name: `${prefix}t`, arguments: 'none' })],
    ['prompts/get', (prefix) => ({ name: `${prefix}p` })],
    ['prompts/get', (prefix) => ({ name: `${prefix}p`, arguments: { a: 'x' } })],
    ['prompts/get', (prefix) => ({ name: `${prefix}p`, arguments: { a: 5 } })],
    ['resources/read', (prefix) => ({ uri: `test://${prefix}r` })],
    ['resources/read', (prefix) => ({ uri: `test://${prefix}rt/1` })],
  ])('to %s', async (method, paramsOf) => {
    await answers(method, (prefix) => ({ ...paramsOf(prefix), ...more }));
  });
});

test.each<[string, (prefix: string) => Json]>([
  ['resources/subscribe', (prefix) => ({ uri: `test://${prefix}r` })],
  ['resources/subscribe', (prefix) => ({ uri: `test://${prefix}rt/1` })],
  [
    'completion/complete',
    (prefix) => ({ ref: { type: 'ref/prompt', name: `${prefix}p` }, argument: { name: 'a', value: '' } }),
  ],
  [
    'completion/complete',
    (prefix) => ({
      ref: { type: 'ref/resource', uri: `test://${prefix}rt/{id}` },
      argument: { name: 'id', value: '' },
    }),
  ],
  [
    'completion/complete',
    (prefix) => ({
      ref: { type: 'ref/resource', uri: `test://${prefix}r` },
      argument: { name: 'a', value: '' },
    }),
  ],
])('a hidden operation is unknown to %s', async (method, paramsOf) => {
  await answers(method, paramsOf);
});

test('a stream confirms hidden and unknown URIs alike, and sends changes of neither', async () => {
  const listen = async (uris: string[]) => {
    const params = { notifications: { resourceSubscriptions: uris } };
    const stream = await LiveStream.open(service.url, modern('subscriptions/listen', { params }));
    return { stream, acknowledged: (await stream.event(1)).message.params.notifications };
  };
  const hidden = await listen(['test://hidden_r', 'test://hidden_rt/1', 'test://plain']);
  const unknown = await listen(['test://absent_r', 'test://absent_rt/1', 'test://plain']);
  expect(JSON.stringify(hidden.acknowledged).replaceAll('hidden', 'absent')).toBe(
    JSON.stringify(unknown.acknowledged),
  );
  for (const uri of ['test://hidden_r', 'test://hidden_rt/1', 'test://plain'])
    fixture.server.resourceUpdated(uri);
  for (const { stream } of [hidden, unknown]) {
    expect((await stream.event(2)).message.params.uri).toBe('test://plain');
    stream.close();
  }
});

test('a URI that appears while a stream is open is watched by the next stream', async () => {
  const listen = async () => {
    const params = { notifications: { resourceSubscriptions: ['test://later', 'test://plain'] } };
    const stream = await LiveStream.open(service.url, modern('subscriptions/listen', { params }));
    const { notifications } = (await stream.event(1)).message.params;
    return { stream, watched: notifications.resourceSubscriptions };
  };
  const first = await listen();
  fixture.server.resources.add({ name: 'later', uri: 'test://later', handler: () => 'now' });
  const second = await listen();
  expect([first.watched, second.watched]).toEqual([['test://plain'], ['test://later', 'test://plain']]);
  for (const uri of ['test://later', 'test://plain']) fixture.server.resourceUpdated(uri);
  const heard = await Promise.all([first, second].map(({ stream }) => stream.event(2)));
  expect(heard.map(({ message }) => message.params.uri)).toEqual(['test://plain', 'test://later']);
  for (const { stream } of [first, second]) stream.close();
});
