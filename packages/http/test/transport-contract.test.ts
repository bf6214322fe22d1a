import { describeTransport } from '@toolwright/testing';
import { serveHttp } from '../src/index.js';
import { readEvents, type Json } from './support/wire.js';

const principal = { subject: 'ada', scopes: [] };

/** The headers that repeat a message; of what is none, those of a client that means one. */
function headersOf(text: string): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28' };
  if (!text.endsWith('}')) return headers;
  const { method, params = {} } = JSON.parse(text) as { method: string; params?: Json };
  const { name } = params;
  return { ...headers, 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) };
}

describeTransport('serveHttp', async (server) => {
  const service = await serveHttp(server, { port: 0, signals: false, principal: () => principal });
  return {
    peer: { principal, ip: '127.0.0.1', transport: 'http' },
    connect(receive) {
      const going = new AbortController();
      const post = async (body: string) => {
        const { signal } = going;
        const response = await fetch(service.url, { method: 'POST', headers: headersOf(body), body, signal });
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
    },
    close: () => service.close(),
  };
});
