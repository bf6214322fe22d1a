import { watch } from 'chokidar';
import { CommandError, type Terminal, count, exitCodes, styleFor } from '@toolwright/operate/terminal';
import { ChangedFiles } from '../changes/changed-files.js';
import { DevApp } from '../dev/app/dev-app.js';
import type { ConsoleHost } from '../dev/console/console-host.js';
import { formatProblem } from '../dev/problem.js';
import type { SingleFile } from './single-file.js';

export interface RunOptions {
  readonly file: SingleFile;
  readonly args: readonly string[];
  readonly console?: ConsoleHost | undefined;
}

/** Serves one file, and serves it again after each edit that compiles. */
export class RunSession {
  readonly #app: DevApp;

  constructor(
    private readonly options: RunOptions,
    private readonly terminal: Terminal,
  ) {
    const { file, args } = options;
    this.#app = new DevApp({ directory: file.directory, args }, terminal, options.console);
    this.#app.entry = file.entry;
  }

  /**
   * @returns the exit code: 1 if the file has errors when it begins
   * @throws {CommandError} if the file has no decorated class when it begins
   */
  async run(stopped: Promise<void>): Promise<number> {
    const { file, console } = this.options;
    const ended = Promise.race([stopped.then(() => exitCodes.ok), this.#app.finished]);
    const changed = new ChangedFiles();
    const watcher = watch(file.file, { ignoreInitial: true });
    try {
      if (!(await this.#update())) return exitCodes.failed;
      watcher.on('all', (_event, path) => changed.add(path));
      while (typeof (await Promise.race([ended, changed.next()])) !== 'number') await this.#again();
      return await ended;
    } finally {
      changed.close();
      await Promise.all([this.#app.stop(), watcher.close(), console?.close()]);
    }
  }

  async #again(): Promise<void> {
    try {
      await this.#update();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.terminal.err(`${styleFor(this.terminal).red('error:')} ${error.message}`);
    }
  }

  /** @returns whether the newest text is served */
  async #update(): Promise<boolean> {
    const since = performance.now();
    const { problems, manifest } = await this.options.file.compile();
    this.options.console?.built({ problems, manifest, durationMs: performance.now() - since });
    for (const problem of problems) this.terminal.err(formatProblem(problem, this.terminal));
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    if (errors > 0) this.terminal.err(styleFor(this.terminal).red(`${count(errors, 'error')}.`));
    return errors === 0 && (await this.#app.restart(manifest, () => undefined));
  }
}
