import type { AnyClass } from '../../base/metadata/store.js';
import type { Draft } from '../../call/operation/draft.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { ScheduleDraft } from '../../call/operation/schedule.js';
import type { Node } from '../../container/binding.js';
import type { CallCounter } from '../registry/call-counter.js';

/** A bound service, with its operations and everything that must be built for it. */
export interface ServiceDrafts {
  readonly target: AnyClass;
  readonly drafts: readonly Draft<BoundOperation>[];
  readonly schedules: readonly ScheduleDraft[];
  readonly nodes: readonly Node[];
  readonly calls: CallCounter;
}
