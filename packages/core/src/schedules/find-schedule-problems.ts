import type { ConfigurationProblem } from '../base/errors/configuration-error.js';
import { problemAt } from '../base/metadata/call-site.js';
import { locationOf } from '../call/operation/draft.js';
import type { ScheduleDraft } from '../call/operation/schedule.js';
import { inDependencyOrder } from '../container/binding.js';
import { describeToken } from '../container/provider.js';
import { scheduledPolicies } from '../policies/guards.js';
import type { MethodRecords } from '../base/metadata/class-records.js';
import type { DecoratorRecord } from '../base/metadata/store.js';
import type { ScheduleRecord } from '../decorators/scheduled.js';
import type { Target, ToolDraft } from '../call/operation/draft.js';
import type { Node } from '../container/binding.js';

/** A scheduled method, with the place where it says so. */
export interface ScheduledMethod {
  /** The name for messages. */
  readonly label: string;
  readonly method: MethodRecords;
  readonly record: DecoratorRecord<ScheduleRecord>;
  /** The method as a tool, if it is one. */
  readonly tool: ToolDraft | undefined;
  readonly node: Node | undefined;
  readonly holder: Record<string, Target['method']>;
}

interface Fault {
  readonly message: string;
  readonly fix: string;
}

/**
 * The problems of one scheduled method.
 *
 * @param cronFault what is wrong with its expression or time zone
 */
export function findScheduleProblems(
  scheduled: ScheduledMethod,
  cronFault: string | undefined,
): ConfigurationProblem[] {
  const { record, method } = scheduled;
  const faults = [badTime(scheduled, cronFault), ...callFaults(scheduled), sessionUse(scheduled)];
  const problems = faults.flatMap((fault) =>
    fault ? [problemAt(record.site, 'TW_SCHEDULE_INVALID', fault)] : [],
  );
  if (scheduled.tool) return problems;
  const idle = method.records.filter(({ kind, name }) => kind === 'policy' && !scheduledPolicies.has(name));
  return [
    ...problems,
    ...idle.map(({ name, site }) =>
      problemAt(site, 'TW_POLICY_MISPLACED', {
        message: `The policy "${name}" would do nothing on ${scheduled.label}, because nobody calls this method: it runs by its schedule.`,
        fix: `Remove its decorator. Scheduled methods can have ${[...scheduledPolicies].join(' and ')}.`,
      }),
    ),
  ];
}

/** The schedules that several services have found, once each. */
export function distinctSchedules(drafts: readonly ScheduleDraft[]): ScheduleDraft[] {
  return drafts.filter(
    ({ operation: { site }, owner }, index) =>
      drafts.findIndex((other) => other.operation.site === site && other.owner === owner) === index,
  );
}

/** Two methods with one name would take each other's turns. */
export function findEqualSchedules(drafts: readonly ScheduleDraft[]): ConfigurationProblem[] {
  const byName = new Map<string, ScheduleDraft>();
  return drafts.flatMap((draft) => {
    const { name, operation } = draft;
    const other = byName.get(name);
    if (!other) byName.set(name, draft);
    if (!other) return [];
    const { location } = locationOf(other.operation);
    return [
      {
        code: 'TW_SCHEDULE_INVALID' as const,
        message: `Two schedules have the name "${name}"${location ? `; the other one is at ${location}` : ''}.`,
        fix: "Give one of them another name: @Scheduled('…', { name: '…' }).",
        ...locationOf(operation),
      },
    ];
  });
}

function badTime({ label }: ScheduledMethod, fault: string | undefined): Fault | undefined {
  if (fault === undefined) return undefined;
  return {
    message: `The schedule of ${label} cannot be used: ${fault}.`,
    fix: "Write five fields (minute, hour, day, month, weekday) such as '0 3 * * *', or six with seconds in front; and a time zone such as 'Europe/Vienna'.",
  };
}

/** A scheduled method gets no arguments. */
function* callFaults({ label, method, tool, holder }: ScheduledMethod): Generator<Fault> {
  const needed = tool ? tool.inputSchema.required : undefined;
  if (needed?.length)
    yield {
      message: `${label} is a tool that needs the argument "${needed[0]!}", and a schedule passes none.`,
      fix: 'Give the argument a default value, or schedule another method that calls this one.',
    };
  // Parameters with a default value do not count.
  if (!tool && (holder[method.method]?.length ?? 0) > 1)
    yield {
      message: `${label} has several parameters, and a schedule passes only a ToolContext.`,
      fix: 'Let the method take nothing or a ToolContext, and take services in the constructor.',
    };
  const other = method.records.find(({ kind }) => otherKinds.has(kind));
  if (other)
    yield {
      message: `${label} is scheduled, and is a prompt, a resource or a page.`,
      fix: 'Only tools and methods that are nothing else can be scheduled. Schedule a method of its own.',
    };
}

const otherKinds = new Set<string>(['prompt', 'resource', 'resourceTemplate', 'app']);

function sessionUse({ label, node }: ScheduledMethod): Fault | undefined {
  const kept = node && inDependencyOrder([node]).find(({ binding }) => binding.scope === 'session');
  return (
    kept && {
      message: `${label} uses ${describeToken(kept.binding.token)}, which lives as long as a session, and a scheduled run has none.`,
      fix: "Move the method to a class whose scope is 'singleton' or 'request'.",
    }
  );
}
