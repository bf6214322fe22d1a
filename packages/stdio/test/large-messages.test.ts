import { PassThrough } from 'node:stream';
import { createMcpServer, type ServerOptions } from '@toolwright/core';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { RecordingLogger } from '../../core/test/support/recording-logger.js';
import { serveStdio, type ServeStdioOptions } from '../src/index.js';

const MEBIBYTE = 1_048_576;

async function start(options: ServeStdioOptions = {}, more: Partial<ServerOptions> = {}) {
  const logger = new RecordingLogger();
  const server = await createMcpServer({
    name: 'fixture',
    version: '1',
    services: [],
    rateLimit: false,
    logger,
    ...more,
  });
  server.tools.add({
    name: 'large',
    description: 'Answers at length, after progress.',
    inputSchema: { type: 'object', properties: { bytes: { type: 'integer' } } },
    handler: ({ bytes }, context) => {
      context.progress(1, 2);
      return '€\u2028\u0085'.repeat((bytes as number) / 8);
    },
  });
  server.tools.add({
    name: 'lines',
    description: 'Logs many short lines in one turn.',
    handler: (_args, context) => {
      for (let line = 1; line <= 12_000; line++) context.log.error(`line ${line}`);
      return 'said';
    },
  });
  const input = new PassThrough();
  const output = new PassThrough();
  const service = await serveStdio(server, { input, output, ...options });
  const ask = (id: number, method: string, params: object) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const clientInfo = { name: 'client', version: '1' };
  ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const callTool = (id: number, name: string, args = {}) =>
    ask(id, 'tools/call', { name, arguments: args, _meta: { progressToken: id } });
  return { input, output, service, logger, callTool };
}

const cutOff = ({ lines }: RecordingLogger) => lines.filter(({ message }) => message.includes('was cut off'));

test('messages of any size arrive, each on a line of its own, and many lines at once', async () => {
  const { input, output, service, logger, callTool } = await start();
  const sizes = [0.5, 1.5].map((size) => size * MEBIBYTE);
  sizes.forEach((bytes, index) => callTool(index + 1, 'large', { bytes }));
  callTool(3, 'lines');
  let text = '';
  for await (const chunk of output.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (chunk.includes('"id":3')) break;
  }
  const messages = text
    .split(/[\n\u0085\u2028\u2029]/)
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const [index, bytes] of sizes.entries())
    expect(messages.find(({ id }) => id === index + 1).result.content[0].text).toHaveLength((bytes / 8) * 3);
  expect(messages.filter(({ method }) => method === 'notifications/message')).toHaveLength(12_000);
  input.end();
  await service.closed;
  expect(cutOff(logger)).toEqual([]);
});

test('a client that reads nothing is given up when too much waits for it', async () => {
  const clock = new FakeClock();
  const { service, logger, callTool } = await start({ maxUnreadBytes: 4 * MEBIBYTE }, { ports: { clock } });
  callTool(1, 'large', { bytes: 8 * MEBIBYTE });
  let isClosed = false;
  void service.closed.then(() => (isClosed = true));
  while (!isClosed) await clock.advance(1_000);
  expect(cutOff(logger)).toMatchObject([{ level: 'warn', fields: { transport: 'stdio' } }]);
});
