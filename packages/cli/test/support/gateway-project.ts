import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programs } from './project-folder.js';
import { SmallProject } from './small-project.js';

/** A server of somebody else. It says of its tool what a file says, so that it can change over night. */
const upstream = `
const { createMcpServer } = require('@toolwright/core');
const { serveStdio } = require('@toolwright/stdio');
const { readFileSync } = require('node:fs');
(async () => {
  const server = await createMcpServer({ name: 'bank', version: '2.1.0', services: [] });
  for (const tool of JSON.parse(readFileSync(__dirname + '/tools.json', 'utf8')))
    server.tools.add({ ...tool, handler: () => 'paid ' + process.env.ACCOUNT });
  await serveStdio(server);
})();
`;
export const pay = { name: 'pay', description: 'Pays.', annotations: { openWorldHint: true } };
/** A file of a host. */
export const config = (more: object = {}, gateway?: object) => ({
  mcpServers: {
    bank: {
      type: 'stdio',
      command: process.execPath,
      args: ['${PLACE:-.}/upstream.cjs'],
      env: { ACCOUNT: '${ACCOUNT:-main}' },
      prefix: 'bank_',
      ...more,
    },
  },
  ...(gateway && { gateway }),
});

/** The folder of a security team: a configuration file, and a server that it did not write. */
export class GatewayProject extends SmallProject {
  #served: ChildProcess | undefined;

  constructor() {
    super({
      'package.json': { name: 'security-team' },
      'upstream.cjs': upstream,
      'tools.json': [pay],
      'mcp.json': config(),
    });
    this.install({ '@toolwright/mount': 'packages/mount' });
  }

  writeJson(file: string, value: unknown): void {
    this.write(file, JSON.stringify(value, null, 2));
  }

  /** Starts the gateway, as production would. @returns its first line */
  async serve(): Promise<string> {
    return (await this.serveLines(1))[0]!;
  }

  /** Starts it on any free port. @returns the first lines that it prints */
  serveLines(wanted: number, ...options: string[]): Promise<string[]> {
    return this.serveAsFiled(wanted, '--port', '0', ...options);
  }

  /** Starts it on the port of the file. */
  async serveAsFiled(wanted: number, ...options: string[]): Promise<string[]> {
    const words = [programs.toolwright, 'serve', 'mcp.json', ...options];
    const served = spawn(process.execPath, words, {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#served = served;
    const lines: string[] = [];
    for await (const line of createInterface(served.stdout)) if (lines.push(line) === wanted) return lines;
    throw new Error(`It ended with ${served.exitCode}: ${String(served.stderr.read())}`);
  }

  async stop(): Promise<void> {
    if (this.#served?.exitCode === null && this.#served.kill('SIGTERM')) await once(this.#served, 'exit');
    this.#served = undefined;
  }

  override async leave(): Promise<void> {
    await this.stop();
    await super.leave();
  }
}

export const urlIn = (line: string): string => /http\S+/.exec(line)![0];
