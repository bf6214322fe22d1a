import { type ReadCron, cronReader } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../base/errors/configuration-error.js';
import {
  type ClassRecords,
  collectRecords,
  findRecord,
  findRecordProblems,
} from '../base/metadata/class-records.js';
import { type AnyClass, mergePolicies } from '../base/metadata/store.js';
import { findOptionProblems } from '../base/options/option-schema.js';
import { parseDuration } from '../base/options/rules.js';
import { findRepeated, findStrayInjections } from '../boot/checks/check-service.js';
import { findRepeatedSchedules } from '../boot/checks/find-process-bound.js';
import type { Service } from '../boot/classes/service.js';
import type { BindingContext, ServiceDrafts } from '../boot/services/bound-service.js';
import { instanceSource, scopeOpener, staticSource } from '../boot/services/instances.js';
import { CallCounter } from '../call/invoke.js';
import type { Target, ToolDraft } from '../call/operation/draft.js';
import type { ScheduleDraft } from '../call/operation/schedule.js';
import { type Node, inDependencyOrder } from '../container/binding.js';
import type { Container } from '../container/container.js';
import type { Kernel } from '../container/kernel.js';
import type { InjectionToken } from '../container/provider.js';
import type { ScheduleRecord } from '../decorators/scheduled.js';
import { type ScheduledMethod, findScheduleProblems } from './find-schedule-problems.js';

/** Binds a class that offers nothing to clients, and has methods that run by a schedule. It needs no manifest. */
export async function bindScheduled(
  service: Service,
  binding: BindingContext,
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
  const schedules = await draftAllSchedules(own, { nodes, binding, problems });
  return { target, drafts: [], schedules, nodes, calls };
}

/** Drafts the schedules of a service and of the classes that it needs. */
export async function draftAllSchedules(
  own: ScheduledClass,
  setting: {
    readonly nodes: readonly Node[];
    readonly binding: BindingContext;
    readonly problems: ConfigurationProblem[];
  },
): Promise<ScheduleDraft[]> {
  const { nodes, binding, problems } = setting;
  const needed = inDependencyOrder(nodes).flatMap((node): ScheduledClass[] => {
    const { target } = node.binding;
    if (!target || target === own.target) return [];
    return [{ target, records: collectRecords(target), node, calls: own.calls, tools: [] }];
  });
  const drafts: ScheduleDraft[] = [];
  for (const each of [own, ...needed]) drafts.push(...(await draftSchedules(each, binding, problems)));
  problems.push(...findRepeatedSchedules(drafts, binding));
  return drafts;
}

const DEFAULT_CATCH_UP = '1m';

/** Drafts the schedules of a class. */
async function draftSchedules(
  scheduled: ScheduledClass,
  { container, kernel }: { container: Container; kernel: Kernel },
  problems: ConfigurationProblem[],
): Promise<ScheduleDraft[]> {
  const methods = scheduledMethods(scheduled);
  if (methods.length === 0) return [];
  const readCron = await loadCron();
  return methods.flatMap((each) => {
    const { cron, timeZone = 'UTC', catchUp = DEFAULT_CATCH_UP, name = each.label } = each.record.options;
    const ticks = readCron(cron, timeZone);
    const found = findScheduleProblems(each, 'problem' in ticks ? ticks.problem : undefined);
    problems.push(...found);
    if (found.length > 0 || 'problem' in ticks) return [];
    const target: Target = each.tool?.target ?? {
      method: scheduled.calls.count(each.holder[each.method.method]!),
      instance: each.node ? instanceSource(each.node, kernel) : staticSource(scheduled.target),
      ...(each.node && opened(scopeOpener([each.node], kernel))),
      around: container.around({
        target: scheduled.target,
        name: each.method.method,
        static: each.method.static,
      }),
      parameters: [{ name: 'ctx', kind: 'inject', inject: 'ToolContext' }],
    };
    const operation = operationOf({ ...each, name, target, records: scheduled.records });
    const owner = each.node ?? scheduled.target;
    return [{ name, cron, timeZone, ticks, catchUpMs: parseDuration(catchUp), operation, owner }];
  });
}

/** The method as a tool that nobody can call. */
function operationOf({
  name,
  method,
  record,
  records,
  target,
  tool,
}: ScheduledMethod & { name: string; target: Target; records: ClassRecords }): ToolDraft {
  const { rerun, retries, backoff } = record.options;
  return {
    kind: 'tool',
    name,
    annotations: tool?.annotations ?? {},
    policies: mergePolicies(records.records, method.records),
    site: record.site,
    target,
    inputSchema: { type: 'object' },
    wrapOutput: false,
    task: {
      ...{ mode: 'required', start: 'immediate' },
      ...(rerun !== undefined && { rerun }),
      ...(retries !== undefined && { retries }),
      ...(backoff !== undefined && { backoff }),
    },
  };
}

function opened(openScope: Target['openScope']): Pick<Target, 'openScope'> {
  return openScope ? { openScope } : {};
}

/** A class that may have scheduled methods, and the way to its instance. */
interface ScheduledClass {
  readonly target: AnyClass;
  readonly records: ClassRecords;
  /** Undefined if only static methods are called. */
  readonly node: Node | undefined;
  readonly calls: CallCounter;
  /** The tools that its methods are. */
  readonly tools: readonly ToolDraft[];
}

/** The methods of a class that are scheduled. */
function scheduledMethods({ target, records, node, tools }: ScheduledClass): ScheduledMethod[] {
  return records.methods.flatMap((method) => {
    const record = findRecord<ScheduleRecord>(method.records, 'schedule');
    // What is wrong with its options is told where all decorators are checked.
    if (!record || findOptionProblems(record.schema!, record.options, { owner: '' }).length > 0) return [];
    const tool = tools.find(
      ({ entry }) => entry?.method === method.method && (entry.static ?? false) === method.static,
    );
    const holder = (method.static ? target : target.prototype) as ScheduledMethod['holder'];
    const label = `${target.name || 'anonymous'}.${method.method}`;
    return [{ label, method, record, tool, node: method.static ? undefined : node, holder }];
  });
}

/** Loads the library for cron expressions. Servers without schedules never load it. */
async function loadCron(): Promise<ReadCron> {
  const { Cron } = await import('croner');
  return cronReader(Cron);
}
