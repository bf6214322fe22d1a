import type { McpClient } from '@toolwright/client';
import type { CallQuestion, TaskProgress } from '../../api/call-api.js';

type Result = Readonly<Record<string, unknown>>;

interface Follower {
  readonly client: McpClient;
  /** Ends the task, when the person does not want it any more. */
  readonly signal: AbortSignal;
  ask(method: CallQuestion['method'], params: Result): Promise<Result>;
  changed(task: TaskProgress): void;
}

/** A server may ask to be asked seldom. Somebody waits here. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Waits for the result of a call that has become a task, and answers the questions of the task meanwhile. The newest
 * revision is asked again and again; 2025-11-25 has a request that waits.
 *
 * @param begun the answer to the call
 * @returns the result of the call; `begun`, if it is not a task
 * @throws {Error} when the task has failed or was cancelled
 */
export async function followTask(begun: Result, follower: Follower): Promise<Result> {
  const requested = begun['task'] as WireTask | undefined;
  const task = begun['resultType'] === 'task' ? (begun as unknown as WireTask) : requested;
  if (typeof task?.taskId !== 'string') return begun;
  const { client, signal } = follower;
  const { taskId } = task;
  // A task that has ended in the meantime cannot be cancelled, and that is right.
  const cancel = () => void client.request('tasks/cancel', { taskId }).catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  try {
    follower.changed(stateOf(task));
    return task === requested ? await client.request('tasks/result', { taskId }) : await poll(task, follower);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

interface WireTask {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly pollIntervalMs?: number;
  readonly inputRequests?: Readonly<Record<string, { method: CallQuestion['method']; params: Result }>>;
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

async function poll(
  { taskId, pollIntervalMs = LONGEST_WAIT_MS }: WireTask,
  follower: Follower,
): Promise<Result> {
  const { client, ask, changed } = follower;
  const asked = new Set<string>();
  for (;;) {
    const task = (await client.request('tasks/get', { taskId })) as unknown as WireTask;
    changed(stateOf(task));
    if (task.status === 'completed') return task.result ?? {};
    if (task.status === 'failed') throw new Error(task.error?.message ?? 'The task has failed.');
    if (task.status === 'cancelled') throw new Error('The task was cancelled.');
    for (const [key, { method, params }] of Object.entries(task.inputRequests ?? {})) {
      if (asked.has(key)) continue;
      asked.add(key);
      // The person may take long, and may cancel the task instead.
      void ask(method, params)
        .then((answer) => client.request('tasks/update', { taskId, inputResponses: { [key]: answer } }))
        .catch(() => undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollIntervalMs, LONGEST_WAIT_MS)));
  }
}

function stateOf({ status, statusMessage }: WireTask): TaskProgress {
  return { status, ...(statusMessage !== undefined && { message: statusMessage }) };
}
