import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { install } from './install.js';

const app = join(__dirname, '../..');
/** The large packages are not part of the workspace. `pnpm proof:install` installs them. */
const proof = join(app, '../proof');

/** Whether Next.js and workerd can be tried. */
export const hasLarge = existsSync(join(proof, 'node_modules')) || process.env['REQUIRE_ALL'] === '1';

const execute = promisify(execFile);

/** What builds an app stays a link. It needs nothing of the app's packages. */
const tools = ['@types/node', '@types/react', 'next', 'react', 'react-dom', 'ts-loader', 'typescript'];

interface AppOptions {
  /** One of the configs. */
  tsconfig?: string;
  type?: 'commonjs' | 'module';
  runners?: boolean;
  /** The sources; by default those of the shared app. */
  sources?: string;
  /** Packages that are installed as npm does it, with no optional peer; by default all of this app are linked. */
  installed?: readonly string[];
}

/** A program of a package that this app has, and the copy may lack. */
export const program = (path: string) =>
  join(existsSync(join(app, 'node_modules', path)) ? app : proof, 'node_modules', path);

/** A copy of the shared app outside the repository, so that no build sees the files of another one. */
export class AppFolder {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-toolchains-')));

  /** @param runners add the tests and the configs of test runners */
  constructor({ tsconfig = 'tsconfig.json', type = 'module', runners = false, ...options }: AppOptions) {
    cpSync(options.sources ?? join(app, 'src'), this.path('src'), { recursive: true });
    cpSync(join(app, 'config'), this.folder, { recursive: true });
    if (tsconfig !== 'tsconfig.json') cpSync(join(app, 'config', tsconfig), this.path('tsconfig.json'));
    if (runners) cpSync(join(app, 'test/fixtures/runners'), this.folder, { recursive: true });
    if (options.installed) this.install(options.installed);
    else symlinkSync(join(app, 'node_modules'), this.path('node_modules'), 'dir');
    writeFileSync(this.path('package.json'), JSON.stringify({ name: 'toolchains-app', type }));
  }

  private install(names: readonly string[]): void {
    const modules = this.path('node_modules');
    install(names, { from: app, into: modules });
    mkdirSync(join(modules, '@types'), { recursive: true });
    for (const name of tools.filter((each) => existsSync(program(each))))
      symlinkSync(program(name), join(modules, name), 'dir');
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** @throws with everything that it printed, if it fails */
  node(...words: string[]): Promise<string> {
    return this.run({ words });
  }

  /** @throws with everything that it printed, if it fails */
  async run({ program: file = process.execPath, words, env = {} }: Command): Promise<string> {
    const { stdout, stderr } = await execute(file, words, {
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
    return this.node(program('@toolwright/cli/bin/toolwright.js'), 'build');
  }

  /** Runs a line of the documentation. `npx` finds the programs of this app. */
  shell(line: string): Promise<string> {
    const path = [...[app, proof].map((each) => join(each, 'node_modules/.bin')), process.env['PATH']].join(
      ':',
    );
    return this.run({ program: 'sh', words: ['-c', line.replace(/^npx /, '')], env: { PATH: path } });
  }

  /** Starts the app on standard input, asks, and returns the results in order. */
  async ask(
    start: readonly string[],
    requests: readonly { method: string; params: object }[],
    file = process.execPath,
  ): Promise<unknown[]> {
    const child = spawn(file, start, { cwd: this.folder, env: { PATH: process.env['PATH'] } });
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
