import type { TransportClient } from '@toolwright/testing';
import { readEvents, type Json } from './wire.js';

/** The headers that repeat a message; of what is none, those of a client that means one. */
function headersOf(text: string): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28' };
  if (!text.endsWith('}')) return headers;
  const { method, params = {} } = JSON.parse(text) as { method: string; params?: Json };
  const { name } = params;
  return { ...headers, 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) };
}

/** A client of the contract suite, for any endpoint over HTTP, or for a function that answers in its place. */
export function connectOverHttp(
  url: string,
  receive: (text: string) => void,
  answer: (request: Request) => Promise<Response> = fetch,
): TransportClient {
  const going = new AbortController();
  const post = async (body: string) => {
    const { signal } = going;
    const response = await answer(
      new Request(url, { method: 'POST', headers: headersOf(body), body, signal }),
    );
    const text = await response.text();
    if (response.headers.get('content-type')?.startsWith('text/event-stream'))
      for (const { data } of readEvents(text)) receive(data);
    else if (text !== '') receive(text);
  };
  return {
    // Rejected where the client has gone: nobody waits for the answer any more.
    send: (text) => void post(text).catch(() => undefined),
    leave: () => going.abort(),
  };
}
