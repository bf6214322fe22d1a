import { PassThrough } from 'node:stream';
import { createMcpServer } from '@toolwright/core';
import { serveStdio } from '../src/index.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const ANSWER_BYTES = 200_000;
const REQUESTS = 50;

test('while a client does not read, its requests wait, and it gets all answers later', async () => {
  const server = await createMcpServer({ name: 'fixture', version: '1', services: [], rateLimit: false });
  let served = 0;
  server.tools.add({
    name: 'big',
    description: 'Answers at length.',
    handler: () => {
      served++;
      return 'x'.repeat(ANSWER_BYTES);
    },
  });
  const input = new PassThrough();
  const output = new PassThrough();
  const service = await serveStdio(server, { input, output });
  const ask = (id: number, method: string, params: object) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const clientInfo = { name: 'client', version: '1' };
  ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  for (let id = 1; id <= REQUESTS; id++) {
    ask(id, 'tools/call', { name: 'big', arguments: {} });
    await turn();
  }
  for (let settled = 0; settled < 100; settled++) await turn();
  expect(input.isPaused()).toBe(true);
  expect(served).toBeLessThan(REQUESTS);

  let lines = 0;
  output.on('data', (chunk: Buffer) => {
    lines += chunk.toString().split('\n').length - 1;
  });
  while (lines < REQUESTS + 1) await turn();
  expect(served).toBe(REQUESTS);
  input.end();
  await service.closed;
});

test('a server that has to close does not wait for a client that reads nothing', async () => {
  const server = await createMcpServer({ name: 'fixture', version: '1', services: [] });
  const input = new PassThrough();
  const service = await serveStdio(server, { input, output: new PassThrough(), grace: 1 });
  // Each line is answered with an error.
  input.write('y\n'.repeat(20_000));
  while (!input.isPaused()) await turn();
  await service.close();
});
