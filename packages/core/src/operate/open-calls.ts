import type { Environment } from '../call/environment.js';
import type { OpenCall, WorkingCall } from '../call/limits/running-work.js';
import { callerOf, clientOf } from './caller-identity.js';
import type { CallState } from './server-state.js';

/** The calls whose work has not ended, the oldest first. */
export function openCalls(environment: Environment): CallState[] {
  return [...environment.work.open()].map((open) => describe(open, environment));
}

/** @returns false when no such call waits for its answer */
export function stopCall(environment: Environment, number: number): boolean {
  for (const { work, stop } of environment.work.open())
    if (numberOf(work, environment) === number) return stop();
  return false;
}

function describe({ work, isAbandoned, began }: OpenCall<WorkingCall>, environment: Environment): CallState {
  const { operation, request, recorder } = work;
  const since = recorder?.at ?? began;
  return {
    number: numberOf(work, environment),
    kind: operation.kind,
    name: operation.name,
    caller: callerOf(request),
    ...clientOf(request.client),
    revision: request.revision,
    transport: request.transport,
    ...(since !== undefined && { since }),
    phase: isAbandoned ? 'abandoned' : work.isQueued ? 'queued' : 'running',
    isTask: request.task?.started === true,
  };
}

function numberOf(call: WorkingCall, { callListeners }: Environment): number {
  return call.recorder?.number ?? callListeners.numberOf(call);
}
