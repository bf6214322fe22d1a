import { realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import type { Logger } from '@toolwright/core/ports';
import { forgetModules, loadPlugin, type Services } from './load-plugin.js';

export interface PluginChanges {
  loaded: string[];
  unloaded: string[];
  /** There is something wrong with them; the log says what. */
  failed: string[];
}

type Server = Pick<McpServer, 'services'>;

/** A folder of packages whose services come and go while the server runs. */
export class PluginFolder {
  private readonly loaded = new Map<string, Services>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Makes the server serve what is in the folder now: plug-ins that are there are loaded anew, those that are gone are
   * unloaded. Their calls in flight come to an end first.
   */
  reload(server: Server): Promise<PluginChanges> {
    const next = this.turn.then(() => this.exchange(server));
    this.turn = next.catch(() => undefined);
    return next;
  }

  private async exchange(server: Server): Promise<PluginChanges> {
    const present = (await readdir(this.folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name);
    const before = [...this.loaded.keys()];
    for (const name of before) await this.unload(name, server);
    const changes: PluginChanges = {
      loaded: [],
      unloaded: before.filter((name) => !present.includes(name)),
      failed: [],
    };
    for (const name of present.sort())
      ((await this.load(name, server)) ? changes.loaded : changes.failed).push(name);
    return changes;
  }

  private async load(name: string, server: Server): Promise<boolean> {
    try {
      const directory = realpathSync(join(this.folder, name));
      forgetModules(directory);
      const services = loadPlugin(directory);
      await server.services.add(...services);
      this.loaded.set(name, services);
      return true;
    } catch (err) {
      // One plug-in that is broken, or takes the name of another's tool, must not cost the others.
      this.logger.error({ err, plugin: name }, 'A plug-in cannot be loaded');
      return false;
    }
  }

  private async unload(name: string, server: Server): Promise<void> {
    const services = this.loaded.get(name)!;
    this.loaded.delete(name);
    for (const service of services) await server.services.remove(service);
  }
}
