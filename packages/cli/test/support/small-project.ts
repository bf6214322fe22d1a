import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(__dirname, '../../../..');
const command = join(root, 'packages/cli/bin/toolwright.js');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** What small projects depend on, as links to what is installed here. */
const installed: Record<string, string> = {
  '@toolwright/core': 'packages/core',
  '@toolwright/express': 'packages/express',
  '@toolwright/stdio': 'packages/stdio',
  '@toolwright/testing': 'packages/testing',
  '@types/express': 'apps/existing-express/node_modules/@types/express',
  '@types/node': 'node_modules/@types/node',
  express: 'apps/existing-express/node_modules/express',
};

/** A project of somebody else, in a folder of its own. */
export class SmallProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-project-')));
  private app: ChildProcess | undefined;

  /** @param files path to text; objects are written as JSON */
  constructor(files: Record<string, string | object>) {
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
      this.write(name, text);
    }
    for (const [name, target] of Object.entries(installed)) {
      const link = join(this.folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, target), link, 'dir');
    }
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** Undefined where there is no such file. */
  read(path: string): string | undefined {
    const file = join(this.folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  toolwright(...words: string[]) {
    return this.node(command, ...words);
  }

  compile() {
    return this.node(compiler, '-p', '.');
  }

  /** Jest would tell the runner of Node.js that it is a child of another one: nothing but the path gets through. */
  node(...words: string[]) {
    const options = { cwd: this.folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
    return spawnSync(process.execPath, words, options);
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

  async remove(): Promise<void> {
    if (this.app && this.app.exitCode === null) {
      this.app.kill('SIGKILL');
      await once(this.app, 'exit');
    }
    rmSync(this.folder, { recursive: true });
  }
}
