import { Cache, MaxOutput, type McpServer, structured } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let server: McpServer;
afterEach(() => server.close(0));

test.each([
  ['rows', 'rows.v2'],
  ['rows.v2', 'rows'],
])('parts of one run are good for each name of a cached version (%s, then %s)', async (first, second) => {
  let runs = 0;
  server = await boot({ services: [] });
  for (const version of ['1', '2'])
    server.tools.add({
      name: 'rows',
      version,
      annotations: { readOnlyHint: true },
      outputSchema: {
        type: 'object',
        properties: { rows: { type: 'array', items: { type: 'string' } } },
      },
      policies: [Cache.entry({ ttl: '1m' }), MaxOutput.entry({ tokens: 150, link: true })],
      handler() {
        runs++;
        return structured({ rows: Array.from({ length: 80 }, (_, index) => `run ${runs}, item ${index}`) });
      },
    });
  const wire = StatelessWire.of(server, 'ann');
  const { content } = (await wire.call(first)).result;
  const { uri } = content.find(({ type }: { type: string }) => type === 'resource_link');
  const rest = await wire.request('resources/read', { uri });
  expect(rest.result.contents[0].text).toContain('run 1, item 79');
  const [, cursor] = /cursor\\*": \\*"([^"\\]+)/.exec(JSON.stringify(content))!;
  const next = await wire.call(second, { cursor });
  expect(next.result.content[0].text).toContain('run 1');
  expect(runs).toBe(1);
});
