import { findRecord, type ClassRecords, type MethodRecords } from '../../base/metadata/class-records.js';
import type { AnyClass, DecoratorRecord } from '../../base/metadata/store.js';
import { findOptionProblems } from '../../base/options/option-schema.js';
import type { Target, ToolDraft } from '../../call/operation/draft.js';
import type { Node } from '../../container/binding.js';
import type { ScheduleRecord } from '../../decorators/scheduled.js';
import type { CallCounter } from '../services/instances.js';

/** A class that may have scheduled methods, and the way to its instance. */
export interface ScheduledClass {
  readonly target: AnyClass;
  readonly records: ClassRecords;
  /** Undefined if only static methods are called. */
  readonly node: Node | undefined;
  readonly calls: CallCounter;
  /** The tools that its methods are. */
  readonly tools: readonly ToolDraft[];
}

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

/** The methods of a class that are scheduled. */
export function scheduledMethods({ target, records, node, tools }: ScheduledClass): ScheduledMethod[] {
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
