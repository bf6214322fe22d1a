import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const app = join(__dirname, '../..');
const execute = promisify(execFile);

interface AppOptions {
  /** One of the configs. */
  tsconfig?: string;
  type?: 'commonjs' | 'module';
  runners?: boolean;
}

/** A copy of the shared app outside the repository, so that no build sees the files of another one. */
export class AppFolder {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-toolchains-')));

  /** @param runners add the tests and the configs of test runners */
  constructor({ tsconfig = 'tsconfig.json', type = 'module', runners = false }: AppOptions) {
    cpSync(join(app, 'src'), this.path('src'), { recursive: true });
    cpSync(join(app, 'config'), this.folder, { recursive: true });
    if (tsconfig !== 'tsconfig.json') cpSync(join(app, 'config', tsconfig), this.path('tsconfig.json'));
    if (runners) cpSync(join(app, 'test/fixtures/runners'), this.folder, { recursive: true });
    symlinkSync(join(app, 'node_modules'), this.path('node_modules'), 'dir');
    writeFileSync(this.path('package.json'), JSON.stringify({ name: 'toolchains-app', type }));
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** @throws with everything that it printed, if it fails */
  node(...words: string[]): Promise<string> {
    return this.run({ words });
  }

  /** @throws with everything that it printed, if it fails */
  async run({ program = process.execPath, words, env = {} }: Command): Promise<string> {
    const { stdout, stderr } = await execute(program, words, {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], ...env },
    }).catch((error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${words.join(' ')}\n${stdout}${stderr}`);
    });
    return stdout + stderr;
  }

  /** Removes what the toolchains have built. */
  empty(): void {
    for (const name of ['dist', 'out']) rmSync(this.path(name), { recursive: true, force: true });
  }

  manifest(): Promise<string> {
    return this.node('node_modules/@toolwright/cli/bin/toolwright.js', 'build');
  }

  /** Starts the app on standard input, asks, and returns the results in order. */
  async ask(
    start: readonly string[],
    requests: readonly { method: string; params: object }[],
  ): Promise<unknown[]> {
    const child = spawn(process.execPath, start, { cwd: this.folder, env: { PATH: process.env['PATH'] } });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    const lines = [
      { id: 0, method: 'initialize', params: opening },
      { method: 'notifications/initialized' },
      ...requests.map((request, index) => ({ id: index + 1, ...request })),
    ];
    child.stdin.on('error', () => undefined);
    child.stdin.end(lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''));
    await ended;
    const answers = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Answer]));
    return requests.map((_, index) => {
      const answer = answers.find(({ id }) => id === index + 1);
      if (!answer?.result) throw new Error(`${JSON.stringify(answer)}\n${err}`);
      return answer.result;
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** What is run in the folder; without a program, this Node.js. */
interface Command {
  program?: string;
  words: string[];
  /** Nothing else of the environment is passed on: the variables of Jest would confuse another runner. */
  env?: Record<string, string>;
}

interface Answer {
  id?: number;
  result?: unknown;
}

const opening = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
