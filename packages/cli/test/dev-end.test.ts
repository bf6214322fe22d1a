import { connectTo } from '../src/remote/open-remote.js';
import { DevProcess } from './support/dev-process.js';
import { DevProject } from './support/dev-project.js';

let project: DevProject;
let dev: DevProcess;

beforeEach(() => {
  project = new DevProject();
  dev = new DevProcess(project);
});

afterEach(async () => {
  await dev.stop('SIGKILL');
  project.remove();
});

/** The process id of the app that dev runs. */
async function pidOfApp(): Promise<number> {
  const client = await connectTo(await dev.url(), {});
  return Number((await client.callText('take_time', { ms: 0 })).slice('process '.length));
}

describe('the end of dev', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the app too', async (signal) => {
    const pid = await pidOfApp();
    expect(await dev.stop(signal)).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('an app ends when dev ends, in whichever way', async () => {
    const pid = await pidOfApp();
    await dev.stop('SIGKILL');
    const runs = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    while (runs()) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
