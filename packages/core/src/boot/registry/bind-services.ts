import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt, type CallSite } from '@toolwright/ground/base/metadata/call-site';
import { collectRecords, findRecordProblems } from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import { CallCounter } from '@toolwright/ground/call/invoke';
import type { Draft, ToolDraft } from '@toolwright/ground/call/operation/draft';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import { type Node, inDependencyOrder } from '../../container/binding.js';
import type { InjectionToken } from '../../container/provider.js';
import { servesStateful } from '../../protocol/protocol-options.js';
import {
  checkShape,
  findIdlePolicies,
  findMisplacedPolicies,
  findRepeated,
  findStrayInjections,
} from '../checks/check-service.js';
import { findProcessBound, findSessionUse } from '../checks/find-background-problems.js';
import { loadedPaths } from '../classes/import-module.js';
import { matchClass, noManifest, replacement } from '../classes/match-class.js';
import { whereItRuns } from '../classes/running-class.js';
import { describeService, hasCompletions, runsInBackground, type Service } from '../classes/service.js';
import { findAddedProblems } from '../extensions/load-packages.js';
import { CompletionBinder, type CompletionResolver } from '../kinds/completions.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import {
  type BindingServer,
  type BoundService,
  type ServiceDrafts,
  injectedValues,
  instanceSource,
  scopeOpener,
  staticSource,
} from '../services/bound-service.js';
import {
  findClassPatternProblems,
  findQuestionPatternProblems,
  mergeClassRules,
  type CopyUser,
  TRANSFORMER_RECORDS,
  findTransformerCopies,
} from '../services/class-rules.js';
import { completeInput } from '../services/complete-input.js';
import { bindParameters } from '../services/injected-parameters.js';
import { classKeys, findLostClasses, loadTypes, parameterClasses } from '../services/type-table.js';
import { bindBackground, draftBackground } from './bind-background.js';
import { draftOperations } from './kinds.js';
import { lazily, isPromise } from '@toolwright/json';
import type { SourceLocation } from '@toolwright/manifest';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

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
  const looked = known.length === 0 ? manifests.whereLooked(service.target) : '';
  if (looked === undefined) return undefined;
  const result =
    known.length === 0 ? { problem: noManifest(service, looked) } : matchClass(service, known, finder);
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
  const completers = lazily(() => new CompletionBinder(binding, nodes, problems));
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
  const tools = drafts.filter((draft): draft is ToolDraft => draft.kind === 'tool');
  if (tools.some(({ ui }) => ui?.view !== undefined)) {
    const { linkViews } = await import('./built-views.js');
    linkViews(match, drafts, problems);
  }
  problems.push(...findIdlePolicies(service, drafts));
  if (!servesStateful(binding.options)) problems.push(...findSessionUse(service, [...nodes]));
  const own = { target, records: service.records, node, calls, tools };
  const isBackground =
    service.hasBackground ||
    inDependencyOrder([...nodes]).some(({ binding: { target } }) => {
      return target && runsInBackground(collectRecords(target));
    });
  const background = isBackground ? await draftBackground(own, { nodes: [...nodes], binding, problems }) : [];
  if (binding.stores.anyProcess) problems.push(...findProcessBound(service, [...nodes], { tools, binding }));
  return { target, drafts, background, nodes: [...nodes], calls };
}
/** A service, and what the compiler has seen of it. */
export interface SeenService {
  readonly service: Pick<Service, 'records'>;
  readonly match: ClassEntry;
}

/**
 * Test runners find the places of decorators through source maps, and swc writes no mapping for `@McpService()`: the place
 * is then a line of what it has written. Such a place becomes the one that is in the manifest.
 */
export function withExactPlaces(
  problems: readonly ConfigurationProblem[],
  services: readonly SeenService[],
): ConfigurationProblem[] {
  const exact = new Map(services.flatMap(({ service, match }) => correctionsOf(service, match)));
  return problems.map((problem) => {
    const location = problem.location === undefined ? undefined : exact.get(problem.location);
    return location === undefined ? problem : { ...problem, location };
  });
}

type Correction = [wrong: string, right: string];

function correctionsOf({ records }: SeenService['service'], match: ClassEntry): Correction[] {
  const { directory } = match.manifest;
  if (directory === undefined) return [];
  const correct = (found: readonly { site: CallSite }[], { file, line, column }: SourceLocation) => {
    const source = resolve(directory, file);
    return found.flatMap(({ site }): Correction[] =>
      site.location === undefined || site.file !== source || isAtDecorator(site.location)
        ? []
        : [[site.location, `${source}:${line}:${column}`]],
    );
  };
  return [
    ...correct(records.records, match.definition.location),
    ...records.methods.flatMap((method) => {
      const entry = match.entry(method);
      return entry ? correct(method.records, entry.location) : [];
    }),
  ];
}

/** Whether a decorator is written at a place: `@` is there, or in front of it. */
function isAtDecorator(location: string): boolean {
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(location) ?? [];
  try {
    const text = readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '';
    return text.slice(Math.max(0, Number(column) - 2), Number(column)).includes('@');
  } catch {
    // The file cannot be read, so nothing speaks against the place.
    return true;
  }
}
