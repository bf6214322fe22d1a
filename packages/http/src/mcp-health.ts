import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Protocol } from '@toolwright/core/transport';
import type { HttpServed } from './mcp-http.js';

/**
 * Says whether the server accepts requests: 200 `{"status":"ok"}`, or 503 `{"status":"draining"}` while it
 * stops. If work runs on after its calls were answered, the answer has its count:
 * `{"status":"ok","abandoned":3}`. Shared stores that do not answer are named:
 * `{"status":"ok","away":["redis"]}`. It is meant for load balancers and tells nothing else.
 *
 * @example
 * app.get('/healthz', mcpHealth(server));
 */
export function mcpHealth({ protocol }: HttpServed): (req: IncomingMessage, res: ServerResponse) => void {
  return (_req, res) => {
    const { abandoned, draining } = protocol;
    const away = awayStores(protocol);
    sendState(res, draining ? 503 : 200, {
      status: draining ? 'draining' : 'ok',
      ...(abandoned > 0 && { abandoned }),
      ...(away.length > 0 && { away }),
    });
  };
}

/** The names of the shared stores that do not answer. */
export function awayStores({ stores }: Protocol): string[] {
  return stores.filter(({ up }) => !up).map(({ store }) => store);
}

export function sendState(res: ServerResponse, code: number, state: object): void {
  const text = JSON.stringify(state);
  res.writeHead(code, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}
