import { PassThrough } from 'node:stream';
import { createMcpServer, RequireScopes } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { serveStdio } from '../src/index.js';

const strict = () =>
  createMcpServer({
    name: 'x',
    version: '1',
    services: [],
    security: { mode: 'strict', relax: ['audit'] },
    logger: silentLogger,
  });

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('the local user is the principal of the options', async () => {
  const server = await strict();
  server.tools.add({
    name: 'who',
    annotations: { readOnlyHint: true },
    policies: [RequireScopes.entry('local')],
    handler: (_args, { principal }) => principal!.subject,
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const service = await serveStdio(server, {
    input,
    output,
    principal: { subject: 'ada', scopes: ['local'] },
  });
  const answer = new Promise<string>((resolve) =>
    output.once('data', (data: Buffer) => resolve(String(data))),
  );
  const params = { name: 'who', arguments: {}, _meta };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  expect(JSON.parse(await answer).result.content[0].text).toBe('ada');
  await service.close();
});

test('in strict mode, nobody is served over stdio without a principal', async () => {
  const server = await strict();
  const streams = { input: new PassThrough(), output: new PassThrough() };
  await expect(serveStdio(server, streams)).rejects.toThrow(/TW_SECURITY_STRICT.*over stdio, set principal/s);
  await expect(serveStdio(server, { ...streams, principal: { subject: '', scopes: [] } })).rejects.toThrow(
    'TW_PRINCIPAL_UNNAMED',
  );
  await server.close(0);
});

test('a misspelt field of the local user is refused, with the nearest name', async () => {
  const server = await strict();
  const principal = { subject: 'ada', scope: ['local'] } as never;
  await expect(
    serveStdio(server, { input: new PassThrough(), output: new PassThrough(), principal }),
  ).rejects.toThrow(/"principal\.scope"\. Did you mean 'scopes'\?/);
  await server.close(0);
});
