import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** A command that ran to its end. */
export interface RanCommand {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** An app that was started and has said that it is ready. */
export interface StartedApp {
  url: URL;
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
  async start(folder: string, env: Record<string, string> = {}, script = 'start'): Promise<StartedApp> {
    const npm = spawn('npm', ['run', script], {
      cwd: join(this.home, folder),
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const ended = once(npm, 'exit');
    const stop = async () => {
      process.kill(-npm.pid!, 'SIGINT');
      await ended;
    };
    for await (const line of createInterface(npm.stdout)) {
      const [, url] = / listening on (http\S+)$/.exec(line) ?? [];
      if (url !== undefined) return { url: new URL(url), stop };
    }
    throw new Error(`npm run ${script} ended with ${npm.exitCode}.`);
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
