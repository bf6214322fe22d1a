import type { ConfigurationProblem } from '../errors/configuration-error.js';
import type { Node } from '../container/binding.js';
import type { Container } from '../container/container.js';
import type { Kernel } from '../container/kernel.js';
import type { InjectionToken } from '../container/token.js';
import type { CompletionSource } from '../decorators/completion-provider.js';
import { findRecordProblems } from '../metadata/find-record-problems.js';
import type { AnyClass } from '../metadata/store.js';
import type { BoundOperation } from '../pipeline/operation.js';
import type { Draft } from '../pipeline/draft.js';
import type { BoundMethod, BoundService } from './bound-service.js';
import { CallCounter } from './call-counter.js';
import { findClassPatternProblems } from './check-class-patterns.js';
import { checkShape } from './check-shape.js';
import { completionTokens } from './completions.js';
import type { ConstructorTypeLoader } from './constructor-types.js';
import { draftOperations } from './draft-operations.js';
import { findRepeated } from './find-repeated.js';
import { instanceSource, staticSource } from './instance-source.js';
import type { ClassEntry } from './loaded-manifest.js';
import type { Manifests } from './load-manifests.js';
import { matchClass } from './match-class.js';
import { problemAt } from './problem.js';
import { describeService, type Service } from './service.js';
import { classKeys, loadTypes } from './type-table.js';

/** What binding works with; one per server. */
export interface BindingRoom {
  readonly manifests: Manifests;
  readonly container: Container;
  readonly kernel: Kernel;
  readonly constructorTypes: ConstructorTypeLoader;
}

/** A bound service with everything it offers and everything that has to be built for it. */
export interface ServiceDrafts {
  readonly target: AnyClass;
  readonly drafts: readonly Draft<BoundOperation>[];
  readonly nodes: readonly Node[];
  readonly calls: CallCounter;
}

/**
 * Joins service classes to their manifest entries and to the container, and drafts their operations. Nothing is
 * built yet.
 *
 * @returns the services, and everything that is wrong with any of them
 */
export async function bindServices(
  targets: readonly AnyClass[],
  room: BindingRoom,
): Promise<{ services: ServiceDrafts[]; problems: ConfigurationProblem[] }> {
  const services: ServiceDrafts[] = [];
  const problems: ConfigurationProblem[] = [];
  room.manifests.forgetFound();
  for (const target of targets) {
    const service = describeService(target);
    const match = await findEntry(service, room, problems);
    if (match) services.push(await bindService(service, match, { room, problems }));
  }
  return {
    services,
    problems: distinct([...room.manifests.takeProblems(), ...problems, ...room.container.takeProblems()]),
  };
}

/** A decorator of a class is read for each of its methods, and by the container. */
function distinct(problems: readonly ConfigurationProblem[]): ConfigurationProblem[] {
  return [...new Map(problems.map((each) => [`${each.location} ${each.message}`, each])).values()];
}

async function findEntry(
  service: Service,
  { manifests }: BindingRoom,
  problems: ConfigurationProblem[],
): Promise<ClassEntry | undefined> {
  if (service.operations.length === 0) {
    problems.push(
      problemAt(service.site, 'TW_SERVICE_EMPTY', {
        message: `${service.name} is listed as a service but none of its methods is decorated.`,
        fix: 'Decorate a method with @McpTool, @McpPrompt, @McpResource, @McpResourceTemplate or @McpApp, or do not list it.',
      }),
    );
    return undefined;
  }
  problems.push(...findRepeated(service), ...findRecordProblems(service.records));
  const result = matchClass(service, await manifests.of(service.target));
  const problem = 'problem' in result ? result.problem : checkShape(service, result.match);
  if (problem) problems.push(problem);
  return problem || 'problem' in result ? undefined : result.match;
}

async function bindService(
  service: Service,
  match: ClassEntry,
  { room, problems }: { room: BindingRoom; problems: ConfigurationProblem[] },
): Promise<ServiceDrafts> {
  const { container, kernel, constructorTypes } = room;
  const { target, operations } = service;
  await constructorTypes.load(target, match.manifest, match.key);
  const isStatic = operations.every((operation) => operation.static);
  const node = isStatic ? undefined : container.link(target as AnyClass & InjectionToken);
  const instances = node ? instanceSource(node, kernel) : staticSource(target);
  const calls = new CallCounter();
  const bound: BoundService = { service, match, node, instances, types: await loadTypes(match), calls };
  problems.push(...(await findClassPatternProblems(match.manifest, classKeys(match))));
  const completions = new Map<InjectionToken, Node>();
  const linkCompletion = (token: InjectionToken) => {
    const linked = container.link(token);
    if (linked) completions.set(token, linked);
  };
  const resolve = (token: InjectionToken) =>
    kernel.get(completions.get(token)!) as CompletionSource | undefined;
  const drafts: Draft<BoundOperation>[] = [];
  const collector = { resolve, drafts, problems };
  for (const method of operations) {
    const entry = match.entry(method);
    if (!entry) continue;
    const source: BoundMethod = { bound, method, entry };
    completionTokens(source).forEach(linkCompletion);
    draftOperations(source, collector);
  }
  return { target, drafts, nodes: [...(node ? [node] : []), ...completions.values()], calls };
}
