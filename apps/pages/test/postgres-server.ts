import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

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
  private constructor(
    readonly url: string,
    private readonly server: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(programs: string): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'pages-postgres-'));
    const user = ordinaryUser();
    if (user) chownSync(folder, user.uid, user.gid);
    const cluster = join(folder, 'cluster');
    const options = { ...user, cwd: folder };
    execFileSync(
      join(programs, 'initdb'),
      ['-D', cluster, '-U', 'pages', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      {
        ...options,
        stdio: 'ignore',
      },
    );
    const port = await freePort();
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', cluster, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await readyLine(server);
    return new PostgresServer(`postgres://pages@127.0.0.1:${port}/postgres`, server, folder);
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.kill('SIGINT');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Postgres refuses to run as root: "nobody" will do. Undefined when the tests do not run as root. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
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
