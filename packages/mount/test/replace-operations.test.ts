import { connect } from '@toolwright/client';
import { createMcpServer } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { silentLogger } from '@toolwright/core/ports';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';

const open = closedAfterEach();

async function createServer() {
  const server = await createMcpServer({ name: 's', version: '1.0.0', services: [], logger: silentLogger });
  open.push(server);
  return server;
}

const tool = (name: string) => ({ name, description: `Does ${name}.`, handler: () => name });

test('many operations are replaced at once: what cannot be added is refused alone, and clients hear of it once', async () => {
  const server = await createServer();
  const before = server.tools.add([tool('a'), tool('b'), tool('c')]);
  const client = await connect(server);
  open.push(client);
  const changes = await client.listen({ tools: true });
  const refused: unknown[] = [];
  const added = server.tools.replace(
    before.slice(0, 2),
    [tool('d'), tool('c'), tool('a')],
    (index, [problem]) => refused.push([index, problem!.code]),
  );
  expect(refused).toEqual([[1, 'TW_NAME_DUPLICATE']]);
  expect(added.map((each) => each?.name)).toEqual(['d', undefined, 'a']);
  expect(
    server.tools
      .list()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['a', 'c', 'd']);
  await changes.next();
  await client.call('a');
  expect(changes.pending()).toEqual([]);
  await changes.close();
});

test.each(['2026-07-28', '2025-11-25'] as const)(
  'a package learns what clients watch (%s)',
  async (revision) => {
    const server = await createServer();
    const watched: [uri: string, isWatched: () => boolean][] = [];
    await extend(server, {
      name: '@example/watch',
      start: () => ({ watched: (uri, isWatched) => void watched.push([uri, isWatched]) }),
    });
    server.resources.add({ name: 'n', uri: 'n://1', handler: () => 'x' });
    const client = await connect(server, { revision });
    open.push(client);
    const changes = await client.listen({ uris: ['n://1'] });
    expect(watched.map(([uri, isWatched]) => [uri, isWatched()])).toEqual([['n://1', true]]);
    await changes.close();
    expect(watched[0]![1]()).toBe(false);
  },
);
