import { PassThrough } from 'node:stream';
import { boot } from '../../core/test/support/booting.js';
import { addHalfPairs, expectWellFormed, halfPairRequests } from '../../core/test/support/half-pairs.js';
import { serveStdio } from '../src/index.js';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/logLevel': 'debug',
};

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', ENVELOPE],
])('nothing ill formed leaves over stdio on %s', async (protocolVersion, envelope) => {
  const server = await boot({ services: [], rateLimit: false });
  addHalfPairs(server);
  const input = new PassThrough();
  const output = new PassThrough();
  const service = await serveStdio(server, { input, output });
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  if (protocolVersion < '2026') {
    const clientInfo = { name: 'client', version: '1' };
    send({ id: 'hello', method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
  }
  const open = new Set<unknown>();
  for (const [id, [method, params]] of halfPairRequests.entries()) {
    open.add(id);
    send({ id, method, params: { ...params, _meta: { ...envelope, progressToken: id } } });
  }
  let rest = '';
  let notices = 0;
  for await (const chunk of output.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const { id, method } = JSON.parse(line);
      if (id === 'hello') continue;
      expectWellFormed(line);
      if (method !== undefined) notices++;
      open.delete(id);
    }
    if (open.size === 0) break;
  }
  expect(notices).toBe(2);
  input.end();
  await service.closed;
});
