import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../../.ci/test/support/free-port.js';
import { ordinaryUser, type PostgresServer } from './postgres-server.js';

/** The program, or undefined when it is not installed. Debian keeps it where an ordinary user does not look. */
export function findPgBouncer(): string | undefined {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file));
}

/** A PgBouncer of a test's own, which works by transaction: each may be served by another connection. */
export class PgBouncer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  /** @param connections how many connections it keeps to the server */
  static async start(program: string, server: PostgresServer, connections = 3): Promise<PgBouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'test-pgbouncer-'));
    const port = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    const user = ordinaryUser();
    const settings = `[databases]
postgres = host=127.0.0.1 port=${server.port} user=tester
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
server_round_robin = 1
`;
    writeFileSync(file, settings);
    if (user) chownSync(folder, user.uid, user.gid);
    const child = spawn(program, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
    const bouncer = new PgBouncer(child, folder, `postgres://tester@127.0.0.1:${port}/postgres`);
    await bouncer.#ready();
    return bouncer;
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }

  #ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      let output = '';
      this.process.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${output}`)));
      this.process.stderr!.on('data', (data: Buffer) => {
        output += data.toString();
        if (output.includes('process up')) resolve();
      });
    });
  }
}
