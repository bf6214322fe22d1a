import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { serveLegacy } from './support/legacy-upstream.js';
import { createGateway, createUpstream, serveUpstream } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

const open = closedAfterEach();

async function clientOf(server: McpServer, options: object = {}) {
  const client = await connect(server, options as never);
  open.push(client);
  return client;
}

test('a server that is away at boot is tried again, and its tools come when it does', async () => {
  const port = await freePort();
  const gateway = await createGateway();
  open.push(gateway);
  const mount = await mountServer(gateway, 'up', { url: `http://127.0.0.1:${port}/mcp` });
  expect(mount.status()).toMatchObject({ state: 'down', operations: 0 });
  const client = await clientOf(gateway);
  const changes = await client.listen({ tools: true });
  const { served } = await serveUpstream(await createUpstream(), port);
  open.push(served);
  await changes.next();
  expect(await client.callText('echo', { text: 'hi' })).toBe('hi');
  expect(mount.status()).toMatchObject({ state: 'up' });
});

test('a required server that is away fails the boot', async () => {
  const gateway = await createGateway();
  open.push(gateway);
  const url = `http://127.0.0.1:${await freePort()}/mcp`;
  await expect(mountServer(gateway, 'up', { url, required: true })).rejects.toThrow('required');
  expect((await gateway.operate('test').state()).mounts).toEqual([]);
});

test('calls wait while a server restarts, whatever they do: nothing was sent', async () => {
  const { served, url } = await serveUpstream(await createUpstream());
  const gateway = await createGateway();
  open.push(gateway);
  const mount = await mountServer(gateway, 'up', { url });
  const client = await clientOf(gateway);
  await served.close();
  await until(() => mount.status().state === 'down');
  const calls = [client.callText('echo', { text: 'a' }), client.callText('work')];
  const again = await serveUpstream(await createUpstream(), served.port);
  open.push(again.served);
  expect(await Promise.all(calls)).toEqual(['a', 'done']);
});

test.each(['2026-07-28', '2025-11-25'])(
  'a session that the server has forgotten is opened again (%s)',
  async (revision) => {
    const upstream = await serveLegacy();
    const gateway = await createGateway();
    open.push(upstream, gateway);
    const mount = await mountServer(gateway, 'up', { url: upstream.url });
    const client = await clientOf(gateway, { revision });
    await client.call('keep', { word: 'a' });
    await upstream.forget();
    expect(await client.callText('keep', { word: 'b' })).toBe('1');
    expect(mount.status()).toMatchObject({ state: 'up', failures: 0 });
  },
);

describe('while a server is away for long', () => {
  async function away(whenDown: 'list' | 'hide') {
    const { served, url } = await serveUpstream(await createUpstream());
    let now = Date.now();
    const clock = {
      now: () => now,
      after(ms: number, run: () => void) {
        const timer = setTimeout(run, ms);
        timer.unref();
        return () => clearTimeout(timer);
      },
    };
    const gateway = await createGateway({ ports: { clock } });
    open.push(gateway);
    const mount = await mountServer(gateway, 'up', { url, whenDown });
    const client = await clientOf(gateway);
    await served.close();
    await until(() => mount.status().state === 'down');
    now += 60_000;
    return { client, gateway, mount, port: served.port };
  }

  test('its tools stay listed, and say at once what is wrong', async () => {
    const { client, mount } = await away('list');
    expect((await client.request('tools/list', {}))['tools']).not.toEqual([]);
    const result = await client.call('echo', { text: 'a' });
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0]).toMatchObject({
      text: expect.stringContaining('("up") cannot be reached') as string,
    });
    expect(mount.status().error).toBeDefined();
  });

  test('with "hide", its tools leave, and come back with it', async () => {
    const { client, port } = await away('hide');
    const changes = await client.listen({ tools: true });
    const tools = async () => (await client.request('tools/list', {}))['tools'] as unknown[];
    if ((await tools()).length > 0) await changes.next();
    expect(await tools()).toEqual([]);
    const again = await serveUpstream(await createUpstream(), port);
    open.push(again.served);
    while ((await tools()).length === 0) await changes.next();
    expect(await client.callText('echo', { text: 'a' })).toBe('a');
  });
});

test('a slow or dead server does not slow another one', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => (silent.closeAllConnections(), silent.close()) });
  const gateway = await createGateway();
  open.push(gateway);
  const { port } = silent.address() as AddressInfo;
  const slow = mountServer(gateway, 'slow', {
    url: `http://127.0.0.1:${port}/mcp`,
    limits: { answerMs: 200 },
  });
  const { served, url } = await serveUpstream(await createUpstream());
  open.push(served);
  await mountServer(gateway, 'up', { url });
  const client = await clientOf(gateway);
  expect(await client.callText('echo', { text: 'a' })).toBe('a');
  expect((await slow).status()).toMatchObject({ state: 'down' });
});

test('a call that is cancelled is cancelled at the server, too', async () => {
  const upstream = await createUpstream();
  let ended!: (reason: unknown) => void;
  const aborted = new Promise((resolve) => (ended = resolve));
  let begun!: () => void;
  const running = new Promise<void>((resolve) => (begun = resolve));
  upstream.tools.add({
    name: 'hang',
    description: 'Waits.',
    handler: (_args, { signal }) => {
      signal.addEventListener('abort', () => ended('aborted'));
      begun();
      return aborted;
    },
  });
  const { served, url } = await serveUpstream(upstream);
  const gateway = await createGateway();
  open.push(served, gateway);
  await mountServer(gateway, 'up', { url });
  const client = await clientOf(gateway);
  const cancel = new AbortController();
  const call = client.call('hang', {}, { signal: cancel.signal }).catch(() => 'cancelled');
  await running;
  cancel.abort();
  expect(await call).toBe('cancelled');
  expect(await aborted).toBe('aborted');
});

test('an answer that takes longer than its mount allows is given up', async () => {
  const upstream = await createUpstream();
  upstream.tools.add({
    name: 'hang',
    description: 'Waits.',
    handler: (_args, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
  });
  const { served, url } = await serveUpstream(upstream);
  const gateway = await createGateway();
  open.push(served, gateway);
  await mountServer(gateway, 'up', { url, limits: { answerMs: 600 } });
  const client = await clientOf(gateway);
  expect(await client.call('hang')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('did not answer in time') as string }],
  });
});
