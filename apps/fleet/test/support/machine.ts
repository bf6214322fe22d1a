import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool } from '../../src/load/wire.js';
import { Child } from '../../src/processes/child.js';

const PROGRAM = join(__dirname, '..', '..', 'dist', 'machine.js');

/** Workers of one machine, in processes of their own. */
export class Machine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'toolwright-machine-'));
  readonly #agents: Agent[] = [];
  #child!: Child;

  /** @param limits commands of the shell that come first, such as `ulimit -n 60` */
  static async start(environment: NodeJS.ProcessEnv = {}, limits = 'true'): Promise<Machine> {
    const machine = new Machine();
    const script = `${limits}; exec "$0" "$1"`;
    machine.#child = await Child.start('/bin/sh', ['-c', script, process.execPath, PROGRAM], {
      env: { ...process.env, PORT: '0', AUDIT_FILE: machine.auditFile, ...environment },
      ready: /^machine listening on/,
    });
    return machine;
  }

  get auditFile(): string {
    return join(this.#folder, 'audit.jsonl');
  }

  /** The process id of the primary process. */
  get pid(): number {
    return this.#child.pid;
  }

  get url(): string {
    return this.#said(/listening on (\S+)/)!;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The process ids of the first workers. */
  get pids(): number[] {
    return this.#said(/pids (.+)$/m)!
      .split(' ')
      .map(Number);
  }

  get output(): string {
    return this.#child.output;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** What it says of itself on a path such as `/readyz`. */
  async state(path: string): Promise<{ code: number; state: Record<string, unknown> }> {
    const answer = await fetch(new URL(path, this.url), { headers: { Connection: 'close' } });
    return { code: answer.status, state: (await answer.json()) as Record<string, unknown> };
  }

  /** A new connection to a worker. The primary process gives connections to the workers in turn. */
  async lineTo(worker: number): Promise<Agent> {
    for (;;) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      this.#agents.push(agent);
      const { message } = await callTool(this.url, 'whoami', {}, { agent });
      const { instance } = message!.result!.structuredContent as { instance: string };
      if (instance === `worker-${worker}`) return agent;
      agent.destroy();
    }
  }

  /**
   * Does something again in which a worker did not hear from the primary process in time, because the machine was
   * busy: the worker then counts for itself, and says so.
   */
  async whileWorkersAnswer<T>(what: () => Promise<T>): Promise<T> {
    const late = () => this.output.split('does not answer').length;
    for (;;) {
      const before = late();
      const result = await what();
      if (late() === before) return result;
    }
  }

  /** Resolves when the primary process has ended. */
  get exited(): Promise<void> {
    return this.#child.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.signal(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#child.end(signal);
    for (const agent of this.#agents) agent.destroy();
  }

  /** Removes what it has recorded. */
  forget(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #said(pattern: RegExp): string | undefined {
    return pattern.exec(this.output)?.[1];
  }
}
