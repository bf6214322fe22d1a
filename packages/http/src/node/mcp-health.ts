import type { Protocol } from '@toolwright/core/transport';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendHealth, sendReadiness } from '../endpoint/health.js';
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

export interface McpReadyOptions {
  /**
   * The stores without which this process should get no requests, by the names that `/readyz` shows. Default:
   * none, because a server goes on without its stores, and all its processes would lose them at the same time.
   */
  requires?: readonly string[];
}

/** A request listener that says whether this process should get requests. */
export interface ReadyHandler {
  (req: IncomingMessage, res: ServerResponse): void;
  /** Says from now on that the process leaves. It still serves what comes. `drainOnSignal` does it by itself. */
  leave(): void;
}

/** The servers that leave, whatever the options of their handlers say. */
const leaving = new WeakSet<Protocol>();

/** From now on every readiness check of this server says that the process leaves. */
export function leaveReadiness(protocol: Protocol): void {
  leaving.add(protocol);
}

/**
 * Says whether this process should get requests: 200 `{"status":"ready"}`, or 503 with the status `leaving`,
 * `draining` or `waiting` (for a store that is required). Stores that do not answer are named:
 * `{"status":"ready","away":["redis"]}`. The figures of a task queue are the same as in `mcpHealth`. It is meant for
 * the readiness probe of an orchestrator and for the checks of a load balancer.
 *
 * @example
 * app.get('/readyz', mcpReady(server));
 */
export function mcpReady({ protocol }: HttpServed, { requires = [] }: McpReadyOptions = {}): ReadyHandler {
  let isLeaving = false;
  const handler = (req: IncomingMessage, res: ServerResponse) =>
    sendReadiness(protocol, new NodeExchange(req, res), {
      requires,
      isLeaving: isLeaving || leaving.has(protocol),
    });
  return Object.assign(handler, { leave: () => void (isLeaving = true) });
}
