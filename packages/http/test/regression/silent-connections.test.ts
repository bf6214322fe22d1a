import { once } from 'node:events';
import { connect } from 'node:net';
import { serveHttp } from '../../src/index.js';
import { createFixture } from '../support/fixture.js';

// Timers stand still in this file: a stop that waits for one never ends.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

test('a stop does not wait for connections without a request', async () => {
  const { server } = await createFixture();
  const service = await serveHttp(server, { port: 0, signals: false });
  const silent = connect(service.port, '127.0.0.1');
  await once(silent, 'connect');
  // The listener has accepted the silent connection when it answers over a later one.
  await (await fetch(new URL('/healthz', service.url))).text();
  const closed = once(silent.resume(), 'close');
  await service.close();
  await closed;
  expect(silent.bytesWritten).toBe(0);
});
