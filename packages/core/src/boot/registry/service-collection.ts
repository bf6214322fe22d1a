import {
  ConfigurationError,
  type ConfigurationProblem,
  stoppingProblems,
} from '@toolwright/ground/base/errors/configuration-error';
import type { BackgroundNoun } from '@toolwright/ground/base/extended';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import type { AnyDraft, Draft } from '@toolwright/ground/call/operation/draft';
import { operationKey, writtenAudience } from '@toolwright/ground/call/operation/keys';
import type { Audience, BoundOperation } from '@toolwright/ground/call/operation/operation';
import { getOrMake } from '@toolwright/json';
import { extensionsOn } from '../extensions/extensions.js';
import { planBackgroundRun } from '../../policies/plan-chain.js';
import type { ProvidedInstances } from '../services/bound-service.js';
import type { ChangeListeners } from './open-collections.js';
import type { BoundBackground } from '../../tasks/background-methods.js';
import { distinctDrafts, findEqualNames } from '../checks/find-background-problems.js';
import { bindServices, withExactPlaces } from './bind-services.js';
import type { BindingServer, ServiceDrafts } from '../services/bound-service.js';
import { findDuplicates, findGroupConflicts, findUnservedApps } from '../checks/compare-operations.js';
import type { ServerRegistry } from './server-registry.js';
import type { SecurityPosture } from '../checks/security-posture.js';

/** The services of a server. You can add and remove services while it runs. */
export class ServiceCollection {
  private readonly services = new Map<AnyClass, ServiceDrafts>();

  constructor(
    private readonly server: BindingServer & {
      readonly registry: ServerRegistry;
      readonly posture: SecurityPosture;
    },
    private readonly members: {
      /** What the application itself uses lives longer than the services that use it. */
      readonly provided: ProvidedInstances;
      readonly changed: ChangeListeners;
    },
  ) {}

  /**
   * Binds, builds and offers services.
   *
   * @throws {ConfigurationError} with all problems; in that case nothing has changed
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
   * Replaces services with newer versions, all at the same moment: a request finds either all old or all new
   * ones. A class that is replaced by itself keeps its instance and is bound again, to its manifest as it is
   * now.
   *
   * @param versions the newer classes by the older ones; classes that the server does not have are left out
   * @returns `retired` resolves when the old version is disposed; running calls end on the version they began
   *   with
   * @throws {ConfigurationError} with all problems; in that case nothing has changed
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
   * Removes the operations of a service, waits for its running calls and disposes it, together with what
   * nothing else uses.
   *
   * @returns false when the server does not have it
   */
  async remove(target: AnyClass): Promise<boolean> {
    const service = this.services.get(target);
    if (!service) return false;
    this.withdraw(service, []);
    this.server.background.set(this.planBackground([service], [], []));
    this.tell(service.drafts);
    await service.calls.whenIdle();
    await this.disposeUnused();
    return true;
  }

  list(): readonly AnyClass[] {
    return [...this.services.keys()];
  }

  /** Does everything that can fail. The returned function offers what was built, and cannot fail. */
  private async build(
    targets: readonly AnyClass[],
    outgoing: readonly ServiceDrafts[],
  ): Promise<{ drafts: readonly Draft<BoundOperation>[]; offer(): void }> {
    const { server } = this;
    const { registry, posture, unmet } = server;
    for (const extension of extensionsOn(targets)) await server.extensions.start(extension);
    const bound = await bindServices(targets, server);
    const drafts = bound.services.flatMap((service) => service.drafts);
    const isLeaving = among(outgoing.flatMap((service) => service.drafts));
    const staying = registry.drafts().filter((draft) => !isLeaving(draft));
    const offered = [...staying, ...drafts];
    const problems = [
      ...posture.problems,
      ...bound.problems,
      ...findDuplicates(offered),
      ...findUnservedApps(drafts, () => offered),
      ...findGroupConflicts(drafts, () => staying),
      ...drafts.flatMap((draft) => posture.findProblems(draft as AnyDraft)),
    ];
    const additions = drafts.flatMap((draft) => collecting(problems, () => registry.prepare(draft)));
    const background = this.planBackground(outgoing, bound.services, problems);
    const stopping = unmet ? stoppingProblems(problems, unmet) : problems;
    if (stopping.length > 0) throw new ConfigurationError(withExactPlaces(stopping, bound.seen));
    await server.kernel.start(bound.services.flatMap(({ nodes }) => nodes));
    const offer = () => {
      for (const service of bound.services) this.services.set(service.target, service);
      for (const addition of additions) registry.add(addition);
      server.background.set(background);
    };
    return { drafts, offer };
  }

  /**
   * @param next the drafts that replace it: an operation with the same name is overwritten at its place in
   *   the list
   */
  private withdraw({ target, drafts }: ServiceDrafts, next: readonly Draft<BoundOperation>[]): void {
    this.services.delete(target);
    const isTaken = among(next);
    for (const draft of drafts) {
      if (isTaken(draft)) continue;
      const catalogue = this.server.registry.of(draft.kind);
      catalogue.delete(catalogue.key(draft as never), draft as never);
    }
  }

  private disposeUnused(): Promise<void> {
    const needed = [...this.services.values()].flatMap(({ nodes }) => nodes);
    return this.server.kernel.retain([...needed, ...this.members.provided.nodes()]);
  }

  /** All background methods as they will be. They are few, so each is planned again with every change. */
  private planBackground(
    outgoing: readonly ServiceDrafts[],
    incoming: readonly ServiceDrafts[],
    problems: ConfigurationProblem[],
  ): BoundBackground[] {
    const staying = [...this.services.values()].filter((service) => !outgoing.includes(service));
    const all = [...staying, ...incoming].flatMap(({ background }) => background);
    if (all.length === 0) return [];
    const drafts = distinctDrafts(all);
    problems.push(...findEqualNames(drafts));
    return drafts.flatMap((draft) => {
      const noun = draft.source.noun as BackgroundNoun;
      return collecting(problems, () => ({
        ...draft,
        operation: planBackgroundRun(draft.operation, this.server, noun),
      }));
    });
  }

  private tell(operations: readonly { kind: BoundOperation['kind'] }[]): void {
    // A listener that several kinds share is called once.
    const listeners = new Set(operations.map(({ kind }) => this.members.changed[kind]));
    for (const tell of listeners) tell([]);
  }
}

/** What was made, or nothing: then the problems are collected. */
function collecting<T>(problems: ConfigurationProblem[], make: () => T): T[] {
  try {
    return [make()];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.problems);
    return [];
  }
}

/** Finds operations with the key and the audience of one of these. */
function among(drafts: readonly Draft<BoundOperation>[]): (draft: Draft<BoundOperation>) => boolean {
  const audiences = new Map<string, Set<Audience | undefined>>();
  for (const draft of drafts)
    getOrMake(audiences, operationKey(draft), () => new Set()).add(writtenAudience(draft));
  return (draft) => audiences.get(operationKey(draft))?.has(writtenAudience(draft)) === true;
}
