import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ProjectFolder } from './project-folder.js';

/** The dependencies of small projects. */
const installed = {
  '@toolwright/core': 'packages/core',
  '@toolwright/express': 'packages/express',
  '@toolwright/http': 'packages/http',
  '@toolwright/stdio': 'packages/stdio',
  '@toolwright/testing': 'packages/testing',
  '@types/express': 'apps/existing-express/node_modules/@types/express',
  '@types/node': 'node_modules/@types/node',
  express: 'apps/existing-express/node_modules/express',
};

/** A project of a user. */
export class SmallProject extends ProjectFolder {
  private app: ChildProcess | undefined;

  /** @param files text by path; objects are written as JSON */
  constructor(files: Record<string, string | object>) {
    super();
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
      this.write(name, text);
    }
    this.install(installed);
  }

  /** @returns the URL in the first line that the program prints */
  async start(file: string): Promise<string> {
    this.app = spawn(process.execPath, [file], {
      cwd: this.folder,
      env: { PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(this.app.stdout!)) return /http\S+/.exec(line)![0];
    throw new Error(`${file} ended with ${this.app.exitCode}.`);
  }

  /** Also ends everything that was started. */
  async leave(): Promise<void> {
    if (this.app && this.app.exitCode === null) {
      this.app.kill('SIGKILL');
      await once(this.app, 'exit');
    }
    this.remove();
  }
}
