import { PassThrough } from 'node:stream';
import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { serveStdio } from '../../src/index.js';

/** What a server says when it begins to serve. */
async function saidBy(
  fill?: (server: McpServer) => void,
  options: Partial<ServerOptions> = {},
): Promise<unknown[][]> {
  const said: unknown[][] = [];
  const logger = { debug() {}, info() {}, warn: (...line: unknown[]) => void said.push(line), error() {} };
  const server = await createMcpServer({ name: 'empty', version: '1', logger, ...options });
  fill?.(server);
  const service = await serveStdio(server, { input: new PassThrough(), output: new PassThrough() });
  await service.close();
  return said;
}

test('a server that offers nothing says so once, with what to do', async () => {
  expect(await saidBy()).toEqual([
    [
      { option: 'services', fix: expect.stringContaining('List your classes in the option "services"') },
      'The server offers nothing so far: no tool, no resource and no prompt.',
    ],
  ]);
});

test('a server that was filled before it serves says nothing', async () => {
  const handler = () => 'hello';
  const annotations = { readOnlyHint: true };
  expect(await saidBy(({ tools }) => tools.add({ name: 'hello', annotations, handler }))).toEqual([]);
  const read = () => 'text';
  expect(await saidBy(({ resources }) => resources.add({ name: 'a', uri: 'a://b', handler: read }))).toEqual(
    [],
  );
});

test('a server that lists no classes on purpose says nothing', async () => {
  expect(await saidBy(undefined, { services: [] })).toEqual([]);
});
