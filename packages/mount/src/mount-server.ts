import { ConfigurationError, type McpServer } from '@toolwright/core';
import { extend, type Extension, type ExtensionParts } from '@toolwright/core/extend';
import { mountMetrics } from './metrics.js';
import { Mount } from './mount.js';
import { type MountOptions, parseMount } from './options.js';
import { CatalogueView } from './publish/catalogue-view.js';
import type { MountStatus } from './status.js';

const CALLS = 'toolwright.server.mount.calls';

/** A server that is mounted. */
export interface MountedServer {
  readonly name: string;
  /** What it is doing at this moment. */
  status(): MountStatus;
  /** Connects anew, and reads its lists again. */
  restart(): Promise<void>;
  /** Accepts the changes that are held back, so that our clients get them. */
  accept(): Promise<void>;
  /** Takes its operations out of our server, and ends its sessions and processes. */
  close(): Promise<void>;
}

/** What one server keeps of its mounts. */
interface MountParts extends ExtensionParts {
  mount(name: string, options: MountOptions): Promise<MountedServer>;
}

declare module '@toolwright/core/extend' {
  interface ExtraState {
    /** The mounts of a server with the package @toolwright/mount. */
    readonly mounts?: readonly MountStatus[];
  }
}

/**
 * Mounts another MCP server in ours: its tools, resources and prompts become ours, behind our guards, in our audit log.
 * Resolves when its operations are listed. A server that is away is tried again in the background, unless it is
 * `required`.
 *
 * @param name a short name for logs, errors and the console
 * @throws {ConfigurationError} when an option is wrong, or a name is taken
 *
 * @example
 * await mountServer(server, 'github', { url: 'https://api.githubcopilot.com/mcp/', auth: 'user', prefix: 'github_' });
 */
export async function mountServer(
  server: McpServer,
  name: string,
  options: MountOptions,
): Promise<MountedServer> {
  const { mount } = await extend(server, mounts);
  return mount(name, options);
}

/** All mounts of one server. */
export const mounts: Extension<MountParts> = {
  name: '@toolwright/mount',
  start(extension) {
    const all = new Map<string, Mount>();
    const view = new CatalogueView(extension.server);
    const [, unit, description] = mountMetrics[CALLS];
    const count = extension.counter(CALLS, { unit, description });
    return {
      context: { mountedRequest: (call) => call.request },
      state: { mounts: () => [...all.values()].map((mount) => mount.status()) },
      async mount(name, options) {
        const settings = parseMount(name, options);
        if (all.has(name)) throw taken(name);
        const mount = new Mount(name, settings, { extension, view, count });
        all.set(name, mount);
        const close = async () => {
          if (all.get(name) === mount) all.delete(name);
          await mount.close();
        };
        try {
          await mount.start();
        } catch (error) {
          await close();
          throw error;
        }
        return {
          name,
          status: () => mount.status(),
          restart: () => mount.restart(),
          accept: () => mount.accept(),
          close,
        };
      },
      watched: (uri, isWatched) => view.ownerOf(uri)?.watch(uri, isWatched),
      async close() {
        await Promise.all([...all.values()].map((mount) => mount.close()));
        all.clear();
      },
    };
  },
};

function taken(name: string): ConfigurationError {
  return new ConfigurationError([
    {
      code: 'TW_MOUNT_INVALID',
      message: `There is a mount with the name "${name}" already.`,
      fix: 'Give each mount a name of its own.',
    },
  ]);
}
