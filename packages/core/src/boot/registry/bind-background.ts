import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import {
  type ClassRecords,
  collectRecords,
  findRecordProblems,
} from '@toolwright/ground/base/metadata/class-records';
import { type AnyClass, type DecoratorRecord, mergePolicies } from '@toolwright/ground/base/metadata/store';
import { findOptionProblems } from '@toolwright/ground/base/options/option-schema';
import { CallCounter } from '@toolwright/ground/call/invoke';
import type { Target, ToolDraft } from '@toolwright/ground/call/operation/draft';
import { type Node, inDependencyOrder } from '../../container/binding.js';
import type { InjectionToken } from '../../container/provider.js';
import { findBackgroundProblems, findRepeatedRuns } from '../checks/find-background-problems.js';
import { findRepeated, findStrayInjections } from '../checks/check-service.js';
import type { Service } from '../classes/service.js';
import type { BackgroundPart } from '../extensions/extension.js';
import {
  type BackgroundDraft,
  type BindingServer,
  type FoundMethod,
  type ServiceDrafts,
  instanceSource,
  scopeOpener,
  staticSource,
} from '../services/bound-service.js';

/** A class that may have background methods, and the way to its instance. */
interface BackgroundClass {
  readonly target: AnyClass;
  readonly records: ClassRecords;
  /** Undefined if only static methods are called. */
  readonly node: Node | undefined;
  readonly calls: CallCounter;
  /** The tools of the class. A method can be both. */
  readonly tools: readonly ToolDraft[];
}

/** Binds a class that offers nothing to clients, and has methods that packages run. It needs no manifest. */
export async function bindBackground(
  service: Service,
  binding: BindingServer,
  problems: ConfigurationProblem[],
): Promise<ServiceDrafts> {
  const { container, constructorTypes } = binding;
  const { target, records } = service;
  problems.push(...findRepeated(service), ...findRecordProblems(records), ...findStrayInjections(service));
  await constructorTypes.prepare(target as AnyClass & InjectionToken);
  const node = container.link(target as AnyClass & InjectionToken);
  const calls = new CallCounter();
  const nodes = node ? [node] : [];
  const own = { target, records, node, calls, tools: [] };
  const background = await draftBackground(own, { nodes, binding, problems });
  return { target, drafts: [], background, nodes, calls };
}

/** Drafts the background methods of a service and of the classes that it needs. */
export async function draftBackground(
  own: BackgroundClass,
  setting: {
    readonly nodes: readonly Node[];
    readonly binding: BindingServer;
    readonly problems: ConfigurationProblem[];
  },
): Promise<BackgroundDraft[]> {
  const { nodes, binding, problems } = setting;
  const needed = inDependencyOrder(nodes).flatMap((node): BackgroundClass[] => {
    const { target } = node.binding;
    if (!target || target === own.target) return [];
    return [{ target, records: collectRecords(target), node, calls: own.calls, tools: [] }];
  });
  const drafts: BackgroundDraft[] = [];
  for (const each of [own, ...needed])
    for (const found of methodsOf(each)) {
      const source = await binding.extensions.backgroundOf(found.record);
      if (source) drafts.push(...draftMethod(found, { owner: each, source, binding, problems }));
    }
  problems.push(...findRepeatedRuns(drafts, binding));
  return drafts;
}

/** The methods of a class that packages run. */
function methodsOf({ target, records, node, tools }: BackgroundClass): FoundMethod[] {
  return records.methods.flatMap((method) =>
    method.records.filter(isUsable).map((record): FoundMethod => {
      const tool = tools.find(
        ({ entry }) => entry?.method === method.method && (entry.static ?? false) === method.static,
      );
      const holder = (method.static ? target : target.prototype) as FoundMethod['holder'];
      const label = `${target.name || 'anonymous'}.${method.method}`;
      return { label, method, record, tool, node: method.static ? undefined : node, holder };
    }),
  );
}

/** What is wrong with its options is reported where all decorators are checked. */
function isUsable({ kind, schema, options }: DecoratorRecord): boolean {
  return kind === 'background' && findOptionProblems(schema!, options, { owner: '' }).length === 0;
}

function draftMethod(
  found: FoundMethod,
  setting: {
    readonly owner: BackgroundClass;
    readonly source: BackgroundPart;
    readonly binding: BindingServer;
    readonly problems: ConfigurationProblem[];
  },
): BackgroundDraft[] {
  const { owner, source, binding, problems } = setting;
  const { label, record, method, tool } = found;
  const drafted = source.draft(record.options as never, label);
  const own = findBackgroundProblems(found, source, 'problem' in drafted ? drafted.problem : undefined);
  problems.push(...own);
  if (own.length > 0 || 'problem' in drafted) return [];
  const { name, data, task } = drafted;
  // The method as a tool that nobody can call.
  const operation: ToolDraft = {
    kind: 'tool',
    name,
    annotations: tool?.annotations ?? {},
    policies: mergePolicies(owner.records.records, method.records),
    site: record.site,
    target: tool?.target ?? targetOf(found, owner, binding),
    inputSchema: { type: 'object' },
    wrapOutput: false,
    task: { mode: 'required', start: 'immediate', ...task },
  };
  return [{ name, data, source, decorator: record.name, operation, owner: found.node ?? owner.target }];
}

function targetOf(
  { method, node, holder }: FoundMethod,
  { target, calls }: BackgroundClass,
  { container, kernel }: BindingServer,
): Target {
  const openScope = node && scopeOpener([node], kernel);
  return {
    method: calls.count(holder[method.method]!),
    instance: node ? instanceSource(node, kernel) : staticSource(target),
    ...(openScope && { openScope }),
    around: container.around({ target, name: method.method, static: method.static }),
    parameters: [{ name: 'ctx', kind: 'inject', inject: 'ToolContext' }],
  };
}
