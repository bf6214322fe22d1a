import { createMcpServer } from '@toolwright/core';
import { type HttpService, serveHttp } from '@toolwright/http';
import { toolwright } from '../support/recording-terminal.js';

let service: HttpService;

beforeAll(async () => {
  const server = await createMcpServer({ name: 'tools-only', version: '1', services: [] });
  server.tools.add({
    name: 'hello',
    description: 'Says hello.',
    annotations: { readOnlyHint: true },
    handler: () => 'hello',
  });
  service = await serveHttp(server, { port: 0, signals: false });
});
afterAll(() => service.close());

test.each([
  ['read notes://today', 1, 'The server has no resources.'],
  ['read notes://{id} --complete id', 1, 'The server has no suggestions.'],
  ['prompt review', 2, 'The server lists no prompts.'],
])('%s at a server that has none says so, without a method or a number', async (words, code, said) => {
  const [command, ...rest] = words.split(' ');
  const { stderr, ...printed } = await toolwright(`${command} --url ${service.url} ${rest.join(' ')}`);
  expect({ ...printed, stderr }).toEqual({ code, stdout: '', stderr: `error: ${said}\n` });
});
