import type { MessageRow } from '../traffic/message-rows.js';
import { messagesOf } from './call-messages.js';
import { type CallRow, stateOf } from './call-rows.js';

interface Place {
  /** The URL of the endpoint, where the console knows it. */
  readonly endpoint: string | undefined;
  readonly version: string;
}

/**
 * Calls as an HTTP archive (HAR 1.2), which the developer tools of browsers and many other programs read. Each call is
 * one exchange: the request of JSON-RPC as the body of a `POST`, and its answer. Headers are not recorded, so none are
 * there, and no token is.
 */
export function harOf(calls: readonly CallRow[], messages: readonly MessageRow[], place: Place): string {
  const entries = [...calls].reverse().map((row) => entryOf(row, messages, place));
  const creator = { name: 'Toolwright console', version: place.version };
  return JSON.stringify({ log: { version: '1.2', creator, pages: [], entries } }, null, 2);
}

function entryOf(row: CallRow, all: readonly MessageRow[], { endpoint }: Place): object {
  const { call } = row;
  const related = messagesOf(call, all);
  const request = related[0]?.record.message ?? {
    jsonrpc: '2.0',
    id: call.requestId,
    params: { name: call.name, arguments: call.arguments },
  };
  const answer = related[0]?.other?.record.message;
  const between = related.slice(1).filter((each) => each !== related[0]?.other);
  const url =
    call.transport === 'http' ? (endpoint ?? 'http://127.0.0.1/mcp') : `${call.transport}://${call.server}`;
  const body = answer === undefined ? '' : JSON.stringify(answer);
  return {
    startedDateTime: new Date(call.at).toISOString(),
    time: call.durationMs,
    request: {
      method: 'POST',
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'content-type', value: 'application/json' }],
      queryString: [],
      postData: { mimeType: 'application/json', text: JSON.stringify(request) },
      headersSize: -1,
      bodySize: JSON.stringify(request).length,
    },
    response: {
      // The status of the transport is not recorded. An error of JSON-RPC is in the body.
      status: answer === undefined ? 0 : 200,
      statusText: answer === undefined ? 'no answer recorded' : 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: body.length, mimeType: 'application/json', text: body },
      redirectURL: '',
      headersSize: -1,
      bodySize: body.length,
    },
    cache: {},
    timings: { send: 0, wait: call.durationMs, receive: 0 },
    _toolwright: {
      name: call.name,
      kind: call.kind,
      outcome: stateOf(row),
      caller: call.principal?.subject,
      client: call.client,
      revision: call.revision,
      steps: call.steps,
      messages: between.map(({ record }) => record.message),
    },
  };
}
