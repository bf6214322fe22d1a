import type { McpServer } from '@toolwright/core';
import { boot } from '../../../core/test/support/booting.js';
import { type HttpService, serveHttp } from '../../src/index.js';
import { LegacyClient } from '../support/legacy-client.js';
import { call, send } from '../support/wire.js';

const ID = 9007199254740993n;
const WRITTEN = `{"id":${ID},"code":"${ID}"}`;
const row = { type: 'object', properties: { id: { type: 'integer' }, code: { type: 'string' } } };

let server: McpServer;
let service: HttpService;
beforeAll(async () => {
  server = await boot({ rateLimit: false });
  const value = { id: ID, code: ID };
  const content = [{ type: 'text', text: 'x' }];
  server.tools.add([
    { name: 'value', outputSchema: row, handler: () => value },
    { name: 'result', outputSchema: row, handler: () => ({ content, structuredContent: value }) },
    { name: 'unsaid', handler: () => value },
  ]);
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());

test.each([
  ['value', `"structuredContent":${WRITTEN}`],
  ['result', `"structuredContent":${WRITTEN}`],
  ['unsaid', JSON.stringify(`{"id":"${ID}","code":"${ID}"}`)],
])(
  'the long integer of "%s" has all its digits, and the finished call is not refused',
  async (name, expected) => {
    const { text } = await send(service.url, call(name));
    expect(text).toContain(expected);
    expect(text).not.toContain('isError');
  },
);

test('a client of an older revision gets it, too', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  for (const name of ['value', 'result'])
    expect((await client.call(name)).text).toContain(`"structuredContent":${WRITTEN}`);
});
