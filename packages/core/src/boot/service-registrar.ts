import { ConfigurationError, type ConfigurationProblem } from '../errors/configuration-error.js';
import type { AnyClass } from '../metadata/store.js';
import type { BoundOperation } from '../pipeline/operation.js';
import type { Draft } from '../pipeline/draft.js';
import { bindServices, type BindingRoom, type ServiceDrafts } from './bind-services.js';
import { findUnservedApps } from './find-unserved-apps.js';
import { findDuplicates } from './find-duplicates.js';
import type { OpenRegistry } from './open-registry.js';

/** The services of a server; they can be added and removed while it runs. */
export class ServiceRegistrar {
  private readonly services = new Map<AnyClass, ServiceDrafts>();

  constructor(
    private readonly room: BindingRoom,
    private readonly registry: OpenRegistry,
    private readonly changed: (kinds: ReadonlySet<BoundOperation['kind']>) => void,
  ) {}

  /**
   * Binds, builds and offers services.
   *
   * @throws {ConfigurationError} with everything that is wrong; nothing has changed then
   */
  async add(...targets: AnyClass[]): Promise<void> {
    const fresh = targets.filter((target) => !this.services.has(target));
    const bound = await bindServices(fresh, this.room);
    const drafts = bound.services.flatMap((service) => service.drafts);
    const offered = [...this.registry.operations(), ...drafts];
    const problems = [...bound.problems, ...findDuplicates(offered), ...findUnservedApps(drafts, offered)];
    const additions = drafts.flatMap((draft) => this.prepare(draft, problems));
    if (problems.length > 0) throw new ConfigurationError(problems);
    await this.room.kernel.start(bound.services.flatMap(({ nodes }) => nodes));
    for (const service of bound.services) this.services.set(service.target, service);
    for (const add of additions) add();
    this.tell(drafts);
  }

  /**
   * Withdraws a service's operations, waits for its calls in flight and disposes it, together with what nothing else
   * uses.
   *
   * @returns false when it is not there
   */
  async remove(target: AnyClass): Promise<boolean> {
    const service = this.services.get(target);
    if (!service) return false;
    this.services.delete(target);
    for (const draft of service.drafts) {
      const catalogue = this.registry.of(draft.kind);
      catalogue.delete(catalogue.key(draft as never));
    }
    this.tell(service.drafts);
    await service.calls.whenIdle();
    await this.room.kernel.retain([...this.services.values()].flatMap(({ nodes }) => nodes));
    return true;
  }

  list(): readonly AnyClass[] {
    return [...this.services.keys()];
  }

  private prepare(draft: Draft<BoundOperation>, problems: ConfigurationProblem[]): (() => void)[] {
    try {
      return [this.registry.prepare(draft)];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  }

  private tell(operations: readonly { kind: BoundOperation['kind'] }[]): void {
    this.changed(new Set(operations.map(({ kind }) => kind)));
  }
}
