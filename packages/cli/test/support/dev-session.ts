import type { McpClient } from '@toolwright/client';
import { connectTo } from '../../src/remote/open-remote.js';
import { DevProcess } from './dev-process.js';
import { DevProject } from './dev-project.js';

/** A copy of the desk, the `toolwright dev` that serves it, and a client of that. */
export class DevSession {
  private constructor(
    readonly project: DevProject,
    readonly dev: DevProcess,
    readonly url: URL,
    readonly client: McpClient,
  ) {}

  static async start(...args: string[]): Promise<DevSession> {
    const project = new DevProject();
    const dev = new DevProcess(project, ...args);
    try {
      const url = await dev.url();
      return new DevSession(project, dev, url, await connectTo(url, {}));
    } catch (error) {
      await DevSession.stop(project, dev);
      throw error;
    }
  }

  /** The texts that the server finds now. */
  async find(query = 'milk'): Promise<unknown> {
    return (await this.client.call('find_notes', { query })).structuredContent;
  }

  end(): Promise<void> {
    return DevSession.stop(this.project, this.dev);
  }

  private static async stop(project: DevProject, dev: DevProcess): Promise<void> {
    await dev.stop('SIGKILL');
    project.remove();
  }
}
