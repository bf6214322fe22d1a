import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { collectRecords, findRecordProblems } from '../../base/metadata/class-records.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { ScheduleDraft } from '../../call/operation/schedule.js';
import { inDependencyOrder, type Node } from '../../container/binding.js';
import type { InjectionToken } from '../../container/provider.js';
import { findRepeatedSchedules } from '../checks/find-process-bound.js';
import { findRepeated, findStrayInjections } from '../checks/check-service.js';
import { CallCounter } from '../services/instances.js';
import type { BindingContext, ServiceDrafts } from '../services/bound-service.js';
import type { Service } from '../classes/service.js';
import { draftSchedules } from './draft-schedules.js';
import type { ScheduledClass } from './scheduled-method.js';

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
