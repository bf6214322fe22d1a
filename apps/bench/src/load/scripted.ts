import autocannon from 'autocannon';
import type { ServerMessage } from '../protocol/answer.js';
import type { WireRequest } from '../protocol/request.js';

/** Makes the next request of a conversation from the answer to the one before. */
export type Step = (answer: ServerMessage | undefined) => WireRequest;

export interface Script {
  port: number;
  connections: number;
  seconds: number;
  /** What each connection does again and again. */
  steps: Step[];
  /** Throws unless the last answer of a conversation is right. */
  check(answer: ServerMessage): void;
}

export interface ScriptResult {
  conversations: number;
  seconds: number;
  /** The first problem, if one conversation failed. */
  problem?: string;
}

/** A conversation as one connection sees it. */
interface Talk {
  answer?: ServerMessage;
}

/** Conversations in a closed loop: each connection begins the next one when the last is finished. */
export async function scriptedLoad({
  port,
  connections,
  seconds,
  steps,
  check,
}: Script): Promise<ScriptResult> {
  const result: ScriptResult = { conversations: 0, seconds: 0 };
  const requests = steps.map((step, index): autocannon.Request => ({
    setupRequest: (request, context) => {
      const { path, headers, body } = step((context as Talk).answer);
      return { ...request, method: 'POST', path, headers, body };
    },
    onResponse: (status, body, context) => {
      try {
        if (status !== 200) throw new Error(`status ${status}: ${body.slice(0, 300)}`);
        const answer = JSON.parse(body) as ServerMessage;
        (context as Talk).answer = answer;
        if (index < steps.length - 1) return;
        check(answer);
        result.conversations++;
      } catch (error) {
        result.problem ??= String(error);
      }
    },
  }));
  const { duration, errors } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests,
  });
  if (errors > 0) result.problem ??= `${errors} broken connections`;
  return { ...result, seconds: duration };
}
