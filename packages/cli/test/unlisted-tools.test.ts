import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { toolwright } from './support/recording-terminal.js';

let server: McpServer;
let service: HttpService;

beforeAll(async () => {
  server = await createMcpServer({ name: 'sums', version: '1', services: [], toolSearch: true });
  const number = { type: 'number' };
  server.tools.add({
    name: 'add_numbers',
    description: 'Add two numbers.',
    inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
    handler: ({ a, b }) => String((a as number) + (b as number)),
  });
  service = await serveHttp(server, { port: 0 });
});

afterAll(async () => {
  await service.close();
  await server.close(0);
});

const call = (words: string) => toolwright(`call --url ${service.url} ${words}`);

test('a tool that the server does not list, because it has a search, is called by its name', async () => {
  expect((await toolwright(`list --url ${service.url}`)).stdout).not.toContain('add_numbers');
  expect(await call('add_numbers --a 2 --b 3')).toMatchObject({ code: 0, stdout: '5\n' });
  expect((await call('add_numbers --help')).stdout).toContain('Add two numbers.');
});

test('a name that no tool has is refused with the names that are listed', async () => {
  const { code, stderr } = await call('add_number --a 2');
  expect(code).toBe(2);
  expect(stderr).toContain('The server lists no tool add_number. It lists:');
});
