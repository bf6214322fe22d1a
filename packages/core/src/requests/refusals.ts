import {
  JsonRpcCode,
  type ProtocolError,
  isProtocolError,
  HiddenOperationError,
} from '@toolwright/ground/base/errors/errors';
import { isOperationKind, operationKinds } from '@toolwright/ground/base/operation-kinds';
import type { RefusedRequest, RefusalReason } from '@toolwright/ground/call/security/refusal-log';
import type { AuditEvent } from '@toolwright/ground/ports/audit-sink';
import { readClientInfo } from '@toolwright/wire/classify';
import { isJsonObject, metaKeys } from '@toolwright/wire/json-rpc';
import { addressIn, readNames } from '@toolwright/wire/methods';
import type { Peer } from '@toolwright/wire/response-channel';
import { namesOf } from '@toolwright/wire/revisions';
import type { ActiveRequest, Engine, Method } from './active-request.js';
import { findForAnybody, redactedUri } from './lists/find-resource.js';

type Operation = AuditEvent['operation'];

/**
 * Records that a request failed before its operation began. After that moment, the operation's own audit
 * records it.
 */
export function noteFailure(method: Method, request: ActiveRequest, error: unknown): void {
  const { engine, params, operation: meant } = request;
  const { calls: operation } = method;
  if (!operation || request.begun || !isProtocolError(error)) return;
  if (error.rpcCode === JsonRpcCode.internalError) return;
  const { principal, ip, client, revision } = request;
  const found = request.refusal ?? { reason: reasonOf(error, method, request) };
  engine.refusals.note({
    ...found,
    operation,
    // The log has one name for all versions of a tool, whatever the request names it by.
    name:
      operation === 'tool' && meant
        ? (meant.versionOf ?? meant.name)
        : redactedName(operation, textOf(addressIn(method, params)), engine),
    principal,
    ip,
    client: client.info,
    revision,
  });
}

function reasonOf(error: ProtocolError, method: Method, request: ActiveRequest): RefusalReason {
  const { engine, params, operation: meant } = request;
  const operation = method.calls!;
  const name = addressIn(method, params);
  if (error instanceof HiddenOperationError) return 'TW_HIDDEN';
  const isAbsent = error.rpcCode === JsonRpcCode.invalidParams || error.rpcCode === RESOURCE_NOT_FOUND;
  if (typeof name !== 'string' || !isAbsent) return 'TW_REQUEST_INVALID';
  if (operation === 'task') return 'TW_TASK_UNKNOWN';
  const facts = isOperationKind(operation) ? operationKinds[operation] : undefined;
  if (facts?.address === 'name') return meant ? 'TW_REQUEST_INVALID' : 'TW_UNKNOWN_NAME';
  // A template for other callers is not found for this one.
  const known = meant ?? (operation === 'resource' && findForAnybody(engine.host.registry, name)[0]);
  return known ? 'TW_HIDDEN' : 'TW_UNKNOWN_NAME';
}

/** The code of older revisions; 2026-07-28 uses -32602. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * Records a message that was refused before its method was looked up: a malformed envelope, or headers that
 * contradict it. Messages that call nothing are counted alone.
 */
export function noteRefusedMessage(
  engine: Engine,
  body: unknown,
  { peer: { principal, ip }, error }: { peer: Pick<Peer, 'principal' | 'ip'>; error: ProtocolError },
): void {
  const reason = error.rpcCode === JsonRpcCode.headerMismatch ? 'TW_HEADER_MISMATCH' : 'TW_REQUEST_INVALID';
  const called = calledBy(body, engine);
  if (called) engine.refusals.note({ reason, ...called, principal, ip });
  else engine.telemetry.metrics?.countRefused(reason);
}

/** What a message calls, as far as it can be read; `undefined` when it calls nothing. */
function calledBy(body: unknown, { host, methods }: Engine) {
  if (!isJsonObject(body) || typeof body['method'] !== 'string') return undefined;
  const sent = isJsonObject(body['params']) ? body['params'] : {};
  const meta = isJsonObject(sent['_meta']) ? sent['_meta'] : {};
  const revision = textOf(meta[metaKeys.protocolVersion]);
  const { method: name, params } = readNames(namesOf(revision), { method: body['method'], params: sent });
  const method = methods.get(name);
  if (!method?.calls) return undefined;
  return {
    operation: method.calls,
    name: redactedName(method.calls, textOf(addressIn(method, params)), { host }),
    client: readClientInfo(meta[metaKeys.clientInfo]).info,
    revision,
  };
}

/** Records that a whole request was refused, whatever it asked for. */
export function noteRefusedRequest(
  { refusals }: Engine,
  refusal: Omit<RefusedRequest, 'operation' | 'name'>,
): void {
  refusals.note({ ...refusal, operation: 'request', name: '' });
}

function redactedName(operation: Operation, name: string, { host }: Pick<Engine, 'host'>): string {
  return operation === 'resource' ? redactedUri(name, host.registry) : name;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
