import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../../.ci/test/support/free-port.js';

const clusters = join(__dirname, '../../../../node_modules/.cache/toolwright-test-clusters');

/** The folder with `initdb` and `postgres`, or undefined when none is installed. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, 'bin'))
    : [];
  const folders = [...versions, ...(process.env.PATH ?? '').split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** A Postgres server of a test's own: fresh cluster, free port, loopback only. */
export class PostgresServer {
  #server!: ChildProcess;

  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(programs: string): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'test-postgres-'));
    const user = ordinaryUser();
    if (user) chownSync(folder, user.uid, user.gid);
    const server = new PostgresServer(programs, folder, await freePort());
    makeCluster(programs, folder);
    await server.launch();
    return server;
  }

  get url(): string {
    return this.urlOf('tester');
  }

  urlOf(user: string, database = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Ends all connections at once. */
  async halt(): Promise<void> {
    const exited = new Promise((resolve) => this.#server.once('exit', resolve));
    this.#server.kill('SIGINT');
    await exited;
  }

  /** Crashes: the next start recovers. */
  async kill(): Promise<void> {
    const exited = new Promise((resolve) => this.#server.once('exit', resolve));
    this.#server.kill('SIGQUIT');
    await exited;
  }

  /** Starts again, with the same data. */
  async launch(): Promise<void> {
    const args = ['-D', join(this.folder, 'cluster'), '-p', String(this.port), '-h', '127.0.0.1'];
    this.#server = spawn(join(this.programs, 'postgres'), [...args, '-k', this.folder, '-F'], {
      ...ordinaryUser(),
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await readyLine(this.#server);
  }

  /** Stops all processes where they are. Connections stay open, but nobody answers. */
  pause(): void {
    for (const pid of this.#pids()) process.kill(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of this.#pids()) process.kill(pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The server, and the process of each of its connections, which has a group of its own. */
  #pids(): number[] {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const pairs = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    const children = pairs.filter(([, parent]) => parent === this.#server.pid).map(([pid]) => pid!);
    return [this.#server.pid!, ...children];
  }
}

/** Making a cluster takes a second of the processor, and copying one a tenth. So the suites of a clone share the first. */
function makeCluster(programs: string, folder: string): void {
  const cluster = join(folder, 'cluster');
  const user = ordinaryUser();
  const first = join(clusters, `${programs.replaceAll(/\W/g, '-')}-${user?.uid ?? 'own'}`);
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);
  if (existsSync(first)) return void copy(first, cluster);
  const words = ['-D', cluster, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(join(programs, 'initdb'), words, { ...user, cwd: folder, stdio: 'ignore' });
  mkdirSync(clusters, { recursive: true });
  const shared = mkdtempSync(`${first}-`);
  copy(cluster, join(shared, 'cluster'));
  try {
    renameSync(join(shared, 'cluster'), first);
  } catch {
    // Another suite was faster.
  }
  rmSync(shared, { recursive: true });
}

/** Postgres refuses to run as root: "nobody" will do. Undefined when the tests do not run as root. */
export function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function readyLine(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${output}`)));
    server.stderr!.on('data', (data: Buffer) => {
      output += data.toString();
      if (output.includes('ready to accept connections')) resolve();
    });
  });
}
