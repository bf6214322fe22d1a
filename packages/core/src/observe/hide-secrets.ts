import { isDeepStrictEqual } from 'node:util';
import { type OperationKind, operationKinds } from '@toolwright/ground/base/operation-kinds';
import { PARTIAL } from '@toolwright/ground/call/context/progress-reporter';
import {
  argumentsSchema,
  hasSensitiveParts,
  isSensitiveOperation,
} from '@toolwright/ground/call/hide-sensitive';
import { addressOf } from '@toolwright/ground/call/operation/keys';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import { type JsonSchema, HIDDEN, hideUndeclared } from '@toolwright/json';
import { isJsonObject, type JsonObject } from '@toolwright/wire/json-rpc';
import { type MethodRecord, addressIn, methodRecord, mirroredParameter } from '@toolwright/wire/methods';
import type { ForwardedCall } from '../requests/forwarded-call.js';
import { findForAnybody, schemeOf, redactedUri } from '../requests/lists/find-resource.js';

/** The parts of a request that decide what is hidden in it and in its answer, in the names of `wire/methods.ts`. */
export interface Asked {
  readonly method: string;
  readonly params: JsonObject;
  /** The operation that the request is about, as its own method finds it. `undefined`: none is known. */
  operation?: BoundOperation | undefined;
  /** Present if the request names a tool whose calls mean others. */
  readonly forwarded?: ForwardedCall | undefined;
}

/** A question of the server that waits for its answer. */
export interface OpenQuestion {
  /** The request for which it is asked; `undefined` if it is not known. */
  readonly about: Asked | undefined;
}

/** What a client may have written where no method has it. */
const anywhere: MethodRecord = { parameters: { uri: 'uri', requestState: 'sealed' } };

/** The members of JSON-RPC messages. */
const envelope = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * A message of a client, without what must not be repeated. On a server with sensitive parts, whatever belongs to no
 * known place is hidden too: a client may have written a secret under a wrong name.
 *
 * @param asked what the message asks for, if it is a request
 * @param answers the question of this server on its channel that the message answers, if it is an answer
 */
export function hideInMessage(
  message: JsonObject,
  { asked, answers }: { readonly asked: Asked | undefined; readonly answers: OpenQuestion | undefined },
  registry: Registry,
): JsonObject {
  const { method, params } = message;
  const isStrict = hasSensitiveParts(registry);
  const shown = isStrict ? only(envelope, message) : { ...message };
  if (typeof method !== 'string') {
    if (isStrict && (!answers || !answers.about || mayRepeatSecrets(answers.about, registry)))
      for (const name of ['params', 'result', 'error']) conceal(shown, name);
  } else if (isJsonObject(params))
    shown['params'] = hideInRequestWithAnswers(asked ?? { method, params }, registry);
  else if (isStrict) conceal(shown, 'params');
  return shown;
}

/** What a client answers to the questions of a call may repeat the secrets of the call: they were in the question. */
function hideInRequestWithAnswers(asked: Asked, registry: Registry): JsonObject {
  const shown = hideInRequest(asked, registry);
  const { inputResponses } = shown;
  const isSafe = asked.operation ? !mayRepeatSecrets(asked, registry) : !hasSensitiveParts(registry);
  if (isSafe || inputResponses === undefined) return shown;
  return { ...shown, inputResponses: isJsonObject(inputResponses) ? only([], inputResponses) : HIDDEN };
}

function hideInRequest(asked: Asked, registry: Registry): JsonObject {
  const { method, params } = asked;
  const isStrict = hasSensitiveParts(registry);
  const parameters = methodRecord(method)?.parameters ?? {};
  const shown = isStrict ? only([...Object.keys(parameters), '_meta'], params) : { ...params };
  const meant = operationsOf(asked, registry);
  for (const [name, content] of Object.entries({ ...anywhere.parameters, ...parameters })) {
    const value = params[name];
    if (value === undefined) continue;
    if (content === 'sealed') shown[name] = HIDDEN;
    else if (content === 'uri' && typeof value === 'string') shown[name] = shownUri(value, registry);
    else if (content === 'arguments' && isStrict) shown[name] = hideInCall(value, asked, meant);
    else if (content === 'typed' && isStrict && !isDeclaredArgument(params['argument'], meant))
      shown[name] = HIDDEN;
  }
  return shown;
}

/** The arguments of a call. A tool such as `call_tool` calls another one, whose arguments are inside of its own. */
function hideInCall(given: unknown, { forwarded }: Asked, meant: readonly SchemaHolder[]): unknown {
  if (!forwarded) return hideInArguments(given, meant);
  const { by, tool, args } = forwarded;
  // A tool that names itself means no other one.
  const inner = hideInArguments(args, tool && tool !== by ? meant : []);
  const outer = hideUndeclared(by.inputSchema, given) as JsonObject;
  const members = Object.entries(given as JsonObject).map(([name, value]) => [
    name,
    value === args ? inner : outer[name],
  ]);
  return Object.fromEntries(members);
}

function shownUri(uri: string, registry: Registry): string {
  const isUnknown = hasSensitiveParts(registry) && findForAnybody(registry, uri).length === 0;
  return isUnknown ? schemeOf(uri) : redactedUri(uri, registry);
}

/** What every operation that may be meant declares, and none of them marks. */
function hideInArguments(args: unknown, meant: readonly SchemaHolder[]): unknown {
  if (meant.length === 0) return HIDDEN;
  return meant.reduce((left, operation) => hideUndeclared(schemaOf(operation), left), args);
}

/** Whether a client completes an argument that the operation has, and nothing in the operation is sensitive. */
function isDeclaredArgument(argument: unknown, meant: readonly SchemaHolder[]): boolean {
  if (meant.length === 0 || meant.some(isSensitiveOperation) || !isJsonObject(argument)) return false;
  const name = String(argument['name']);
  return meant.every((operation) => Object.hasOwn(schemaOf(operation).properties ?? {}, name));
}

function schemaOf(operation: SchemaHolder): JsonSchema {
  return operation.inputSchema ?? argumentsSchema(operation);
}

/** The members with these names. The values of all others are hidden. */
function only(names: readonly string[], object: JsonObject): JsonObject {
  const kept = Object.entries(object).map(([name, value]) => [name, names.includes(name) ? value : HIDDEN]);
  return Object.fromEntries(kept) as JsonObject;
}

function conceal(object: JsonObject, name: string): void {
  if (object[name] !== undefined) object[name] = HIDDEN;
}

/** The members of results that may repeat a value of the arguments, or hold one that the output schema marks. */
const tellingMembers = [
  'content',
  'structuredContent',
  'contents',
  'messages',
  'result',
  'completion',
  'inputRequests',
];

/** The members of what is sent for a request before its answer: questions to the client, lines of its log, reports of progress. */
const saidMembers = ['message', 'messages', 'systemPrompt', 'data'];

/**
 * A result, without what must not be repeated. It may have a sensitive value in any of its forms, so all of them are
 * hidden.
 *
 * @param asked the request; `undefined` for messages that answer none, such as changes of a task
 */
export function hideInResult(result: JsonObject, asked: Asked | undefined, registry: Registry): JsonObject {
  const shown: JsonObject = { ...result };
  conceal(shown, 'requestState');
  if (mayTellOfTask(result, asked, registry) || (asked && mayRepeatSecrets(asked, registry)))
    for (const name of tellingMembers) conceal(shown, name);
  const { _meta: meta } = result;
  // Progress does not tell which tool it belongs to.
  if (isJsonObject(meta) && Object.hasOwn(meta, PARTIAL) && hasSensitiveParts(registry))
    shown['_meta'] = { ...meta, [PARTIAL]: HIDDEN };
  return shown;
}

/**
 * The parameters of a message that the server sends. The words of a question repeat arguments, and so may what a tool says
 * meanwhile.
 *
 * @param about the request for which it is sent, if it is known
 */
export function hideInSaid(params: JsonObject, about: Asked | undefined, registry: Registry): JsonObject {
  const shown = hideInResult(params, undefined, registry);
  if (about ? mayRepeatSecrets(about, registry) : hasSensitiveParts(registry) && 'requestedSchema' in params)
    for (const name of saidMembers) conceal(shown, name);
  return shown;
}

/** The result of a request that is not known any longer. */
export function hideInUnknownResult(result: JsonObject, registry: Registry): JsonObject {
  const shown: JsonObject = { ...result };
  const isStrict = hasSensitiveParts(registry);
  for (const name of ['requestState', ...(isStrict ? tellingMembers : [])]) conceal(shown, name);
  return shown;
}

/** An error, without what must not be repeated. Errors about a resource repeat its URI; no other one repeats arguments. */
export function hideInError(error: JsonObject, asked: Asked | undefined, registry: Registry): JsonObject {
  if (!asked) return error;
  const method = methodRecord(asked.method) ?? anywhere;
  if (addressIn(method, hideInRequest(asked, registry)) === addressIn(method, asked.params)) return error;
  const shown = { ...error };
  conceal(shown, 'message');
  conceal(shown, 'data');
  return shown;
}

/** The answer to arguments that nobody declared may repeat them. */
function mayRepeatSecrets(asked: Asked, registry: Registry): boolean {
  if (!hasSensitiveParts(registry)) return false;
  if (operationsOf(asked, registry).some(isSensitiveOperation)) return true;
  return !isDeepStrictEqual(hideInRequest(asked, registry)['arguments'], asked.params['arguments']);
}

/**
 * Every operation that a request may mean. Tenants may have operations of one name, and an observer sees a value only if
 * all of them would show it.
 */
function operationsOf({ method, params, operation }: Asked, registry: Registry): readonly SchemaHolder[] {
  if (!operation) return [];
  const { kind } = operation;
  const uri = params[mirroredParameter(methodRecord(method) ?? anywhere) ?? ''];
  // What is found at a URI depends on who may read it.
  if ((kind === 'resource' || kind === 'resourceTemplate') && typeof uri === 'string')
    return findForAnybody(registry, uri);
  const known: readonly BoundOperation[] = registry[operationKinds[kind].collection].candidates(
    addressOf(operation),
  );
  // It may have been removed, or replaced by one without a mark.
  return known.includes(operation) ? known : [operation, ...known];
}

/** What an operation of any kind may have. */
interface SchemaHolder {
  readonly kind: OperationKind;
  readonly inputSchema?: JsonSchema;
}

/** Whether a result tells of a task whose tool is not known here, or how its call was refused. */
function mayTellOfTask(result: JsonObject, asked: Asked | undefined, registry: Registry): boolean {
  const isOfTask = asked ? asked.method.startsWith('tasks/') : typeof result['taskId'] === 'string';
  if (!isOfTask) return false;
  if (!asked?.operation && hasSensitiveParts(registry)) return true;
  const ending = isJsonObject(result['result']) ? result['result'] : result;
  return ending['isError'] === true && hasSensitiveParts(registry);
}
