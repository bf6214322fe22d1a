import { ProtocolError, ToolError } from '@toolwright/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { cutText, showHidden } from '@toolwright/json';
import { BUDGET } from '../budget.js';
import type { UpstreamResult } from '../session/upstream-session.js';
import { TASK } from '../upstream/watched-transport.js';
import type { CallHost, UpstreamRequest } from './call-host.js';
import { plainKey, type Round } from './round.js';
import { tooManyQuestions } from './upstream-run.js';

type Params = Record<string, unknown>;

interface Task extends Params {
  readonly taskId: string;
  readonly status: string;
  readonly pollIntervalMs?: number;
  readonly pollInterval?: number;
}

/** The task that a server behind has made of a call, in either form: 2026-07-28 or 2025-11-25. */
export function taskOf(result: UpstreamResult): Task | undefined {
  const meta = result['_meta'] as Params | undefined;
  const task = meta?.[TASK] ?? (result['content'] === undefined ? result['task'] : undefined);
  const isTask = typeof task === 'object' && task !== null && typeof (task as Task).taskId === 'string';
  return isTask ? (task as Task) : undefined;
}

const ENDED = new Set(['completed', 'failed', 'cancelled']);
const SHORTEST_POLL_MS = BUDGET.shortestPollMs;
const LONGEST_POLL_MS = BUDGET.longestPollMs;
const USUAL_POLL_MS = 1_000;

interface Followed {
  readonly wanted: UpstreamRequest;
  readonly result: UpstreamResult;
  readonly round: Round;
}

/**
 * Follows a task of a server behind to its result. For a client that can follow tasks, our call becomes a task of ours:
 * its ids, its owner and its end are ours. Any other client waits.
 */
export async function followTask(host: CallHost, { result, round }: Followed): Promise<UpstreamResult> {
  let task = taskOf(result)!;
  const isModern = (result['_meta'] as Params | undefined)?.[TASK] !== undefined;
  const { taskId } = task;
  const ask = async (method: string, params: Params) => {
    const run = await host.begin({ method, params: { taskId, ...params }, isRepeatable: true }, round);
    return run.result(host.parked);
  };
  await round.context.startTask();
  const { signal } = round.context;
  const cancel = () => host.cancelTask(taskId, round);
  signal.addEventListener('abort', cancel, { once: true });
  const answered = new Set<string>();
  try {
    // Before 2026-07-28, the questions of a task come to the one who waits for its result.
    while (!ENDED.has(task.status) && (isModern || task.status !== 'input_required')) {
      await sleep(pauseOf(task), undefined, { signal });
      task = (await ask('tasks/get', {})) as unknown as Task;
      const inputResponses = await answerNew(task, { round, answered });
      if (Object.keys(inputResponses).length > 0) await ask('tasks/update', { inputResponses });
    }
    return isModern ? resultOf(task) : await ask('tasks/result', {});
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** How long to wait before a task is asked for again. */
export function pauseOf({
  pollIntervalMs,
  pollInterval,
}: Pick<Task, 'pollIntervalMs' | 'pollInterval'>): number {
  const wanted = pollIntervalMs ?? pollInterval;
  // A timer of Node.js takes anything but a number for one millisecond.
  const pause = typeof wanted === 'number' && wanted > 0 ? wanted : USUAL_POLL_MS;
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, pause));
}

async function answerNew(
  { inputRequests = {} }: Task & { inputRequests?: Record<string, { method: string; params?: Params }> },
  { round, answered }: { round: Round; answered: Set<string> },
): Promise<Params> {
  const open = Object.entries(inputRequests).filter(([key]) => !answered.has(key));
  const place = answered.size;
  if (open.length + place > BUDGET.questions) throw tooManyQuestions();
  const answers = await Promise.all(
    open.map(async ([key, { method, params = {} }], index) => {
      const answer = await round.ask(plainKey(key, `${place}-${index}`), method, params);
      answered.add(key);
      return [key, answer] as const;
    }),
  );
  return Object.fromEntries(answers);
}

function resultOf({
  status,
  result,
  error,
}: Task & { result?: UpstreamResult; error?: Params }): UpstreamResult {
  if (status === 'completed' && result) return result;
  if (status === 'cancelled') throw new ToolError('The server behind this tool has cancelled the task.');
  const { code, message } = error ?? {};
  if (typeof code === 'number' && typeof message === 'string')
    throw new ProtocolError(code, showHidden(cutText(message, 2_000)));
  throw new ToolError('The task of the server behind this tool has failed.');
}
