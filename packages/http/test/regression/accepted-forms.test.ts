import { initialize, LegacyClient } from '../support/legacy-client.js';
import { useLegacyService } from '../support/legacy-service.js';
import { call, send } from '../support/wire.js';

const { served, connect } = useLegacyService();
const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';

const modernCall = (accept: string) => send(served.url, call('echo', { text: 'x' }, { headers: { accept } }));
const olderCall = async (accept: string) =>
  (await connect()).post(
    { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } },
    { accept },
  );
const opening = (accept: string) => send(served.url, { body: initialize('2025-11-25'), headers: { accept } });
const typeOf = ({ status, headers }: { status: number; headers: object }) => [
  status,
  String((headers as Record<string, unknown>)['content-type']).split(';', 1)[0],
];

describe.each([
  ['a call of 2026-07-28', modernCall],
  ['a call of 2025-11-25', olderCall],
  ['initialize', opening],
])('%s', (_, ask) => {
  test.each([
    STREAM,
    'TEXT/event-stream',
    `${STREAM};q=0.5`,
    `${STREAM}, ${JSON_TYPE};q=0`,
    `${JSON_TYPE};q=0, */*`,
  ])('is answered with a stream to a client that accepts %s', async (accept) => {
    expect(typeOf(await ask(accept))).toEqual([200, STREAM]);
  });

  test.each([
    JSON_TYPE,
    '*/*',
    'application/*',
    'text/html',
    `${JSON_TYPE}, ${STREAM}`,
    `${STREAM};q=0.5, ${JSON_TYPE}`,
  ])('is answered with JSON to a client that accepts %s', async (accept) => {
    expect(typeOf(await ask(accept))).toEqual([200, JSON_TYPE]);
  });
});

test.each([
  `${STREAM};q=0`,
  `${JSON_TYPE}, ${STREAM};q=0.000`,
  `${JSON_TYPE};q=0`,
  '*/*;q=0',
  `*/*, ${STREAM}; Q=0`,
])('a client that refuses what it may have to read (%s) is refused', async (accept) => {
  expect([(await modernCall(accept)).status, (await opening(accept)).status]).toEqual([406, 406]);
  expect((await olderCall(accept)).status).toBe(406);
});

test('the stream for changes obeys q=0, too', async () => {
  const client: LegacyClient = await connect();
  const get = (accept: string) => send(served.url, { method: 'GET', headers: { ...client.headers, accept } });
  expect((await get(`*/*, ${STREAM};q=0`)).status).toBe(406);
  expect((await get(JSON_TYPE)).status).toBe(406);
});
