import { Cache } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

test.each<[string, (run: number) => unknown]>([
  ['bigint', (run) => BigInt(run)],
  ['map', (run) => ({ deep: new Map([['a', run]]) })],
  ['set of bigints', (run) => new Set([BigInt(run)])],
])('a result is kept for the arguments that middleware has made: %s', async (_name, make) => {
  let run = 0;
  const server = await boot({
    ...{ services: [], rateLimit: false },
    middleware: [
      (call, next) => {
        call.arguments = { value: make(Math.min(++run, 2)) };
        return next();
      },
    ],
  });
  const seen: unknown[] = [];
  server.tools.add({
    ...{ name: 'row', description: 'Reads.', annotations: { readOnlyHint: true } },
    policies: [Cache.entry({ ttl: '1h' })],
    handler: ({ value }) => String(seen.push(value)),
  });
  const wire = StatelessWire.of(server, 'ada');
  const texts = [];
  for (let count = 0; count < 3; count++) texts.push((await wire.call('row')).result.content[0].text);
  expect(texts).toEqual(['1', '2', '2']);
  await server.close(0);
});
