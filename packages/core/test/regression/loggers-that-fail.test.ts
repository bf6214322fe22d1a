import { connect } from '@toolwright/testing';
import { lostWrites } from '@toolwright/json';
import type { Logger } from '../../src/ports.js';
import { boot } from '../support/booting.js';

// A collector of logs is away, or the worker of a transport has ended: the logger of the application rejects, or throws. An
// unhandled rejection is logged, so the server logged for ever and answered nobody; an error ended the process.

const loggerOf = (write: () => unknown): Logger =>
  Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, write])) as unknown as Logger;

test.each([
  ['rejects', () => Promise.reject(new Error('the collector is away'))],
  [
    'throws',
    () => {
      throw new Error('the worker has exited');
    },
  ],
])('a logger that %s loses its line, and the call is answered', async (_how, write) => {
  const unhandled: unknown[] = [];
  const hear = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', hear);
  const server = await boot({ logger: loggerOf(write) });
  server.tools.add({
    name: 'fail',
    description: 'Fail.',
    handler: () => {
      throw new Error('boom');
    },
  });
  const before = lostWrites();
  const client = await connect(server);
  expect(await client.call('fail', {})).toMatchObject({ isError: true });
  await client.close();
  await server.close(0);
  await new Promise(setImmediate);
  process.off('unhandledRejection', hear);
  expect(lostWrites()).toBeGreaterThan(before);
  expect(unhandled).toEqual([]);
});
