import { AppProcess } from './app-process.js';
import { HeldPorts } from './held-ports.js';

const nothing = () => undefined;
const events = {
  listening: nothing,
  serving: nothing,
  settled: nothing,
  unserved: nothing,
  follow: nothing,
  inside: nothing,
};

test('a process that has ended is not waited for when modules are exchanged or folders read', async () => {
  const ports = new HeldPorts();
  // Node.js says its version, and loads no app.
  const command = { entry: '--version', args: [], directory: '/', cwd: '/', watched: undefined };
  const app = new AppProcess(command, ports, events);
  app.streams.output.resume();
  expect(await app.exited).toBe(0);
  expect(await app.swap([], [])).toEqual({ is: 'impossible', message: 'the app has ended' });
  expect(await app.readAgain(['/skills'])).toEqual({ is: 'ended' });
  ports.close();
});
