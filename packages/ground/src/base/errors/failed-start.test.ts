import { createConnection } from 'node:net';
import { ConfigurationError, describeFailedStart } from './configuration-error.js';

/** What Node.js gives when a name has several addresses and nothing listens at any of them. */
const refused = async (): Promise<Error> => {
  const socket = createConnection({ port: 1, host: 'localhost', autoSelectFamily: true });
  return new Promise((resolve) => socket.once('error', resolve));
};

test('a refused connection without a message of its own is told with its addresses and what to do', async () => {
  const gathered = new AggregateError([await refused(), await refused()], '');
  const text = describeFailedStart(gathered);
  expect(text).toMatch(/^connect ECONNREFUSED (127\.0\.0\.1|::1):1/);
  expect(text).toContain('Nothing listens there: start it, or correct the address.');
  expect(text).not.toContain('node:net');
});

test('a failure of a service names the place in the code of the application, and all causes', () => {
  const cause = new Error('the queue has no name', { cause: new RangeError('7 is too many') });
  const problem = {
    code: 'TW_SERVICE_START',
    message: 'Queue could not be built',
    fix: 'Repair it.',
  } as const;
  const text = describeFailedStart(new ConfigurationError([problem], { cause }));
  expect(text).toContain('TW_SERVICE_START: Queue could not be built');
  expect(text).toMatch(/Cause: Error: the queue has no name\n\s+at .*failed-start\.test\.ts:\d+:\d+/);
  expect(text).toMatch(/Cause: RangeError: 7 is too many\n/);
});

test('what was thrown and is no error is told as it is', () => {
  expect(describeFailedStart('no luck')).toBe('no luck');
  expect(describeFailedStart(undefined)).toBe('undefined');
});

test('a cause that is its own cause ends', () => {
  const error = new Error('round');
  error.cause = error;
  expect(describeFailedStart(error).match(/Error: round/g)).toHaveLength(6);
});

test('an error of the configuration that nobody catches shows its problems and the code of the application alone', () => {
  const problem = { code: 'TW_SERVICE_START', message: 'Queue has no name', fix: 'Name it.' } as const;
  const { stack = '', message } = new ConfigurationError(problem);
  expect(stack.startsWith(`ConfigurationError: ${message}\n`)).toBe(true);
  const frames = stack.slice(stack.indexOf(message) + message.length + 1).split('\n');
  expect(frames[0]).toMatch(/^ +at .*failed-start\.test\.ts:\d+:\d+\)?$/);
  // Those of Jest are of a package, as those of an installed core are.
  expect(frames.filter((frame) => /node_modules|node:/.test(frame))).toEqual([]);
});
