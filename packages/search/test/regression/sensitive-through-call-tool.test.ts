import { type McpServer, structured } from '@toolwright/core';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { serveHttp } from '../../../http/src/index.js';
import { mountServer } from '../../../mount/src/index.js';
import { boot } from '../../../core/test/support/booting.js';
import { StatefulWire } from '../../../core/test/wire/stateful-wire.js';
import { StatelessWire } from '../../../core/test/wire/stateless-wire.js';

type ToolDefinition = Parameters<McpServer['tools']['add']>[0];

const object = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const text = { type: 'string' };
const [secret, answer] = ['canary-in', 'canary-out'];
const args = { user: 'ann', password: secret };
const login: ToolDefinition = {
  name: 'login',
  description: 'Log in.',
  annotations: { readOnlyHint: true },
  inputSchema: object({ user: text, password: { type: 'string', writeOnly: true } }),
  outputSchema: object({ iban: { type: 'string', 'x-sensitive': true } }),
  handler: () => structured({ iban: answer }),
};
const byLink: ToolDefinition = {
  name: 'login',
  version: '2',
  description: 'Log in by a link.',
  inputSchema: object({ user: text }),
  handler: () => 'sent',
};

const open = closedAfterEach<{ close(grace?: number): unknown }>((each) => each.close(0));

/** A server that is searched, and what its observers see. */
async function searched(tools: readonly ToolDefinition[]): Promise<{ server: McpServer; seen: string[] }> {
  const server = await boot({ services: [], toolSearch: true, rateLimit: false });
  open.push(server);
  server.tools.add(tools);
  const seen: string[] = [];
  server.on('message', ({ message }) => void seen.push(JSON.stringify(message)));
  server.on('call', (call) => void seen.push(JSON.stringify(call)));
  return { server, seen };
}

const expectHidden = (seen: readonly string[]) => {
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.filter((each) => each.includes(secret) || each.includes(answer))).toEqual([]);
};

test.each([
  ['a tool', 'login', [login]],
  ['an old version beside a newer one that marks nothing', 'login.v1', [{ ...login, version: '1' }, byLink]],
])('call_tool shows observers nothing that %s marks as sensitive', async (_, name, tools) => {
  const { server, seen } = await searched(tools);
  for (const wire of [StatelessWire.of(server, 'ann'), new StatefulWire(server, { subject: 'ann' })]) {
    const { result } = await wire.call('call_tool', { name, arguments: args });
    expect(result.structuredContent).toEqual({ iban: answer });
  }
  expectHidden(seen);
  expect(seen.join()).toContain(
    `"arguments":{"name":"${name}","arguments":{"user":"ann","password":"[sensitive]"}}`,
  );
});

test('nor what a call has that could not become one of a tool', async () => {
  const { server, seen } = await searched([login]);
  const wire = StatelessWire.of(server, 'ann');
  for (const given of [
    { name: 'logn', arguments: args },
    { name: 7, arguments: args },
    { arguments: args },
    { name: 'login', arguments: [secret] },
    { name: 'login', arguments: { ...args, and: secret } },
    { name: 'login', arguments: args, and: secret },
  ])
    await wire.call('call_tool', given);
  expectHidden(seen);
});

test('nor what the tool of a server behind marks', async () => {
  const upstream = await boot({ services: [], rateLimit: false });
  upstream.tools.add(login);
  const behind = await serveHttp(upstream, { port: 0, signals: false });
  open.push({ close: () => behind.close() }, upstream);
  const { server, seen } = await searched([]);
  await mountServer(server, 'up', { url: behind.url });
  const { result } = await StatelessWire.of(server, 'ann').call('call_tool', {
    name: 'login',
    arguments: args,
  });
  expect(JSON.stringify(result)).toContain(answer);
  expectHidden(seen);
});
