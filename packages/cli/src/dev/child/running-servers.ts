import type { McpServer } from '@toolwright/core';
import { SERVER_OBSERVER } from '@toolwright/json';
import { describeFailedStart } from '../../app/child/describe-failure.js';
import type { ServiceName, ServicePlace, SwapOutcome } from '../messages.js';

type AnyClass = Parameters<McpServer['services']['add']>[0];

/** The servers of this process, whose services are replaced while they run. */
export class RunningServers {
  private readonly servers = new Set<McpServer>();

  constructor(made: (server: McpServer) => void) {
    (globalThis as Record<symbol, unknown>)[SERVER_OBSERVER] = (server: McpServer) => {
      this.servers.add(server);
      made(server);
    };
  }

  /**
   * Loads modules again, and replaces the services that come from them.
   *
   * @param swap.services also contains services whose module is the same, but whose manifest changed
   */
  async swap({ modules, services }: { modules: string[]; services: ServicePlace[] }): Promise<SwapOutcome> {
    // Without a module to load, a class is replaced by itself: its description or its page has changed.
    const isSame = modules.length === 0;
    const older = services.map((place) => loadedClass(place) ?? (isSame ? this.listed(place) : undefined));
    const stranger = services.find((_, index) => !this.serves(older[index]));
    if (stranger) return { is: 'impossible', message: `${stranger.export} cannot be replaced while it runs` };
    const loaded = forget(modules);
    try {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      const load = ({ module, export: name }: ServicePlace) => member(require(module) as object, name);
      const newer = isSame ? older : services.map(load);
      const forgotten = loaded.paths.find((path) => !require.cache[path]);
      if (forgotten) throw new Impossible(`${forgotten} is loaded by more than its services`);
      const versions = new Map(older.map((each, index) => [each!, newer[index] as AnyClass]));
      for (const { services } of this.servers) reportLater((await services.replace(versions)).retired);
      return { is: 'replaced' };
    } catch (error) {
      loaded.restore();
      if (error instanceof Impossible) return { is: 'impossible', message: error.message };
      return { is: 'failed', message: describeFailedStart(error) };
    }
  }

  /** Tells the clients that follow a resource that it has changed. */
  tellChanged(uri: string): void {
    for (const server of this.servers) server.resourceUpdated(uri, { local: true });
  }

  /** The keys of the services that no server lists, if there is a server. */
  findUnserved(services: readonly ServiceName[]): string[] {
    const listed = [...this.servers].flatMap(({ services }) => services.list());
    if (this.servers.size === 0) return [];
    const isListed = ({ name, place }: ServiceName) => {
      const loaded = place && loadedClass(place);
      // A module that was imported and not required can only be recognised by the names of its classes.
      if (!loaded) return listed.some((each) => each.name === name);
      // A base class of a service is served with it.
      return listed.some((each) => each === loaded || each.prototype instanceof loaded);
    };
    return services.filter((service) => !isListed(service)).map(({ key }) => key);
  }

  /** The only class of this name. A module that was imported and not required can only be recognised so. */
  private listed({ export: name }: ServicePlace): AnyClass | undefined {
    const known = new Set([...this.servers].flatMap(({ services }) => services.list()));
    const named = [...known].filter((each) => each.name === name.split('.').at(-1));
    return named.length === 1 ? named[0] : undefined;
  }

  private serves(service: AnyClass | undefined): boolean {
    return (
      service !== undefined && [...this.servers].some(({ services }) => services.list().includes(service))
    );
  }
}

/** Something that is running would continue to use the old modules. */
class Impossible extends Error {}

/** Running calls end on the old version, however long they take. Nothing waits for them here. */
function reportLater(retired: Promise<void>): void {
  retired.catch((error: unknown) =>
    console.error('The old version of a service could not be disposed.', error),
  );
}

function loadedClass({ module, export: name }: ServicePlace): AnyClass | undefined {
  return member(require.cache[module]?.exports as object | undefined, name);
}

/** `name` may contain namespaces: `Outer.Inner`. */
function member(exports: object | undefined, name: string): AnyClass | undefined {
  const found = name
    .split('.')
    .reduce<unknown>((holder, part) => (holder as Record<string, unknown> | undefined)?.[part], exports);
  return typeof found === 'function' ? (found as AnyClass) : undefined;
}

/** Removes modules from the cache, so that the next `require` runs their files again. */
function forget(modules: readonly string[]): { paths: string[]; restore(): void } {
  const known = modules.flatMap((path) => {
    const module = require.cache[path];
    return module ? [[path, module] as const] : [];
  });
  for (const [path] of known) delete require.cache[path];
  return {
    paths: known.map(([path]) => path),
    restore: () => known.forEach(([path, module]) => (require.cache[path] = module)),
  };
}
