import type { OwnCall } from '../../../../../src/api/call-api.js';

/** The members of `notifications/progress`, without the token. */
export type ProgressParams = Readonly<Record<string, unknown>> & { readonly progress: number };

/**
 * Says how a call goes on: each report of progress once, with its part of the result, and each change of the task that the
 * call has become. It is called with each state of the call.
 */
export function progressTeller(say: (params: ProgressParams) => void): (call: OwnCall) => void {
  let reports = 0;
  let changes = 0;
  let lastTask = '';
  return ({ progress, task }) => {
    for (const { part, ...report } of progress.slice(reports))
      say({ ...report, ...(part !== undefined && { _meta: { 'toolwright/partial': part } }) });
    reports = progress.length;
    const now = JSON.stringify(task ?? '');
    if (!task || now === lastTask) return;
    lastTask = now;
    const { status, message } = task;
    say({
      progress: ++changes,
      ...(message !== undefined && { message }),
      _meta: { 'toolwright/task': status },
    });
  };
}
