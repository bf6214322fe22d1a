import { taskClientRequired } from '../../base/errors/task-client-required.js';
import type { ToolTask } from '../../call/operation/operation.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { PlanStep } from '../plan-step.js';

/**
 * Refuses clients that cannot follow a task, where the tool works in no other way (Tasks, Capability Negotiation). After
 * the authorisation: whoever may not know of the tool learns nothing of it. Revisions before 2026-07-28 cannot declare
 * the extension.
 */
export const planTaskClient: PlanStep = (draft) => {
  if (taskOf(draft)?.mode !== 'required') return undefined;
  return {
    name: 'task client',
    origin: 'default',
    detail: 'required',
    step(call, next) {
      if (!call.request.task) throw taskClientRequired();
      return next();
    },
  };
};

/** Makes the call a task, once everything is settled that its caller should be told at once. */
export const planTaskStart: PlanStep = (draft) => {
  const task = taskOf(draft);
  if (!task) return undefined;
  const isExplicit = task.start === 'explicit';
  return {
    name: 'task',
    origin: 'default',
    detail: isExplicit ? `${task.mode}, when the method says so` : task.mode,
    step(call, next) {
      const start = isExplicit ? undefined : call.request.task;
      return start ? start.start().then(next) : next();
    },
  };
};

function taskOf(draft: AnyDraft): ToolTask | undefined {
  return draft.kind === 'tool' ? draft.task : undefined;
}
