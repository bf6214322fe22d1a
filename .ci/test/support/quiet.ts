import { format } from 'node:util';

/**
 * Jest loads this file before each test file. A test that prints something fails, because a green run must print no
 * stack and no warning: otherwise nobody sees the one that matters. A test that expects output gives the server a
 * logger, or replaces the function that prints: `jest.spyOn(console, 'error')`.
 */
const printed: string[] = [];

for (const method of ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const)
  console[method] = (...values: unknown[]) => void printed.push(`${format(...values)}\n`);

// The streams themselves are left alone: Jest reports there. Only the `process` of the tests has these.
for (const name of ['stdout', 'stderr'] as const) {
  const write = (chunk: string | Uint8Array) => printed.push(Buffer.from(chunk).toString()) > 0;
  const stream: unknown = Object.create(process[name], { write: { value: write, writable: true } });
  Object.defineProperty(process, name, { value: stream, configurable: true });
}

const fail = () => {
  if (printed.length === 0) return;
  throw new Error(`A green run prints nothing, and this was printed:\n${printed.splice(0).join('')}`);
};

afterEach(fail);
afterAll(fail);
