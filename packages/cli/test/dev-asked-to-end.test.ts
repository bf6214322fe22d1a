import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';

const { AppProcess } = jest.requireActual<typeof import('../src/dev/app/app-process.js')>(
  '../dist/dev/app/app-process.js',
);
const { HeldPorts } = jest.requireActual<typeof import('../src/dev/app/held-ports.js')>(
  '../dist/dev/app/held-ports.js',
);

const nothing = () => undefined;
const events = {
  listening: nothing,
  serving: nothing,
  settled: nothing,
  unserved: nothing,
  inside: nothing,
  follow: nothing,
};

let folder: string;
beforeAll(() => (folder = temporaryFolder()));

test.each(['linux', 'win32'] as const)(
  'an app of `dev` closes what it has open when it ends on %s',
  async (platform) => {
    const entry = join(folder, `${platform}.js`);
    writeFileSync(
      entry,
      `process.once('SIGTERM', () => { console.log('closed'); process.exit(0); }); setInterval(() => {}, 1000); console.log('up');`,
    );
    const ports = new HeldPorts();
    const command = { entry, args: [], directory: folder, cwd: folder, watched: undefined };
    const app = new AppProcess(command, ports, events);
    const lines = createInterface(app.streams.output)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('up');
    const stopped = app.stop(60_000, platform);
    expect((await lines.next()).value).toBe('closed');
    await stopped;
    expect(await app.exited).toBe(0);
    ports.close();
  },
);
