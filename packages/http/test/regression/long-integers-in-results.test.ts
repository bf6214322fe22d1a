import type { McpServer } from '@toolwright/core';
import { boot } from '../../../core/test/support/booting.js';
import { type HttpService, serveHttp } from '../../src/index.js';
import { LegacyClient } from '../support/legacy-client.js';
import { call, send } from '../support/wire.js';

/** Integers that no double holds, and integers that one holds whose shortest digits are those of another integer. */
const ids = [
  9007199254740993n,
  2n ** 53n,
  2n ** 53n + 2n,
  2n ** 60n,
  -(2n ** 63n),
  2n ** 64n,
  10n ** 21n,
  2n ** 100n,
];
const row = { type: 'object', properties: { id: { type: 'integer' }, code: { type: 'string' } } };
const list = { type: 'object', properties: { rows: { type: 'array', items: row }, best: {} } };

let server: McpServer;
let service: HttpService;
beforeAll(async () => {
  server = await boot({ rateLimit: false });
  for (const [index, id] of ids.entries()) {
    const value = { id, code: id };
    const content = [{ type: 'text', text: 'x' }];
    server.tools.add([
      { name: `value_${index}`, outputSchema: row, handler: () => value },
      { name: `result_${index}`, outputSchema: row, handler: () => ({ content, structuredContent: value }) },
      {
        name: `rows_${index}`,
        outputSchema: list,
        handler: () => ({ rows: [{ id: 1 }, { id: 2 }, value], best: 5 }),
      },
      { name: `unsaid_${index}`, handler: () => value },
    ]);
  }
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());

describe.each(ids.map((id, index) => [id, index] as const))('the integer %s', (id, index) => {
  const written = `{"id":${id},"code":"${id}"}`;
  test.each([
    ['value', `"structuredContent":${written}`],
    ['result', `"structuredContent":${written}`],
    ['rows', `"structuredContent":{"rows":[{"id":1},{"id":2},${written}],"best":5}`],
    ['unsaid', JSON.stringify(`{"id":"${id}","code":"${id}"}`)],
  ])('has all its digits in "%s", and the finished call is not refused', async (name, expected) => {
    const { text } = await send(service.url, call(`${name}_${index}`));
    expect(text).toContain(expected);
    expect(text).not.toContain('isError');
  });

  test('has them for a client of an older revision, too', async () => {
    const client = await LegacyClient.connect(service.url, '2025-11-25');
    for (const name of ['value', 'result'])
      expect((await client.call(`${name}_${index}`)).text).toContain(`"structuredContent":${written}`);
  });
});
