import { parseDuration } from '../../base/options/rules.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { ClassRecords } from '../../base/metadata/class-records.js';
import { mergePolicies } from '../../base/metadata/policies.js';
import { loadCron } from '../../base/schedule/ticks.js';
import type { Target, ToolDraft } from '../../call/operation/draft.js';
import type { ScheduleDraft } from '../../call/operation/schedule.js';
import type { Container } from '../../container/container.js';
import type { Kernel } from '../../container/kernel.js';
import { instanceSource, scopeOpener, staticSource } from '../services/instances.js';
import { findScheduleProblems } from './find-schedule-problems.js';
import { scheduledMethods, type ScheduledClass, type ScheduledMethod } from './scheduled-method.js';

const DEFAULT_CATCH_UP = '1m';

/** Drafts the schedules of a class. */
export async function draftSchedules(
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
    const found = findScheduleProblems(each, 'fault' in ticks ? ticks.fault : undefined);
    problems.push(...found);
    if (found.length > 0 || 'fault' in ticks) return [];
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
