import { taskRequired } from '@toolwright/ground/base/errors/errors';
import { taskOf } from '@toolwright/ground/call/operation/draft';
import type { BuiltInGuard, PlanGuard } from './guard.js';
import { linkedPage } from './output/rest-links.js';

const planTaskClient: PlanGuard = (draft) => {
  if (taskOf(draft)?.mode !== 'required') return undefined;
  return {
    origin: 'default',
    detail: 'required',
    step(call, next) {
      // The rest of an earlier result is kept: no task begins.
      if (!call.request.task && !linkedPage(call))
        throw taskRequired(draft.name, call.request.asksForTasks === true);
      return next();
    },
  };
};

const planTaskStart: PlanGuard = (draft) => {
  const task = taskOf(draft);
  if (!task) return undefined;
  const isExplicit = task.start === 'explicit';
  return {
    origin: 'default',
    detail: isExplicit ? `${task.mode}, when the method says so` : task.mode,
    step(call, next) {
      // A client that asked for a task must get one at once.
      const isAskedFor = call.request.era === 'stateful';
      return call.request.task && (isAskedFor || !isExplicit) ? call.startTask().then(next) : next();
    },
  };
};

/**
 * Refuses clients that cannot follow a task, if the tool works in no other way (Tasks, Capability
 * Negotiation). It comes after the authorization, so a caller from whom the tool is hidden learns nothing
 * about it. Revisions before 2026-07-28 cannot declare the extension.
 */
export const taskClientGuard: BuiltInGuard = {
  name: 'task client',
  position: 40,
  summary: 'Refuses clients that cannot follow a task, where the tool works in no other way.',
  plan: planTaskClient,
};

/** Turns the call into a task, after all checks whose outcome the caller should learn at once. */
export const taskStartGuard: BuiltInGuard = {
  name: 'task',
  position: 120,
  summary: 'Makes the call a task.',
  plan: planTaskStart,
};
