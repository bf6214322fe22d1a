import type { QueueLoad } from '@toolwright/core/ports';
import type { Protocol } from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';

/** Answers whether the server accepts requests. */
export function sendHealth(protocol: Protocol, exchange: Exchange): void {
  withTasks(protocol, (tasks) => {
    const { abandoned, draining } = protocol;
    const away = awayStores(protocol);
    sendState(exchange, draining ? 503 : 200, {
      status: draining ? 'draining' : 'ok',
      ...(abandoned > 0 && { abandoned }),
      ...(away.length > 0 && { away }),
      ...tasks,
    });
  });
}

/** What a readiness check knows in addition to the server. */
export interface Readiness {
  readonly requires: readonly string[];
  readonly isLeaving: boolean;
}

/** Answers whether this process should get requests. */
export function sendReadiness(protocol: Protocol, exchange: Exchange, readiness: Readiness): void {
  const send = (tasks: TasksState) => {
    const away = awayStores(protocol);
    const status = statusOf(protocol, away, readiness);
    const code = status === 'ready' ? 200 : 503;
    sendState(exchange, code, { status, ...(away.length > 0 && { away }), ...tasks });
  };
  // A load balancer that sends no more requests need not wait for figures.
  if (readiness.isLeaving) send({});
  else withTasks(protocol, send);
}

type TasksState = { tasks?: QueueLoad };

/** Answers at once where there is no task queue. Otherwise it waits for the queue a second at most. */
function withTasks({ taskLoad, draining }: Protocol, send: (tasks: TasksState) => void): void {
  if (!taskLoad || draining) send({});
  else void taskLoad.then((load) => send(load ? { tasks: withoutDepth(load) } : {}));
}

/** Names of tools are for metrics. Anybody may ask a probe. */
function withoutDepth({ depth: _, ...load }: QueueLoad): QueueLoad {
  return load;
}

function statusOf({ draining }: Protocol, away: readonly string[], { requires, isLeaving }: Readiness) {
  if (draining) return 'draining';
  if (isLeaving) return 'leaving';
  // Without its audit log, a server refuses every strict call.
  return away.some((store) => store === 'audit' || requires.includes(store)) ? 'waiting' : 'ready';
}

/** The names of the shared stores that do not answer. */
function awayStores({ stores }: Protocol): string[] {
  return stores.filter(({ up }) => !up).map(({ store }) => store);
}

function sendState(exchange: Exchange, code: number, state: object): void {
  exchange.setHeader('Cache-Control', 'no-store');
  exchange.sendJson(code, JSON.stringify(state));
}
