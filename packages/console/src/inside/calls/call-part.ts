import type { McpServer } from '@toolwright/core';
import { explainValue } from '@toolwright/core/checks';
import type { ParamsOf, ResultOf } from '../../api/console-api.js';
import type { Part, PartHost } from '../part.js';
import { askUnseen } from '../unseen-client.js';
import type { OwnCalls } from './own-calls.js';

/** Makes the calls of the console. */
export function callPart(
  host: PartHost,
  calls: OwnCalls,
): Part<'check' | 'startCall' | 'answerQuestion' | 'cancelCall' | 'ownCalls' | 'complete'> {
  return {
    check: ({ schema, value }) => explainValue(schema, value),
    startCall: (request) => calls.start(request).soFar,
    answerQuestion: ({ call, question, answer }) => calls.find(call).answer(question, answer),
    cancelCall: ({ call }) => calls.find(call).cancel(),
    ownCalls: () => calls.all,
    complete: (asked) => complete(host.server(asked.server), asked),
  };
}

/** Completes an argument, as the client of a person who types would. */
function complete(
  server: McpServer,
  { kind, key, argument, value, known, as }: ParamsOf<'complete'>,
): Promise<ResultOf<'complete'>> {
  return askUnseen(server, as, async (client) => {
    const target = kind === 'prompt' ? { prompt: key } : { template: key };
    const { values, hasMore = false } = await client.complete(target, { name: argument, value }, known);
    return { values, hasMore };
  });
}
