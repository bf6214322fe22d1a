import type { Node } from '../../container/binding.js';
import { ConfigurationError, type ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { AnyDraft, Draft } from '../../call/operation/draft.js';
import { operationKey } from '../../call/operation/operation-key.js';
import { bindServices, type ServiceDrafts } from '../services/bind-services.js';
import type { BindingContext } from '../services/binding-context.js';
import { findUnservedApps } from '../checks/find-unserved-apps.js';
import { findDuplicates } from '../checks/find-duplicates.js';
import { findGroupConflicts } from '../checks/find-group-conflicts.js';
import type { Entry } from './operation-catalogue.js';
import type { ServerRegistry } from './server-registry.js';
import type { SecurityPosture } from '../checks/security-posture.js';

/** The services of a server; they can be added and removed while it runs. */
export class ServiceCollection {
  private readonly services = new Map<AnyClass, ServiceDrafts>();

  constructor(
    private readonly binding: BindingContext & {
      /** What has to outlive services that use it. */
      keep(): Iterable<Node>;
      readonly posture: SecurityPosture;
    },
    private readonly registry: ServerRegistry,
    private readonly changed: (kinds: ReadonlySet<BoundOperation['kind']>) => void,
  ) {}

  /**
   * Binds, builds and offers services.
   *
   * @throws {ConfigurationError} with everything that is wrong; nothing has changed then
   */
  async add(...targets: AnyClass[]): Promise<void> {
    const additions = await this.build(
      targets.filter((target) => !this.services.has(target)),
      [],
    );
    additions.offer();
    this.tell(additions.drafts);
  }

  /**
   * Puts newer versions of services in the place of older ones, at once: every request finds either all of the old or
   * all of the new. A class that is replaced by itself keeps its instance and is bound anew, to its manifest as it is
   * now.
   *
   * @param versions the newer by the older; classes that are not there are left out
   * @returns `retired` resolves when calls in flight, which end on the version they began with, are done and that
   * version is disposed
   * @throws {ConfigurationError} with everything that is wrong; nothing has changed then
   */
  async replace(versions: ReadonlyMap<AnyClass, AnyClass>): Promise<{ retired: Promise<void> }> {
    const known = [...versions].filter(([older]) => this.services.has(older));
    const outgoing = known.map(([older]) => this.services.get(older)!);
    const additions = await this.build(
      known.map(([, newer]) => newer),
      outgoing,
    );
    for (const service of outgoing) this.withdraw(service, additions.drafts);
    additions.offer();
    this.tell([...outgoing.flatMap(({ drafts }) => drafts), ...additions.drafts]);
    const idle = Promise.all(outgoing.map(({ calls }) => calls.whenIdle()));
    return { retired: idle.then(() => this.disposeUnused()) };
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
    this.withdraw(service, []);
    this.tell(service.drafts);
    await service.calls.whenIdle();
    await this.disposeUnused();
    return true;
  }

  list(): readonly AnyClass[] {
    return [...this.services.keys()];
  }

  /** Everything that can fail; what comes back offers what was built, and cannot. */
  private async build(
    targets: readonly AnyClass[],
    outgoing: readonly ServiceDrafts[],
  ): Promise<{ drafts: readonly Draft<BoundOperation>[]; offer(): void }> {
    const bound = await bindServices(targets, this.binding);
    const drafts = bound.services.flatMap((service) => service.drafts);
    const leaving = new Set(outgoing.flatMap((service) => service.drafts.map(operationKey)));
    const staying = this.registry.drafts().filter((draft) => !leaving.has(operationKey(draft)));
    const offered = [...staying, ...drafts];
    const { posture } = this.binding;
    const problems = [
      ...posture.findOptionProblems(),
      ...bound.problems,
      ...findDuplicates(offered),
      ...findUnservedApps(drafts, offered),
      ...findGroupConflicts(drafts, staying),
      ...drafts.flatMap((draft) => posture.findProblems(draft as AnyDraft)),
    ];
    const additions = drafts.flatMap((draft) => this.prepare(draft, problems));
    if (problems.length > 0) throw new ConfigurationError(problems);
    await this.binding.kernel.start(bound.services.flatMap(({ nodes }) => nodes));
    const offer = () => {
      for (const service of bound.services) this.services.set(service.target, service);
      for (const addition of additions) this.registry.add(addition);
    };
    return { drafts, offer };
  }

  /** @param next what takes its place: an operation of the same name is overwritten, where it stands in the list */
  private withdraw({ target, drafts }: ServiceDrafts, next: readonly Draft<BoundOperation>[]): void {
    this.services.delete(target);
    const taken = new Set(next.map(operationKey));
    for (const draft of drafts) {
      if (taken.has(operationKey(draft))) continue;
      const catalogue = this.registry.of(draft.kind);
      catalogue.delete(catalogue.key(draft as never));
    }
  }

  private disposeUnused(): Promise<void> {
    const needed = [...this.services.values()].flatMap(({ nodes }) => nodes);
    return this.binding.kernel.retain([...needed, ...this.binding.keep()]);
  }

  private prepare(draft: Draft<BoundOperation>, problems: ConfigurationProblem[]): Entry<BoundOperation>[] {
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
