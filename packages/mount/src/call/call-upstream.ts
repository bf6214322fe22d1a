import type { ToolContext } from '@toolwright/core';
import { BUDGET } from '../budget.js';
import { MountError } from '../errors.js';
import type { CallerGroup } from '../session/caller-values.js';
import type { UpstreamResult } from '../session/upstream-session.js';
import type { CallHost, UpstreamRequest } from './call-host.js';
import { followTask, taskOf } from './follow-task.js';
import { plainKey, Round } from './round.js';
import { PARKED, type UpstreamRun, tooManyQuestions } from './upstream-run.js';

type Params = Record<string, unknown>;

interface Question {
  readonly method: string;
  readonly params?: Params;
}

/**
 * Passes a call on to a server behind, and its questions to the client that has made the call. All four combinations of
 * eras meet here:
 * - a server with sessions asks in the middle of its work, and its run waits (`UpstreamRun`)
 * - a server of 2026-07-28 answers with its questions. What it answered is remembered, sealed, in the state of our call,
 *   so that any process can go on with it, and nothing is asked twice
 */
export async function callUpstream(
  host: CallHost,
  wanted: UpstreamRequest,
  { context, group }: { readonly context: ToolContext; readonly group: CallerGroup },
): Promise<UpstreamResult> {
  const round = new Round(context, group, host.foldersOf(group));
  const parked = round.recall(PARKED);
  let run: UpstreamRun | undefined;
  if (typeof parked === 'string') {
    run = host.parked.take(parked, (known) => host.isCaller(known, round));
    run.join(round);
  }
  const asked = new Set<string>();
  let answers: Params = {};
  for (let number = 0; number < BUDGET.rounds; number++) {
    let result = run ? undefined : (round.recall(`mounted.${number}`) as UpstreamResult | undefined);
    const isRemembered = result !== undefined;
    if (!result) {
      run ??= await host.begin({ ...wanted, params: { ...wanted.params, ...answers } }, round);
      result = await run.result(host.parked);
      run = undefined;
    }
    if (result['resultType'] !== 'input_required')
      return taskOf(result) ? followTask(host, { wanted, result, round }) : result;
    const { inputRequests = {}, requestState } = result as {
      inputRequests?: Record<string, Question>;
      requestState?: string;
    };
    if (!isRemembered)
      round.remember(`mounted.${number}`, { resultType: 'input_required', inputRequests, requestState });
    answers = {
      inputResponses: await answer(inputRequests, { round, asked, number }),
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw new MountError('TW_MOUNT_ANSWER', 'The server behind this tool asks again and again.');
}

/** All questions are asked, before the round may end with them. */
async function answer(
  questions: Readonly<Record<string, Question>>,
  { round, asked, number }: { round: Round; asked: Set<string>; number: number },
): Promise<Params> {
  const all = Object.entries(questions);
  if (all.length + asked.size > BUDGET.questions) throw tooManyQuestions();
  const answered = await Promise.allSettled(
    all.map(async ([key, { method, params = {} }], index) => {
      const plain = plainKey(key, `${number}-${index}`);
      // A key is kept, because clients may know it. Only one that comes again gets a number.
      const own = asked.has(plain) ? `${plain}~${number}` : plain;
      asked.add(own);
      return [key, await round.ask(own, method, params)] as const;
    }),
  );
  const failed = answered.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return Object.fromEntries(answered.map((each) => (each as PromiseFulfilledResult<[string, Params]>).value));
}
