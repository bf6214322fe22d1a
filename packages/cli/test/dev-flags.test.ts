import { readFileSync } from 'node:fs';
import { WebSocket } from 'undici';
import { freePort } from '../src/dev/free-port.js';
import { DevProcess } from './support/dev-process.js';
import { DevProject } from './support/dev-project.js';

let project: DevProject;
let dev: DevProcess;
let main: string;

beforeEach(() => {
  project = new DevProject();
  main = readFileSync(project.path('src/main.ts'), 'utf8');
});
afterEach(async () => {
  await dev.stop('SIGKILL');
  project.remove();
});

const edit = (line: string) => project.write('src/main.ts', `${main}\n${line}\n`);

test('--env-file gives the app its variables; the last file counts, and what is set already stays', async () => {
  project.write('.env', 'FIRST=a\nBOTH="from .env"\nSET=no\n');
  project.write('.env.local', 'BOTH=from .env.local\n');
  edit(`console.error('variables:', process.env.FIRST, process.env.BOTH, process.env.SET);`);
  dev = new DevProcess(project, '--env-file', '.env', '--env-file', '.env.local', { env: { SET: 'yes' } });
  expect((await dev.says(/variables: (.*)/))[1]).toBe('a from .env.local yes');
});

test('--env-file that is missing ends the command', async () => {
  dev = new DevProcess(project, '--env-file', '.none');
  // Node.js 20 looks for this option of its own in all words of a command line.
  await dev.says(/There is no \.none, which --env-file names|\.none: not found/);
  expect(await dev.exited).toBeGreaterThan(0);
});

test('--inspect lets a debugger attach, after a restart, too; a debugger that is there holds nothing up', async () => {
  const port = await freePort();
  dev = new DevProcess(project, '--inspect', port);
  const [, place] = await dev.says(/Debugger listening on (ws:\S+)/);
  expect(new URL(place!).port).toBe(port);
  await dev.url();
  const socket = new WebSocket(place!);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const gone = new Promise((resolve) => socket.addEventListener('close', resolve));
  edit(`console.error('restarted');`);
  await dev.says(/Debugger listening on ws:/);
  await dev.says(/restarted/);
  await gone;
  expect(dev.printed).not.toContain('Waiting for the debugger');
});

test('an entry behind --inspect is no address', async () => {
  dev = new DevProcess(project, '--inspect', 'src/main.ts');
  await dev.says(/It is a port, or host:port\. The entry stands before --inspect/);
  expect(await dev.exited).toBe(2);
});
