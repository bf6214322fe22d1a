import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServed } from './mcp-http.js';

/**
 * Says whether the server accepts requests: 200 `{"status":"ok"}`, or 503 `{"status":"draining"}` while it
 * stops. If work runs on after its calls were answered, the answer has its count:
 * `{"status":"ok","abandoned":3}`. It is meant for load balancers and tells nothing else.
 *
 * @example
 * app.get('/healthz', mcpHealth(server));
 */
export function mcpHealth({ protocol }: HttpServed): (req: IncomingMessage, res: ServerResponse) => void {
  return (_req, res) => {
    const { abandoned } = protocol;
    const status = protocol.draining ? 'draining' : 'ok';
    const text = JSON.stringify(abandoned > 0 ? { status, abandoned } : { status });
    res.writeHead(protocol.draining ? 503 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
    });
    res.end(text);
  };
}
