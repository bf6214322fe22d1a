import { isObject } from '@toolwright/json';
import { type SignInAnswer, type Wire, described, firstWords, isFromBetween, mediaTypeOf } from './ask.js';
import { type BearerChallenge, readChallenge } from './challenge.js';
import { SignInProblem } from './problems.js';

export const HELLO_ID = 1;

/** The first message of a client of any revision with a handshake. Older and newer servers know it. */
const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: HELLO_ID,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'toolwright doctor', version: '1' },
  },
});

/** Says hello to a server, with a token or without one. */
export function sayHello(wire: Wire, url: string, token?: string): Promise<SignInAnswer> {
  return post(wire, url, { body: HELLO, ...(token !== undefined && { token }) });
}

export function post(
  wire: Wire,
  url: string,
  { body, token, headers = {} }: { body: string; token?: string; headers?: Record<string, string> },
): Promise<SignInAnswer> {
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body,
  };
  return wire.ask('endpoint-unreachable', url, init, 'endpoint-blocked');
}

/** Whether it is the JSON-RPC answer to the request with this id. The refusal of a whole message has no id. */
export function isAnswerTo(id: number, { json = {} }: SignInAnswer): boolean {
  const { jsonrpc, id: ofAnswer, result, error } = json;
  const isOfRequest = Number(ofAnswer ?? (error && id)) === id;
  return jsonrpc === '2.0' && isOfRequest && (isObject(result) || isObject(error));
}

/** What is wrong with an answer that is not JSON-RPC, without any word of it. */
export function notOfMcp({ url, status, headers, text }: SignInAnswer): string {
  const form = text === '' ? 'without a body' : `as ${mediaTypeOf(headers)}`;
  return `${url} answered ${status} ${form}, and an MCP endpoint answers in JSON-RPC.`;
}

/** @returns the challenge of the server; `undefined` if it lets anybody in */
export async function findEndpoint(
  wire: Wire,
  url: string,
  notes: string[],
): Promise<BearerChallenge | undefined> {
  const answer = await sayHello(wire, url);
  const { status, headers } = answer;
  if (isFromBetween(answer)) throw new SignInProblem('endpoint-blocked', `${described(answer)}.`);
  if (status === 401) {
    const challenge = readChallenge(headers.get('www-authenticate'));
    if (challenge) return challenge;
    notes.push('The 401 has no Bearer challenge.');
    return {};
  }
  if (status === 404 || status === 405) throw new SignInProblem('endpoint-unknown', `${described(answer)}.`);
  if (status === 403) throw new SignInProblem('host-refused', `${described(answer)}.`);
  if (status >= 500) throw new SignInProblem('endpoint-unreachable', `${described(answer)}.`);
  if (status < 300 && !isAnswerTo(HELLO_ID, answer)) {
    const words = firstWords(answer.text);
    throw new SignInProblem('endpoint-unknown', `${notOfMcp(answer)}${words && ` It said: ${words}`}`);
  }
  notes.push('The server lets callers in that have no token.');
  return undefined;
}
