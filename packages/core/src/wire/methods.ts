import type { ListCapability } from '../base/operation-kinds.js';
import type { AuditEvent } from '../ports/audit-sink.js';
import { type JsonObject, isJsonObject } from './json-rpc.js';

/** A capability that a method may need before it is offered. */
export type Capability = ListCapability | 'completions' | 'logging';

/**
 * What a parameter has in it. A `name` and a `uri` are the address of what is called, and a `reference` has one inside:
 * headers and records of refused requests repeat addresses. Of `arguments`, of what is `typed` and of a `uri`, observers
 * see what the operation does not mark as sensitive. They never see what is `sealed`.
 */
type Content = 'plain' | 'name' | 'uri' | 'reference' | 'arguments' | 'typed' | 'sealed';

/** What is known of one method of the protocol. What it does is in `protocol/create-protocol.ts`, under the same name. */
export interface MethodRecord {
  /** All methods have `_meta` besides. */
  readonly parameters: Readonly<Record<string, Content>>;
  /** What it calls. Records of refused requests say so. */
  readonly calls?: AuditEvent['operation'];
  /** The method is answered with -32601 unless the server declares this capability. */
  readonly capability?: Capability;
}

const record = <M extends string>(records: Readonly<Record<M, MethodRecord>>) => records;
const keysOf = <M extends string>(records: Readonly<Record<M, unknown>>): readonly M[] =>
  Object.keys(records) as M[];

const none = { parameters: {} } as const;
const pages = { cursor: 'plain' } as const;
const rounds = { inputResponses: 'plain', requestState: 'sealed' } as const;
const called = { name: 'name', arguments: 'arguments', ...rounds } as const;
const task = { calls: 'task', parameters: { taskId: 'name' } } as const;
const watch = { capability: 'resources', parameters: { uri: 'uri' } } as const;

const ofOperations = record({
  'tools/list': { capability: 'tools', parameters: pages },
  'tools/call': { calls: 'tool', parameters: { ...called, task: 'plain' } },
  'prompts/list': { capability: 'prompts', parameters: pages },
  'prompts/get': { calls: 'prompt', capability: 'prompts', parameters: called },
  'resources/list': { capability: 'resources', parameters: pages },
  'resources/templates/list': { capability: 'resources', parameters: pages },
  'resources/read': { calls: 'resource', capability: 'resources', parameters: { uri: 'uri', ...rounds } },
  'completion/complete': {
    calls: 'completion',
    capability: 'completions',
    parameters: { ref: 'reference', argument: 'typed', context: 'typed' },
  },
});

const ofSessions = record({
  ping: none,
  'logging/setLevel': { parameters: { level: 'plain' } },
  'resources/subscribe': { calls: 'resource', ...watch },
  'resources/unsubscribe': watch,
});

/**
 * Every method that clients call, and every notification that they send, under the name that this code has for it: the name of 2026-07-28, or of the last revision
 * that has the method. All code calls methods and their parameters by these names; see `MethodNames`.
 */
export const protocolMethods = record({
  ...ofOperations,
  ...ofSessions,
  initialize: { parameters: { protocolVersion: 'plain', capabilities: 'plain', clientInfo: 'plain' } },
  'server/discover': none,
  'subscriptions/listen': { parameters: { notifications: 'plain' } },
  'tasks/get': task,
  'tasks/update': { calls: 'task', parameters: { taskId: 'name', inputResponses: 'plain' } },
  'tasks/cancel': task,
  'tasks/list': { calls: 'task', parameters: pages },
  'tasks/result': task,
  'notifications/initialized': none,
  'notifications/cancelled': { parameters: { requestId: 'plain', reason: 'plain' } },
  'notifications/progress': {
    parameters: { progressToken: 'plain', progress: 'plain', total: 'plain', message: 'plain' },
  },
  'notifications/roots/list_changed': none,
  'notifications/tasks/status': { parameters: { taskId: 'plain', status: 'plain', statusMessage: 'plain' } },
});

export type MethodName = keyof typeof protocolMethods;

/** The methods that call or list operations. Every revision so far has them. */
export const operationMethods = keysOf(ofOperations);

/** The methods that need a session. Every revision with a handshake has them. */
export const sessionMethods = keysOf(ofSessions);

/** The record of a method; `undefined` if the protocol has no such method. */
export function methodRecord(name: string): MethodRecord | undefined {
  return Object.hasOwn(protocolMethods, name) ? protocolMethods[name as MethodName] : undefined;
}

/** The parameter that the header `Mcp-Name` repeats (2026-07-28 Standard Request Headers; Tasks, Routing Headers). */
export function mirroredParameter({ parameters }: MethodRecord): string | undefined {
  return Object.keys(parameters).find((key) => parameters[key] === 'name' || parameters[key] === 'uri');
}

/** The address of what a request calls, wherever its parameters have it. */
export function addressIn(method: MethodRecord, params: JsonObject): unknown {
  const mirrored = mirroredParameter(method);
  if (mirrored !== undefined) return params[mirrored];
  const reference = Object.keys(method.parameters).find((key) => method.parameters[key] === 'reference');
  const referred = reference === undefined ? undefined : params[reference];
  return isJsonObject(referred) ? (referred['name'] ?? referred['uri']) : undefined;
}
