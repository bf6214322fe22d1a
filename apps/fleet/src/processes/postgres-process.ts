import { execFile, execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Child } from './child.js';
import { requireProgram } from './find-program.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);

/** A PostgreSQL server on a port of 127.0.0.1. */
export class PostgresProcess {
  #child: Child | undefined;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async start(folder: string): Promise<PostgresProcess> {
    const user = ordinaryUser();
    if (user) chownSync(folder, user.uid, user.gid);
    const cluster = ['-D', join(folder, 'cluster'), '-U', 'fleet', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    await run(requireProgram('initdb'), cluster, { ...user, cwd: folder });
    const postgres = new PostgresProcess(folder, await freePort());
    await postgres.launch();
    return postgres;
  }

  get url(): string {
    return `postgres://fleet@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.#child!.pid;
  }

  get exited(): Promise<void> {
    return this.#child!.exited;
  }

  /** Starts it again, on its port and with its data. */
  async launch(): Promise<void> {
    const place = ['-D', join(this.folder, 'cluster'), '-p', String(this.port), '-h', '127.0.0.1'];
    this.#child = await Child.start(requireProgram('postgres'), [...place, '-k', this.folder], {
      ...ordinaryUser(),
      cwd: this.folder,
      ready: /ready to accept connections/,
    });
  }

  /** Stops at once, and ends all connections. PostgreSQL calls this its fast shutdown. */
  async stop(): Promise<void> {
    await this.#child!.end('SIGINT');
  }
}

/** PostgreSQL refuses to run as root: the user "nobody" will do. Undefined when this process is not root. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
