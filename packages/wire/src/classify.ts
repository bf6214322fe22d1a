import { JsonRpcCode, ProtocolError, isProtocolError } from '@toolwright/ground/base/errors/errors';
import { isLogLevel } from '@toolwright/ground/base/log';
import type {
  ClientDescription,
  LogLevel,
  RequestId,
  TraceContext,
} from '@toolwright/ground/base/request-context';
import {
  type JsonObject,
  LARGE_NUMBER,
  MAX_BATCH,
  MAX_REPEATED,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  findExcess,
  isJsonObject,
  isRequestId,
  readMessage,
  metaKeys,
  refuseInexact,
} from './json-rpc.js';
import { headerMismatch, invalidParams, unsupportedVersion } from './protocol-errors.js';
import type { Revisions } from './revisions.js';

/** The headers of an HTTP request that tell its era. All are `undefined` on other transports. */
interface EraHeaders {
  protocolVersion?: string | undefined;
  method?: string | undefined;
  /** True when other code, such as a body parser of Express, has parsed the body before us. */
  isReadElsewhere?: boolean | undefined;
}

/** A request of the stateless era, with its envelope. */
export type StatelessMessage = RpcRequest & { envelope: Envelope };

type Classified =
  | { kind: 'stateless'; message: StatelessMessage }
  | { kind: 'statelessNotification'; message: RpcNotification; version: string }
  | { kind: 'initialize'; message: RpcRequest }
  | { kind: 'stateful'; message: RpcRequest | RpcNotification | RpcResponse }
  /** Only on 2025-03-26. Malformed elements are answered one by one. */
  | { kind: 'batch'; messages: RpcMessage[] }
  | RefusedBody;

/** The body must not be served. Over HTTP it is answered with status 400 in both eras. */
interface RefusedBody {
  kind: 'refused';
  id: RequestId | null | undefined;
  error: ProtocolError;
  /** True for a notification. HTTP answers it with a status; other transports do not answer it. */
  silent?: true | undefined;
}

/**
 * Finds out which era a parsed body belongs to. The body itself decides first, and then the header. A
 * malformed request of the stateless era is refused, and never served as a request of an older revision.
 */
export function classify(body: unknown, headers: EraHeaders, revisions: Revisions): Classified {
  const excess = findExcess(body);
  const hasLarge = excess === LARGE_NUMBER;
  if (excess && !hasLarge) return refuse(readId(body), new ProtocolError(JsonRpcCode.invalidRequest, excess));
  const read = hasLarge ? (each: unknown) => refuseInexact(each, headers.isReadElsewhere) : readMessage;
  if (Array.isArray(body)) return classifyBatch(body, read);
  const message = read(body);
  switch (message.kind) {
    case 'malformed':
      return {
        ...refuse(message.id, new ProtocolError(message.code, message.reason)),
        silent: message.silent,
      };
    case 'response':
      return revisions.looksStateless(headers.protocolVersion)
        ? refuse(undefined, new ProtocolError(JsonRpcCode.invalidRequest, 'Clients send no responses.'))
        : { kind: 'stateful', message };
    case 'notification':
      return classifyNotification(message, headers, revisions);
    case 'request':
      return classifyRequest(message, headers, revisions);
  }
}

function classifyRequest(message: RpcRequest, headers: EraHeaders, revisions: Revisions): Classified {
  const { id, method, params } = message;
  try {
    if (hasClaim(params)) {
      const envelope = checkedEnvelope(message, headers);
      if (message.inexact) return { kind: 'stateless', message: { ...message, envelope } };
      return { kind: 'stateless', message: { kind: 'request', id, method, params, envelope } };
    }
    if (revisions.looksStateless(headers.protocolVersion))
      throw missingClaim(method, headers.protocolVersion!, revisions);
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    return refuse(id, error);
  }
  return method === 'initialize' ? { kind: 'initialize', message } : { kind: 'stateful', message };
}

function checkedEnvelope({ method, params }: RpcRequest, headers: EraHeaders): Envelope {
  const envelope = readEnvelope(params);
  const { protocolVersion: header, method: named } = headers;
  if (header !== undefined && header !== envelope.version) {
    throw headerMismatch('The header "MCP-Protocol-Version" differs from the request.');
  }
  if (named !== undefined && named !== method)
    throw headerMismatch('The header "Mcp-Method" differs from the request.');
  return envelope;
}

function missingClaim(method: string, header: string, revisions: Revisions): ProtocolError {
  if (!revisions.isStateless(header)) return unsupportedVersion(header, revisions);
  if (method === 'initialize') return headerMismatch(`"initialize" is not part of ${header}.`);
  return invalidParams(`Invalid request metadata: "${metaKeys.protocolVersion}" is required.`);
}

function classifyNotification(
  message: RpcNotification,
  { protocolVersion: header }: EraHeaders,
  revisions: Revisions,
): Classified {
  if (!hasClaim(message.params)) {
    return revisions.looksStateless(header)
      ? { kind: 'statelessNotification', message, version: header! }
      : { kind: 'stateful', message };
  }
  const claim = (message.params['_meta'] as Record<string, unknown>)[metaKeys.protocolVersion];
  if (typeof claim !== 'string')
    return {
      ...refuse(undefined, invalidParams(`"${metaKeys.protocolVersion}" must be a string.`)),
      silent: true,
    };
  if (header !== undefined && header !== claim) {
    return refuse(
      undefined,
      headerMismatch('The header "MCP-Protocol-Version" differs from the notification.'),
    );
  }
  return { kind: 'statelessNotification', message, version: claim };
}

function classifyBatch(body: unknown[], read: (body: unknown) => RpcMessage): Classified {
  const messages = body.map(read);
  const foreign =
    body.some((item) => !isJsonObject(item)) ||
    messages.some((each) => 'params' in each && hasClaim(each.params));
  if (body.length === 0 || foreign) {
    return refuse(undefined, new ProtocolError(JsonRpcCode.invalidRequest, 'Send one message at a time.'));
  }
  if (body.length > MAX_BATCH) {
    const message = `A batch of more than ${MAX_BATCH} messages is not taken.`;
    return refuse(undefined, new ProtocolError(JsonRpcCode.invalidRequest, message));
  }
  return { kind: 'batch', messages };
}

function refuse(id: RequestId | null | undefined, error: ProtocolError): RefusedBody {
  return { kind: 'refused', id, error };
}

function readId(body: unknown): RequestId | null | undefined {
  const message = isJsonObject(body) ? readMessage(body) : undefined;
  return message && 'id' in message ? message.id : undefined;
}

/** What every request of 2026-07-28 says about itself in `params._meta`. */
export interface Envelope {
  version: string;
  client: ClientDescription;
  logLevel: LogLevel | undefined;
  progressToken: string | number | undefined;
  trace: TraceContext;
}

const NO_TRACE: TraceContext = Object.freeze({});

/** True when the message claims to belong to the stateless era, even if the claim has the wrong type. */
function hasClaim(params: JsonObject): boolean {
  const meta = params['_meta'];
  return isJsonObject(meta) && Object.hasOwn(meta, metaKeys.protocolVersion);
}

/** @throws {ProtocolError} -32602 naming the key that is missing or mistyped */
function readEnvelope(params: JsonObject): Envelope {
  const meta = params['_meta'];
  if (!isJsonObject(meta)) throw invalid('_meta', 'is required and must be an object');
  const version = meta[metaKeys.protocolVersion];
  if (typeof version !== 'string')
    throw invalid(metaKeys.protocolVersion, 'is required and must be a string');
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isJsonObject(capabilities))
    throw invalid(metaKeys.clientCapabilities, 'is required and must be an object');
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw invalid(metaKeys.logLevel, 'is not a log level');
  return {
    version,
    client: { capabilities, ...readClientInfo(meta[metaKeys.clientInfo]) },
    logLevel,
    progressToken: readProgressToken(meta),
    trace: readTrace(meta),
  };
}

/** @throws {ProtocolError} -32602 when it is neither a string nor an integer that comes back as it is */
export function readProgressToken(meta: JsonObject): string | number | undefined {
  const token = meta['progressToken'];
  if (typeof token === 'string' && token.length > MAX_REPEATED)
    throw invalid('progressToken', `is longer than ${MAX_REPEATED} characters`);
  if (token === undefined || isRequestId(token)) return token;
  throw invalid('progressToken', 'must be a string or an integer');
}

/**
 * Client information is optional and never trusted. A value that does not describe an implementation is left
 * out.
 */
export function readClientInfo(info: unknown): Pick<ClientDescription, 'info'> {
  if (!isJsonObject(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string')
    return {};
  const { name, version, title } = info;
  return { info: typeof title === 'string' ? { name, version, title } : { name, version } };
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Reads the W3C trace context. Invalid values must not make the request fail, so they are dropped. */
export function readTrace(meta: JsonObject): TraceContext {
  const { traceparent, tracestate, baggage } = meta;
  if (traceparent === undefined && baggage === undefined) return NO_TRACE;
  const trace: TraceContext = {};
  if (typeof traceparent === 'string' && TRACEPARENT.test(traceparent)) {
    trace.traceparent = traceparent;
    if (isPrintable(tracestate, 512)) trace.tracestate = tracestate;
  }
  if (isPrintable(baggage, 8192)) trace.baggage = baggage;
  return trace;
}

function isPrintable(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && /^[\x20-\x7e]*$/.test(value);
}

function invalid(key: string, problem: string): ProtocolError {
  return new ProtocolError(JsonRpcCode.invalidParams, `Invalid request metadata: "${key}" ${problem}.`);
}
