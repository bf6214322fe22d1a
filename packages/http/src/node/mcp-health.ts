import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendHealth } from '../endpoint/health.js';
import type { HttpServed } from '../endpoint/open-endpoint.js';
import { NodeExchange } from './node-exchange.js';

/**
 * Says whether the server accepts requests: 200 `{"status":"ok"}`, or 503 `{"status":"draining"}` while it
 * stops. If work runs on after its calls were answered, the answer has its count:
 * `{"status":"ok","abandoned":3}`. Shared stores that do not answer are named:
 * `{"status":"ok","away":["redis"]}`. With a task queue, the answer has the figures of all processes:
 * `{"status":"ok","tasks":{"waiting":3,"oldestMs":120,"running":8,"dead":0}}`. It is meant for load balancers and tells nothing else.
 *
 * @example
 * app.get('/healthz', mcpHealth(server));
 */
export function mcpHealth({ protocol }: HttpServed): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => sendHealth(protocol, new NodeExchange(req, res));
}
