import { isObject, readOtherScheme } from '@toolwright/json';
import { type SignInAnswer, type Wire, described, firstWords, isFromBetween, mediaTypeOf } from './ask.js';
import { type BearerChallenge, readChallenge } from './challenge.js';
import { type SignInProblemCode, SignInProblem } from './problems.js';

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
  if (answer.status === 401) {
    const header = answer.headers.get('www-authenticate');
    const challenge = readChallenge(header);
    if (challenge) return challenge;
    notes.push('The 401 has no Bearer challenge.');
    const otherScheme = readOtherScheme(header ?? '');
    if (otherScheme !== undefined) return { otherScheme };
  }
  const code = codeOf(answer);
  if (code === 'endpoint-unknown' && answer.status < 300) {
    const words = firstWords(answer.text);
    throw new SignInProblem(code, `${notOfMcp(answer)}${words && ` It said: ${words}`}`);
  }
  if (code) throw new SignInProblem(code, `${described(answer)}.`);
  if (answer.status === 401) return {};
  notes.push('The server lets callers in that have no token.');
  return undefined;
}

/** What is wrong with the first answer. `undefined`: it is that of an MCP endpoint. */
function codeOf(answer: SignInAnswer): SignInProblemCode | undefined {
  const { status, headers, json } = answer;
  if (status === 429 || (status === 503 && headers.has('retry-after'))) return 'endpoint-busy';
  // A proxy does not reach the server.
  if (status === 502 || status === 504) return 'endpoint-unreachable';
  if (isFromBetween(answer)) return 'endpoint-blocked';
  if (status === 401) return undefined;
  if (status === 404 || status === 405) return 'endpoint-unknown';
  if (status === 403 && isRefusalOfHost(answer)) return 'host-refused';
  if (status >= 500) return 'endpoint-failed';
  const isOfMcp = isAnswerTo(HELLO_ID, answer);
  if (status < 300 && !isOfMcp) return 'endpoint-unknown';
  const isLetIn = isOfMcp && (isObject(json?.['result']) || rpcCodeIn(answer) === UNSUPPORTED_VERSION);
  return isLetIn ? undefined : 'endpoint-refused';
}

/** Servers of Toolwright name the option in their refusal. The 403 of another server has another reason. */
const isRefusalOfHost = ({ json }: SignInAnswer) =>
  JSON.stringify(json?.['error'] ?? '').includes('allowedHosts');

/** A server without handshakes answers the hello with this code (2026-07-28, Errors). */
export const UNSUPPORTED_VERSION = -32022;

export function rpcCodeIn({ json }: SignInAnswer): unknown {
  return (json?.['error'] as { code?: unknown } | undefined)?.code;
}
