import { createMcpServer } from '@toolwright/core';
import { createFixture } from '../../http/test/support/fixture.js';
import { LegacyClient } from '../../http/test/support/legacy-client.js';
import { call, send } from '../../http/test/support/wire.js';
import { mcpFastify } from '../src/index.js';
import { callEcho, closeApps, createApp, serveApp } from './support/apps.js';

afterEach(closeApps);

function loggingApp() {
  const lines: string[] = [];
  const app = createApp({ logger: { level: 'info', stream: { write: (line) => void lines.push(line) } } });
  return { app, messages: () => lines.map((line) => JSON.parse(line) as { level: number; msg: string }) };
}

test('a server that the plugin makes logs with the logger of the app', async () => {
  const { app, messages } = loggingApp();
  app.register(mcpFastify, {
    server: { name: 'x', version: '1', services: [] },
    principal: () => {
      throw new Error('not today');
    },
  });
  await send(await serveApp(app), { ...call('echo'), path: '/mcp' });
  expect(messages()).toEqual(
    expect.arrayContaining([expect.objectContaining({ level: 50, msg: 'The MCP endpoint failed.' })]),
  );
});

test('such a server may have a logger of its own', async () => {
  const { app, messages } = loggingApp();
  const own: string[] = [];
  const write = (_fields: object, message: string) => void own.push(message);
  app.register(mcpFastify, {
    server: {
      name: 'x',
      version: '1',
      services: [],
      logger: { debug: write, info: write, warn: write, error: write },
    },
    principal: () => Promise.reject(new Error('not today')),
  });
  await send(await serveApp(app), { ...call('echo'), path: '/mcp' });
  expect(own).toContain('The MCP endpoint failed.');
  expect(messages().map(({ msg }) => msg)).not.toContain('The MCP endpoint failed.');
});

test('such a server is closed with the app, and a server that was given is only drained', async () => {
  const closed: string[] = [];
  // The stores of a server are closed with it.
  const options = (name: string) => ({
    ...{ name, version: '1', services: [] },
    stores: { close: () => void closed.push(name) },
  });
  const app = createApp();
  const given = await createMcpServer(options('given'));
  app.register(mcpFastify, { server: given });
  app.register(mcpFastify, { server: options('own'), path: '/own' });
  await app.ready();
  await app.close();
  expect(closed).toEqual(['own']);
  expect(given.protocol.draining).toBe(true);
  await given.close();
});

test('closing the app waits for running calls, and ends streams', async () => {
  const { server, gates } = await createFixture();
  const app = createApp();
  app.register(mcpFastify, { server });
  const url = `${await serveApp(app)}/mcp`;
  const legacy = await LegacyClient.connect(url, '2025-11-25');
  const stream = await legacy.stream();
  const held = send(url, call('hold', { gate: 'a' }));
  while (gates.entered.length === 0) await new Promise(setImmediate);
  const closed = app.close();
  await new Promise(setImmediate);
  gates.open('a');
  expect((await held).json.result.content[0].text).toBe('through a');
  await stream.ended();
  await closed;
  expect(server.protocol.load).toEqual({ sessions: 0, subscriptions: 0, requests: 0 });
});

test('what is wrong with the server or the options fails `app.ready`, under the name of the plugin', async () => {
  const { server } = await createFixture();
  const boots: [object, RegExp][] = [
    [{ server, alowedHosts: [] }, /"alowedHosts"[^]*'allowedHosts'[^]*Options of mcpFastify/],
    [{}, /"server"/],
    [{ server: { name: 'x', version: '1', servces: [] } }, /"servces"/],
  ];
  for (const [options, expected] of boots) {
    const app = createApp();
    app.register(mcpFastify, options as { server: typeof server });
    await expect(app.ready()).rejects.toThrow(expected);
  }
});

test('one app may serve several servers', async () => {
  const app = createApp();
  const [first, second] = [await createFixture(), await createFixture()];
  app.register(mcpFastify, { server: first.server, path: '/first' });
  app.register(mcpFastify, { server: second.server, path: '/second' });
  const url = await serveApp(app);
  for (const path of ['/first', '/second']) expect(await callEcho(url, path)).toBe(path);
});
