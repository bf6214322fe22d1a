import type { ListCapability } from '@toolwright/ground/base/operation-kinds';
import type { ClientMethod } from '@toolwright/ground/base/request-context';
import type { AuditEvent } from '@toolwright/ground/ports/audit-sink';
import { isObject } from '@toolwright/json';
import { type JsonObject, isJsonObject, notificationText } from './json-rpc.js';

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

type Params = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, string>>;

/** The names that a revision gives to a method and to its parameters, where they differ from those of this code. */
interface Renamed {
  readonly name?: string;
  readonly parameters?: Names;
}

/** What a revision calls otherwise than this code, by the names of this code: methods of clients, questions, notifications. */
export type RenamedMethods = Readonly<
  Partial<Record<MethodName | ClientMethod, Renamed>> & Record<`notifications/${string}`, Renamed>
>;

/** A request or a notification, as far as names go. */
interface NamedMessage {
  readonly method?: unknown;
  readonly params?: unknown;
}

type Translations = Map<unknown, { readonly method: string; readonly parameters: Names }>;

/**
 * The names of a revision that renames methods. Its messages are translated where they come in and where they go out, so
 * that all other code, and all applications, have one name for each method.
 */
export class MethodNames {
  readonly #known: Translations = new Map();
  readonly #spoken: Translations = new Map();

  constructor(renamed: RenamedMethods) {
    const all = Object.entries(renamed);
    const methods = bothWays(Object.fromEntries(all.map(([own, { name = own }]) => [own, name])));
    for (const [other, own] of Object.entries(methods.known)) {
      const parameters = bothWays(renamed[own as MethodName]?.parameters ?? {});
      this.#known.set(other, { method: own, parameters: parameters.known });
      this.#spoken.set(own, { method: other, parameters: parameters.spoken });
    }
  }

  /** A message of the revision, in the names of this code. */
  read<M extends NamedMessage>(message: M): M {
    return translate(message, this.#known);
  }

  /** A message in the names of this code, as the revision writes it. */
  write<M extends NamedMessage>(message: M): M {
    return translate(message, this.#spoken);
  }
}

/** A message in the names of this code. Most revisions rename nothing. */
export function readNames<M extends NamedMessage>(names: MethodNames | undefined, message: M): M {
  return names ? names.read(message) : message;
}

/** A message in the names of a revision. */
export function writeNames<M extends NamedMessage>(names: MethodNames | undefined, message: M): M {
  return names ? names.write(message) : message;
}

/** A notification as text, in the names of a revision. */
export function notificationIn(names: MethodNames | undefined, method: string, params?: JsonObject): string {
  const written = writeNames(names, { method, params });
  return notificationText(written.method, written.params);
}

/** Questions of a server, by their keys, in the names of a revision. */
export function writeQuestions<Q extends NamedMessage>(
  names: MethodNames | undefined,
  asked: Iterable<readonly [key: string, question: Q]>,
): Readonly<Record<string, Q>> {
  return Object.fromEntries([...asked].map(([key, question]) => [key, writeNames(names, question)]));
}

/**
 * From names of this code to others, and back. A name that was given up becomes one that nothing has: it means nothing any
 * more, and can still be written as it came.
 */
function bothWays(names: Names): { readonly known: Names; readonly spoken: Names } {
  const known = Object.fromEntries(Object.keys(names).map((own) => [own, `former ${own}`]));
  for (const [own, other] of Object.entries(names)) known[other] = own;
  return { known, spoken: Object.fromEntries(Object.entries(known).map(([other, own]) => [own, other])) };
}

function translate<M extends NamedMessage>(message: M, translations: Translations): M {
  const found = translations.get(message.method);
  if (!found) return message;
  const { method, parameters } = found;
  const { params } = message;
  return { ...message, method, ...(isObject(params) && { params: renameMembers(params, parameters) }) };
}

function renameMembers(params: Params, names: Names): Params {
  const members = Object.entries(params);
  return Object.fromEntries(
    members.map(([key, value]) => [Object.hasOwn(names, key) ? names[key] : key, value]),
  ) as Params;
}
