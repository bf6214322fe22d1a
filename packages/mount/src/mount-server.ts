import { ConfigurationError, type McpServer } from '@toolwright/core';
import { extend, type Extension, type ExtensionParts } from '@toolwright/core/extend';
import type { HeldText, MountStatus } from '@toolwright/json';
import { mountMetrics } from './metrics.js';
import { Mount } from './mount.js';
import { type MountOptions, parseMount } from './options.js';
import { CatalogueView } from './publish/catalogue-view.js';

/** A server that is mounted. */
export interface MountedServer {
  readonly name: string;
  /** What it is doing at this moment. */
  status(): MountStatus;
  /** Connects anew, and reads its lists again. */
  restart(): Promise<void>;
  /**
   * Accepts the changes that are held back, so that our clients get them.
   *
   * @param which only the forms with these digests of `status().held`; default: all. Pass what a person has read: the
   * server may have changed again
   * @returns false when there was nothing to accept
   */
  accept(which?: readonly string[]): Promise<boolean>;
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
    /** What these mounts hold back, with the words of both forms. */
    readonly heldChanges?: readonly HeldText[];
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
    const counter = (name: keyof typeof mountMetrics) => {
      const [, unit, description] = mountMetrics[name];
      return extension.counter(name, { unit, description });
    };
    const count = counter('toolwright.server.mount.calls');
    const found = counter('toolwright.server.mount.findings');
    return {
      context: { mountedRequest: (call) => call.request },
      state: {
        mounts: () => [...all.values()].map((mount) => mount.status()),
        heldChanges: () => [...all.values()].flatMap((mount) => mount.heldTexts()),
      },
      upstreams: () => [...all.values()].map((mount) => mount.upstream),
      operator: {
        'mounts.restart': {
          action: 'restart mount',
          target: ({ mount }) => String(mount),
          async run({ mount }) {
            await all.get(String(mount))?.restart();
            return all.has(String(mount));
          },
        },
        // The digest is of the form that the operator has read. Without it, all that is held back is accepted.
        'mounts.accept': {
          action: 'accept upstream',
          target: ({ mount, digest }) => [mount, digest].filter(Boolean).join(' '),
          run: ({ mount, digest }) =>
            all.get(String(mount))?.accept(digest === undefined ? undefined : [String(digest)]) ?? false,
        },
      },
      async mount(name, options) {
        const settings = parseMount(name, options);
        if (all.has(name)) throw taken(name);
        const mount = new Mount(name, settings, { extension, view, count, found });
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
          accept: (which) => mount.accept(which),
          close,
        };
      },
      beforeRequest(request) {
        const waits = [...all.values()]
          .map((mount) => mount.meet(request))
          .filter((wait) => wait !== undefined);
        return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
      },
      taskParts: {
        of(tool) {
          const [name] = extension.server.tools.sourceOf(tool as never)?.split(' ') ?? [];
          return name !== undefined && all.get(name)?.forms ? `mount ${name}` : undefined;
        },
        present: () => [...all.values()].filter(({ forms }) => forms).map(({ name }) => `mount ${name}`),
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
  return new ConfigurationError({
    code: 'TW_MOUNT_INVALID',
    message: `There is a mount with the name "${name}" already.`,
    fix: 'Give each mount a name of its own.',
  });
}
