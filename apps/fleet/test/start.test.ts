import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { callTool } from '../src/load/wire.js';
import { missingPrograms, missingText } from '../src/processes/find-program.js';

/** The compiled program that `npm start` runs. */
class StartCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  #tell = () => {};

  constructor(environment: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, [join(__dirname, '../dist/main.js')], {
      env: { ...process.env, PORT: '0', ...environment },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      createInterface(stream).on('line', (line) => {
        this.lines.push(line);
        this.#tell();
      });
  }

  /** Waits for the line that matches. Lines before `from` do not count. */
  async says(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    for (;;) {
      for (const line of this.lines.slice(from)) {
        const match = pattern.exec(line);
        if (match) return match;
      }
      await new Promise<void>((resolve) => (this.#tell = resolve));
    }
  }

  async ends(): Promise<unknown> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const missing = missingPrograms();
const title =
  'The start command tells what runs where, starts again what died, and stops everything on SIGTERM';

if (missing.length > 0 && process.env.REQUIRE_ALL !== '1') {
  it(`${title}: not tried. ${missingText(missing)}`, () => expect(missingPrograms()).not.toEqual([]));
} else {
  it(title, async () => {
    const command = new StartCommand({ FLEET_REPLICAS: '2', FLEET_WORKERS: '1' });
    try {
      const [, url] = await command.says(/^fleet listening on (\S+)$/);
      const part = /^(redis|postgres|replica 1|replica 2|balancer|worker 1)(?: at \S+)? pid (\d+)$/;
      const heard = () => command.lines.map((line) => part.exec(line)).filter((match) => match !== null);
      expect(new Set(heard().map(([, name]) => name)).size).toBe(6);
      expect((await callTool(url!, 'whoami', {})).status).toBe(200);

      const lines = command.lines.length;
      const first = Number((await command.says(/^replica 1 at \S+ pid (\d+)$/))[1]);
      process.kill(first, 'SIGKILL');
      const again = Number((await command.says(/^replica 1 at \S+ pid (\d+)$/, lines))[1]);
      expect(again).not.toBe(first);

      command.child.kill('SIGTERM');
      expect(await command.ends()).toBe(0);
      expect(heard().filter(([, , pid]) => isAlive(Number(pid)))).toEqual([]);
    } finally {
      command.child.kill('SIGKILL');
    }
  });
}

it('A number of replicas that cannot be is refused before anything is started', async () => {
  const command = new StartCommand({ FLEET_REPLICAS: 'many' });
  expect(await command.ends()).toBe(1);
  expect(command.lines).toEqual([
    'fleet cannot start. FLEET_REPLICAS: expected a number from 1 to 16, received "many".',
  ]);
});
