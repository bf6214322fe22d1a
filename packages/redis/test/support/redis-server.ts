import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../.ci/test/support/free-port.js';

/** What speaks the protocol of Redis. */
export type Kind = 'redis' | 'valkey';

const isInstalled = (kind: Kind) =>
  [`${kind}-server`, `${kind}-cli`].every((program) => spawnSync(program, ['--version']).error === undefined);

/** True when `redis-server` and `redis-cli` are installed, or must be. */
export const hasRedis = process.env.REQUIRE_ALL === '1' || isInstalled('redis');

/** Declares the tests for Redis and for Valkey. Not every system packs Valkey, so nothing requires it. */
export function describeWithEach(name: string, body: (kind: Kind) => void): void {
  describeWithRedis(`${name}, of Redis`, () => body('redis'));
  if (isInstalled('valkey')) return describe(`${name}, of Valkey`, () => body('valkey'));
  it(`${name}, of Valkey: was not tried, valkey-server is not installed here (Debian 13: apt-get install valkey-server)`, () => {
    expect(isInstalled('valkey')).toBe(false);
  });
}

/** Declares the tests, with a server that all of them share, or says why they were not tried. */
export function describeWithRedis(name: string, body: (server: RedisServer) => void): void {
  describe(name, () => {
    if (hasRedis) {
      const server = new RedisServer();
      // A body without this parameter starts servers of its own.
      if (body.length > 0) beforeAll(() => server.start());
      body(server);
      afterAll(() => server.stop());
      return;
    }
    it('was not tried: redis-server is not installed here (Debian: apt-get install redis-server)', () => {
      expect(hasRedis).toBe(false);
    });
  });
}

/** A Redis server of a test's own: an empty folder, a free port, loopback only. */
export class RedisServer {
  #process: ChildProcess | undefined;
  #port = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), 'toolwright-redis-'));

  constructor(
    private readonly options: readonly string[] = [],
    private readonly kind: Kind = 'redis',
  ) {}

  /** @param options as on the command line of redis-server, such as `--appendonly yes` */
  static async start(...options: string[]): Promise<RedisServer> {
    return RedisServer.startKind('redis', ...options);
  }

  static async startKind(kind: Kind, ...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(options, kind);
    await server.start();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  /** Starts the server again, on its port and in its folder. Resolves when it has loaded its data. */
  async start(...more: string[]): Promise<void> {
    this.#port ||= await freePort();
    this.#port ||= await freePort();
    const port = ['--port', String(this.port)];
    const place = ['--bind', '127.0.0.1', '--dir', this.#folder, '--save', '', '--daemonize', 'no'];
    this.#process = spawn(`${this.kind}-server`, [...port, ...place, ...this.options, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await readyLine(this.#process);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** The server goes silent. Its connections stay open. */
  pause(): void {
    this.#process!.kill('SIGSTOP');
  }

  resume(): void {
    this.#process!.kill('SIGCONT');
  }

  /** What `redis-cli` prints. */
  cli(...command: string[]): string {
    return execFileSync(`${this.kind}-cli`, ['-h', '127.0.0.1', '-p', String(this.port), ...command], {
      encoding: 'utf8',
    }).trim();
  }

  /** The keys of the stores. The one that health writes is always there. */
  keys(): string[] {
    return this.cli('KEYS', '*')
      .split('\n')
      .filter((key) => key !== '' && key !== 'toolwright:health');
  }

  /** Ends the server as a crash would. */
  async kill(): Promise<void> {
    const ended = this.#process;
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
    const exit = once(ended, 'exit');
    ended.kill('SIGKILL');
    await exit;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function readyLine(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    server.once('error', reject);
    // It says why in its last lines, which come after its exit.
    server.once('close', (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)));
    server.stdout!.on('data', (data: Buffer) => {
      output += data.toString();
      if (output.includes('Ready to accept connections')) resolve();
    });
  });
}
