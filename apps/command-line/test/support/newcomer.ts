import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A command that ran to its end. */
export interface RanCommand {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** An app that was started and has said that it is ready. */
export interface StartedApp {
  url: URL;
  /** What all commands have printed so far. */
  printed(): string;
  /** Ends it as Ctrl+C does: everything that was started, not npm alone. */
  stop(): Promise<void>;
}

/** Somebody with Node.js, npm, an empty folder and an empty cache, who has nothing else of ours. */
export class Newcomer {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'newcomer-')));
  /** Nothing gets through of what the test's own npm, pnpm and Jest have set. */
  readonly env: Record<string, string>;

  constructor(registry: string) {
    const config = join(this.home, '.npmrc');
    writeFileSync(config, `registry=${registry}\n`);
    this.env = {
      PATH: pathWithoutRepository(),
      HOME: this.home,
      npm_config_userconfig: config,
      npm_config_cache: join(this.home, '.cache'),
    };
  }

  /** @param folder below the home */
  run(folder: string, [command, ...words]: [string, ...string[]]): RanCommand {
    const cwd = join(this.home, folder);
    return spawnSync(command, words, { cwd, env: this.env, encoding: 'utf8', maxBuffer: 2 ** 24 });
  }

  /** @param script of the app that serves it */
  start(folder: string, env: Record<string, string> = {}, script = 'start'): Promise<StartedApp> {
    return this.type(folder, `npm run ${script}`, env);
  }

  /** Types commands, the last of which serves an app. */
  async type(folder: string, commands: string, env: Record<string, string>): Promise<StartedApp> {
    const shell = spawn('sh', ['-e', '-c', commands], {
      cwd: join(this.home, folder),
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const ended = once(shell, 'close');
    let printed = '';
    const url = await new Promise<URL>((resolve, reject) => {
      const look = (text: string) => {
        printed += text;
        const [, found] = / listening on (http\S+)\n/.exec(printed) ?? [];
        if (found !== undefined) resolve(new URL(found));
      };
      for (const output of [shell.stdout, shell.stderr]) output.setEncoding('utf8').on('data', look);
      shell.once('close', () => reject(new Error(`${commands} ended:\n${printed}`)));
    });
    const stop = async () => {
      process.kill(-shell.pid!, 'SIGINT');
      await ended;
    };
    return { url, printed: () => printed, stop };
  }

  leave(): void {
    rmSync(this.home, { recursive: true });
  }
}

/** Package managers put the programs of the repository there, which nobody new has. */
function pathWithoutRepository(): string {
  const repository = join(__dirname, '../../../..');
  const folders = process.env['PATH']!.split(delimiter);
  return folders.filter((folder) => !folder.startsWith(repository)).join(delimiter);
}
