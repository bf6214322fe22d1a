import type { McpServer } from '@toolwright/core';
import { explainValue } from '@toolwright/core/checks';
import { keepNewest } from '@toolwright/json';
import type { CallRequest, OwnCall } from '../../api/call-api.js';
import { ConsoleRefusal, type ParamsOf, type ResultOf } from '../../api/console-api.js';
import type { Part, PartHost } from '../part.js';
import { askUnseen } from '../unseen-client.js';
import { RunningCall } from './running-call.js';

/** How many calls of the console are kept. */
const MAX_KEPT = 200;

/** Makes the calls of the console. */
export function callPart(
  host: PartHost,
): Part<'check' | 'startCall' | 'answerQuestion' | 'cancelCall' | 'ownCalls' | 'complete'> {
  const calls = new Map<string, RunningCall>();
  let count = 0;
  const find = (id: string) => {
    const call = calls.get(id);
    if (call) return call;
    throw new ConsoleRefusal('The console does not remember this call any more.');
  };
  const start = (request: CallRequest): OwnCall => {
    const id = `call-${++count}`;
    const server = host.server(request.server);
    const call = new RunningCall(id, request, server, (started) =>
      host.tell({ type: 'ownCall', call: started }),
    );
    keepNewest(calls, id, call, MAX_KEPT);
    return call.soFar;
  };
  return {
    check: ({ schema, value }) => explainValue(schema, value),
    startCall: start,
    answerQuestion: ({ call, question, answer }) => find(call).answer(question, answer),
    cancelCall: ({ call }) => find(call).cancel(),
    ownCalls: () => [...calls.values()].reverse().map(({ soFar }) => soFar),
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
