import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { lazily } from '@toolwright/json';
import { type Node, inDependencyOrder } from '../../container/binding.js';
import type { InjectionToken } from '../../container/provider.js';
import { isPromise } from '../../base/maybe-promise.js';
import { collectRecords, findRecordProblems } from '../../base/metadata/class-records.js';
import type { AnyClass } from '../../base/metadata/store.js';
import { CallCounter } from '../../call/invoke.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { Draft, ToolDraft } from '../../call/operation/draft.js';
import type { BindingServer, BoundService, ServiceDrafts } from '../services/bound-service.js';
import { injectedValues, instanceSource, scopeOpener, staticSource } from '../services/instances.js';
import { findClassPatternProblems, findQuestionPatternProblems } from '../checks/check-manifest-patterns.js';
import {
  checkShape,
  findIdlePolicies,
  findMisplacedPolicies,
  findRepeated,
  findStrayInjections,
} from '../checks/check-service.js';
import { CompletionBinder, type CompletionResolver } from '../kinds/completions.js';
import { bindBackground, draftBackground } from './bind-background.js';
import { draftOperations } from './kinds.js';
import { servesStateful } from '../../protocol/protocol-options.js';
import type { SeenService } from '../checks/exact-places.js';
import { findProcessBound, findSessionUse } from '../checks/find-process-bound.js';
import { bindParameters } from '../services/injected-parameters.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import { mergeClassRules } from '../services/merge-class-rules.js';
import { loadedPaths } from '../classes/import-module.js';
import { whereItRuns } from '../classes/running-class.js';
import { matchClass, noManifest, replacement } from '../classes/match-class.js';
import { findAddedProblems } from '../extensions/added-options.js';
import { classKeys, findLostClasses, loadTypes, parameterClasses } from '../services/type-table.js';
import { problemAt } from '../../base/metadata/call-site.js';
import { describeService, hasCompletions, runsInBackground, type Service } from '../classes/service.js';
import { completeInput } from '../services/complete-input.js';
import { type CopyUser, TRANSFORMER_RECORDS, findTransformerCopies } from '../services/transformer-copies.js';

/**
 * Joins service classes with their manifest entries and the container, and drafts their operations. It builds
 * nothing.
 *
 * @returns the services, the problems of all of them, and those whose manifest entry was found
 */
export async function bindServices(
  targets: readonly AnyClass[],
  binding: BindingServer,
): Promise<{ services: ServiceDrafts[]; problems: ConfigurationProblem[]; seen: SeenService[] }> {
  const services: ServiceDrafts[] = [];
  const problems: ConfigurationProblem[] = [];
  const seen: SeenService[] = [];
  const copyUsers: CopyUser[] = [];
  binding.manifests.forgetFound();
  for (const target of targets) {
    const service = describeService(target);
    if (service.operations.length === 0 && service.hasBackground) {
      services.push(await bindBackground(service, binding, problems));
      continue;
    }
    const match = await findEntry(service, binding, problems);
    if (!match) continue;
    seen.push({ service, match });
    services.push(await bindService(service, match, { binding, problems, copyUsers }));
  }
  // Once for all services: it looks through every module that is loaded.
  if (loadedPaths().some((path) => TRANSFORMER_RECORDS.test(path)))
    problems.push(...findTransformerCopies(copyUsers));
  return {
    services,
    seen,
    problems: distinct([
      ...binding.manifests.takeProblems(),
      ...problems,
      ...binding.container.takeProblems(),
    ]),
  };
}

/**
 * A decorator of a class is read for each method and by the container, so its problems would be reported
 * several times.
 */
function distinct(problems: readonly ConfigurationProblem[]): ConfigurationProblem[] {
  return [...new Map(problems.map((each) => [`${each.location} ${each.message}`, each])).values()];
}

async function findEntry(
  service: Service,
  { manifests, finder, extensions }: BindingServer,
  problems: ConfigurationProblem[],
): Promise<ClassEntry | undefined> {
  if (service.operations.length === 0) {
    const { says, fix } = replacement(service);
    problems.push(
      problemAt(service.site, 'TW_SERVICE_EMPTY', {
        message: `${service.name} is listed as a service but none of its methods is decorated.${says}`,
        fix: `${fix}Decorate a method with @McpTool, @McpPrompt, @McpResource, @McpResourceTemplate or @McpApp, or do not list it.`,
      }),
    );
    return undefined;
  }
  problems.push(
    ...findRepeated(service),
    ...findRecordProblems(service.records),
    ...findAddedProblems(service.records, extensions),
    ...findMisplacedPolicies(service),
  );
  const known = await manifests.of(service.target);
  const result =
    known.length === 0
      ? { problem: noManifest(service, manifests.whereLooked(service.target)) }
      : matchClass(service, known, finder);
  const problem = 'problem' in result ? result.problem : checkShape(service, result.match);
  if (problem) problems.push(problem);
  return problem || 'problem' in result ? undefined : result.match;
}

/** What binds the services of one server, and what it has found. */
interface Collected {
  readonly binding: BindingServer;
  readonly problems: ConfigurationProblem[];
  readonly copyUsers: CopyUser[];
}

async function bindService(
  service: Service,
  match: ClassEntry,
  { binding, problems, copyUsers }: Collected,
): Promise<ServiceDrafts> {
  const { container, kernel, finder, constructorTypes } = binding;
  const { target, operations } = service;
  problems.push(...findStrayInjections(service));
  finder.note(target, match);
  const { manifest } = match;
  // A service whose decorators are all applied by another file looks like one in a bundle.
  if (manifest.runs === undefined || manifest.runs === 'bundle') manifest.runs = whereItRuns(service, match);
  await constructorTypes.load(target, match);
  const isStatic = !service.hasBackground && operations.every((operation) => operation.static);
  if (!isStatic) await constructorTypes.prepare(target as AnyClass & InjectionToken);
  const node = isStatic ? undefined : container.link(target as AnyClass & InjectionToken);
  const calls = new CallCounter();
  const emitted = parameterClasses(service, match);
  const types = await loadTypes(match, emitted);
  const keys = classKeys(match);
  const classes = () => [...keys].flatMap((key) => types.dto(key)?.constructor ?? []);
  problems.push(...findLostClasses(match, types));
  copyUsers.push({ directory: manifest.directory, classes });
  if (manifest.hasRunTimeRules) await manifest.mergeOnce((loaded) => mergeClassRules(loaded, emitted));
  const questions = binding.questions.tableOf(manifest, types);
  const bound: BoundService = { service, match, node, types, questions, calls };
  const nodes = new Set<Node>(node && [node]);
  const completers = lazily(() => new CompletionBinder(binding, { nodes, problems }));
  if (operations.some(hasCompletions)) await completers().prepare(operations);
  const resolve: CompletionResolver = (token) => completers().bind(token);
  if (keys.size > 0) problems.push(...(await findClassPatternProblems(manifest, keys)));
  if (manifest.manifest.questions) problems.push(...findQuestionPatternProblems(manifest));
  const drafts: Draft<BoundOperation>[] = [];
  const collector = { resolve, drafts, problems, extras: binding.extensions };
  const [ofInstance, ofClass] = [node && instanceSource(node, kernel), staticSource(target)];
  for (const method of operations) {
    const entry = match.entry(method);
    if (!entry) continue;
    const name = `${service.name}.${method.method}`;
    const wanted = { name, target, method, entry, manifest: match.manifest };
    // Nearly all methods are bound without waiting. A wait would take longer than all of it.
    const bindable = bindParameters(wanted, binding, problems);
    const parameters = isPromise(bindable) ? await bindable : bindable;
    const completing = completeInput(wanted, parameters, problems);
    const { entry: completed, input, standard } = isPromise(completing) ? await completing : completing;
    const own = method.static ? undefined : node;
    const injected = [...parameters.nodes.values()];
    for (const each of injected) if (each) nodes.add(each);
    draftOperations(
      {
        bound,
        method,
        entry: completed,
        input,
        standard,
        source: {
          instance: (own && ofInstance) ?? ofClass,
          openScope: scopeOpener([own, ...injected], kernel),
          injected: injectedValues(parameters.nodes, kernel),
          around: container.around({ target, name: method.method, static: method.static }),
        },
      },
      collector,
    );
  }
  if (drafts.some(hasView)) {
    const { linkViews } = await import('./built-views.js');
    linkViews(match, drafts, problems);
  }
  problems.push(...findIdlePolicies(service, drafts));
  if (!servesStateful(binding.options)) problems.push(...findSessionUse(service, [...nodes]));
  const tools = drafts.filter((draft): draft is ToolDraft => draft.kind === 'tool');
  const own = { target, records: service.records, node, calls, tools };
  const background = isAnyBackground(service, [...nodes])
    ? await draftBackground(own, { nodes: [...nodes], binding, problems })
    : [];
  if (binding.stores.anyProcess) problems.push(...findProcessBound(service, [...nodes], { tools, binding }));
  return { target, drafts, background, nodes: [...nodes], calls };
}

function hasView(draft: Draft<BoundOperation>): boolean {
  return (draft as Partial<ToolDraft>).ui?.view !== undefined;
}

/** True when a package runs a method of the class itself or of a class that it needs. */
function isAnyBackground({ hasBackground }: Service, nodes: readonly Node[]): boolean {
  return (
    hasBackground ||
    inDependencyOrder(nodes).some(
      ({ binding: { target } }) => target && runsInBackground(collectRecords(target)),
    )
  );
}
