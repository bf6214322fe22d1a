import { Timeout } from '@toolwright/core';
import { setImmediate as turn } from 'node:timers/promises';
import { serveHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';
import { LegacyClient } from '../support/legacy-client.js';
import { call, send } from '../support/wire.js';

const MONTH = '30d';
const text = ({ json, events }: Awaited<ReturnType<typeof send>>) =>
  (json ?? events.at(-1)).result.content[0].text as string;

// A timer of JavaScript with a longer delay than 2^31 - 1 milliseconds ends at once.
test.each([MONTH, 2 ** 31, Infinity] as const)('a call may work for %s', async (limit) => {
  const { server } = await createFixture({ timeout: MONTH });
  const handler = async () => {
    for (let turns = 0; turns < 20; turns++) await turn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return 'done';
  };
  server.tools.add({ name: 'slow', description: 'Works.', handler, policies: [Timeout.entry(limit)] });
  server.tools.add({ name: 'usual', description: 'Works.', handler });
  const service = await serveHttp(server, { port: 0, signals: false });
  const answers = await Promise.all([send(service.url, call('slow')), send(service.url, call('usual'))]);
  await service.close();
  expect(answers.map(text)).toEqual(['done', 'done']);
});

test.each([MONTH, Infinity] as const)('a grace of %s lets running calls finish', async (grace) => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const { server, gates } = await createFixture({
    sessions: { idle: grace, lifetime: grace, answerTimeout: grace },
    tasks: { ttl: grace, unservedTimeout: grace },
  });
  const service = await serveHttp(server, {
    port: 0,
    signals: false,
    grace,
    keepAlive: grace,
    drainDelay: 0,
  });
  const session = await LegacyClient.connect(service.url, '2025-11-25');
  const answers = [
    send(service.url, call('hold', { gate: 'a' })),
    session.request('tools/call', { name: 'hold', arguments: { gate: 'b' } }),
  ];
  while (gates.entered.length < 2) await turn();
  const closing = service.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(gates.aborted).toEqual([]);
  gates.open('a');
  gates.open('b');
  expect((await Promise.all(answers)).map(text)).toEqual(['through a', 'through b']);
  await closing;
  // Node.js would make one millisecond of a longer time.
  const delays = timers.mock.calls.map(([, delay]) => delay ?? 0);
  timers.mockRestore();
  expect(Math.max(...delays)).toBeLessThan(2 ** 31);
});
