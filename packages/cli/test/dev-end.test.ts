import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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

  const forked = async (dev: string | undefined) => {
    project.write('app.cjs', 'setTimeout(() => process.exit(7), 1_000);');
    const app = fork(project.path('app.cjs'), {
      execArgv: ['--require', join(__dirname, '../dist/dev/child/preload.js')],
      env: { ...process.env, TOOLWRIGHT_DEV: dev },
    });
    return once(app, 'exit');
  };

  test('an app that starts when dev has been killed does not run', async () => {
    const dead = spawnSync(process.execPath, ['--version']).pid;
    expect(await forked(String(dead))).toEqual([0, null]);
  });

  test('a process of the app without its variables runs', async () => {
    expect(await forked(undefined)).toEqual([7, null]);
  });
});

test('a name of "paths" that Node.js does not find is named, with what to write', async () => {
  const other = new DevProject();
  const tsconfig = JSON.parse(other.read('tsconfig.json'));
  tsconfig.compilerOptions.paths = { '@lib/*': ['./src/lib/*'] };
  other.write('tsconfig.json', JSON.stringify(tsconfig));
  other.write('src/lib/one.ts', 'export const one = 1;');
  other.edit('src/main.ts', 'void main();', "import { one } from '@lib/one';\nif (one) void main();");
  const started = new DevProcess(other);
  await started.says(/Node\.js does not find @lib\/one\. Write it under "imports" of package\.json/);
  await started.stop('SIGKILL');
  other.remove();
});
